//! What a row may cost, which way its ratio goes, and the verdict: pure.

use std::fmt;

use crate::statistic::{median, ratios, spread};

/// Over this spread a figure is not measurable, and not a pass.
const SPREAD_MAX: f64 = 0.25;

/// What a row is held to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Budget {
    /// Baseline ÷ ours, of times or sizes, is at least this.
    Faster(f64),
    /// Ours ÷ baseline, of rates, is at least this.
    Rate(f64),
    /// Ours ÷ baseline, of costs, is at most this.
    Cost(f64),
    /// Ours is at most this, whatever the baseline.
    Within(f64),
    /// Nothing is asked; the ratio is ours ÷ baseline.
    Reported,
}

/// How a row ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Within the budget.
    Pass,
    /// Not within the budget.
    Miss,
    /// The rounds differ too much to say.
    NotMeasurable,
    /// There is no budget.
    Reported,
}

impl Budget {
    /// The ratio of each round; empty without a baseline.
    fn rounds(self, ours: &[f64], baseline: &[f64]) -> Vec<f64> {
        match self {
            Self::Faster(_) | Self::Within(_) => ratios(baseline, ours),
            Self::Rate(_) | Self::Cost(_) | Self::Reported => ratios(ours, baseline),
        }
    }

    /// The ratio of the medians; `None` without a baseline.
    pub(crate) fn ratio(self, ours: &[f64], baseline: &[f64]) -> Option<f64> {
        let medians = |values: &[f64]| [median(values)];
        (!baseline.is_empty()).then(|| median(&self.rounds(&medians(ours), &medians(baseline))))
    }

    /// How far the rounds differ in what the budget is about.
    pub(crate) fn spread(self, ours: &[f64], baseline: &[f64]) -> f64 {
        match self {
            Self::Within(_) => spread(ours),
            Self::Reported if baseline.is_empty() => spread(ours),
            Self::Faster(_) | Self::Rate(_) | Self::Cost(_) | Self::Reported => {
                spread(&self.rounds(ours, baseline))
            }
        }
    }

    /// Whether the rounds keep to it.
    pub(crate) fn judge(self, ours: &[f64], baseline: &[f64]) -> Verdict {
        let ratio = self.ratio(ours, baseline).unwrap_or(f64::NAN);
        let kept = match self {
            Self::Reported => return Verdict::Reported,
            Self::Faster(least) | Self::Rate(least) => ratio >= least,
            Self::Cost(most) => ratio <= most,
            Self::Within(most) => median(ours) <= most,
        };
        if self.spread(ours, baseline) > SPREAD_MAX {
            Verdict::NotMeasurable
        } else if kept {
            Verdict::Pass
        } else {
            Verdict::Miss
        }
    }

    /// The budget in words.
    pub(crate) fn words(self, unit: &str) -> String {
        match self {
            Self::Faster(least) => format!("≥ {least} × less"),
            Self::Rate(least) => format!("≥ {least} ×"),
            Self::Cost(most) => format!("≤ {most} ×"),
            Self::Within(most) => format!("≤ {most} {unit}"),
            Self::Reported => "reported".to_owned(),
        }
    }
}

impl Verdict {
    /// The field `pass` of the results: null where nothing was asked.
    pub(crate) fn pass(self) -> Option<bool> {
        match self {
            Self::Pass => Some(true),
            Self::Miss | Self::NotMeasurable => Some(false),
            Self::Reported => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "pass",
            Self::Miss => "MISS",
            Self::NotMeasurable => "not measurable",
            Self::Reported => "reported",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEADY: [f64; 7] = [10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0];
    const TWICE: [f64; 7] = [20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0];

    #[test]
    fn each_budget_looks_at_the_ratio_from_its_own_side() {
        assert_eq!(Budget::Faster(2.0).judge(&STEADY, &TWICE), Verdict::Pass);
        assert_eq!(Budget::Faster(2.1).judge(&STEADY, &TWICE), Verdict::Miss);
        assert_eq!(Budget::Rate(2.0).judge(&TWICE, &STEADY), Verdict::Pass);
        assert_eq!(Budget::Rate(0.6).judge(&STEADY, &TWICE), Verdict::Miss);
        assert_eq!(Budget::Cost(2.0).judge(&TWICE, &STEADY), Verdict::Pass);
        assert_eq!(Budget::Cost(1.9).judge(&TWICE, &STEADY), Verdict::Miss);
        assert_eq!(Budget::Within(10.0).judge(&STEADY, &[]), Verdict::Pass);
        assert_eq!(Budget::Within(9.0).judge(&STEADY, &TWICE), Verdict::Miss);
    }

    #[test]
    fn what_is_spread_too_far_does_not_pass() {
        let wild = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        assert_eq!(Budget::Cost(100.0).judge(&wild, &STEADY), Verdict::NotMeasurable);
        assert_eq!(Verdict::NotMeasurable.pass(), Some(false));
        assert_eq!(Budget::Reported.judge(&wild, &STEADY), Verdict::Reported);
    }

    #[test]
    fn what_slows_both_alike_is_no_spread() {
        let slower = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0];
        let half: Vec<f64> = slower.iter().map(|value| value / 2.0).collect();
        assert_eq!(Budget::Cost(2.0).judge(&slower, &half), Verdict::Pass);
    }

    #[test]
    fn a_budget_is_told_with_its_unit() {
        assert_eq!(Budget::Within(60.0).words("ms"), "≤ 60 ms");
        assert_eq!(Budget::Rate(0.55).words("req/s"), "≥ 0.55 ×");
    }
}
