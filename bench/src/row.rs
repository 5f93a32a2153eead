//! One row of the results, and the table that a person reads.

pub(crate) mod append;
pub(crate) mod approval;
pub(crate) mod call;
pub(crate) mod discovery;
pub(crate) mod gate;
pub(crate) mod page;
pub(crate) mod queue;
pub(crate) mod start;
pub(crate) mod transfer;

use std::path::Path;

use serde::Serialize;

use crate::budget::{Budget, Verdict};
use crate::failure::Failure;
use crate::statistic::median;

/// What was measured of one thing.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// What it is.
    pub(crate) name: String,
    /// The unit of both figures.
    pub(crate) unit: &'static str,
    /// Ours, a figure a round.
    pub(crate) ours: Vec<f64>,
    /// The baseline's, of the same rounds; none when the budget is absolute.
    pub(crate) baseline: Vec<f64>,
    /// What it is held to.
    pub(crate) budget: Budget,
    /// The baseline's name, and what else one must know to read the figures.
    pub(crate) conditions: String,
}

/// A row as it stands in `bench/results.json`.
#[derive(Debug, Serialize)]
struct Written {
    name: String,
    ours: f64,
    baseline: Option<f64>,
    ratio: Option<f64>,
    budget: String,
    pass: Option<bool>,
    unit: &'static str,
    conditions: String,
}

impl Row {
    fn verdict(&self) -> Verdict {
        self.budget.judge(&self.ours, &self.baseline)
    }

    fn written(&self) -> Written {
        let spread = 100.0 * self.budget.spread(&self.ours, &self.baseline);
        let rounds = self.ours.len();
        let unmeasurable = if self.verdict() == Verdict::NotMeasurable { ": not measurable" } else { "" };
        Written {
            name: self.name.clone(),
            ours: rounded(median(&self.ours)),
            baseline: (!self.baseline.is_empty()).then(|| rounded(median(&self.baseline))),
            ratio: self.budget.ratio(&self.ours, &self.baseline).map(rounded),
            budget: self.budget.words(self.unit),
            pass: self.verdict().pass(),
            unit: self.unit,
            conditions: format!(
                "{}; median of {rounds} rounds in turns, spread {spread:.0} %{unmeasurable}",
                self.conditions
            ),
        }
    }
}

/// Three significant digits: more would be noise.
fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// The table.
pub(crate) fn table(rows: &[Row]) -> String {
    let head = ["what", "ours", "baseline", "ratio", "budget", "verdict", "spread"].map(str::to_owned);
    let lines: Vec<[String; 7]> = std::iter::once(head).chain(rows.iter().map(cells)).collect();
    let width =
        |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..7).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let padded = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        text.push_str(padded.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn cells(row: &Row) -> [String; 7] {
    let written = row.written();
    let figure =
        |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value} {}", row.unit));
    [
        written.name,
        figure(Some(written.ours)),
        figure(written.baseline),
        written.ratio.map_or_else(|| "–".to_owned(), |ratio| ratio.to_string()),
        written.budget,
        row.verdict().to_string(),
        format!("{:.0} %", 100.0 * row.budget.spread(&row.ours, &row.baseline)),
    ]
}

/// Writes the rows to `path`, as JSON.
pub(crate) fn write(path: &Path, rows: &[Row]) -> Result<(), Failure> {
    let written: Vec<Written> = rows.iter().map(Row::written).collect();
    let mut text =
        serde_json::to_string_pretty(&written).map_err(Failure::while_doing("write the results"))?;
    text.push('\n');
    std::fs::write(path, text).map_err(Failure::while_doing("write the results"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ours: &[f64], baseline: &[f64], budget: Budget) -> Row {
        Row {
            name: "a call".to_owned(),
            unit: "µs",
            ours: ours.to_vec(),
            baseline: baseline.to_vec(),
            budget,
            conditions: "against nobody".to_owned(),
        }
    }

    #[test]
    fn a_row_is_written_with_the_fields_that_readers_expect() {
        let row = row(&[61.2345, 60.0, 62.0], &[40.0, 40.0, 40.0], Budget::Cost(2.0));
        let written = serde_json::to_value(row.written()).unwrap();
        assert_eq!(
            written,
            serde_json::json!({
                "name": "a call", "ours": 61.2, "baseline": 40.0, "ratio": 1.53, "budget": "≤ 2 ×", "pass": true,
                "unit": "µs", "conditions": "against nobody; median of 3 rounds in turns, spread 3 %"
            })
        );
    }

    #[test]
    fn an_absolute_budget_has_no_baseline_and_no_ratio() {
        let written = row(&[40.0], &[], Budget::Within(50.0)).written();
        assert_eq!((written.baseline, written.ratio, written.pass), (None, None, Some(true)));
    }

    #[test]
    fn the_table_has_a_line_a_row_and_says_the_verdict() {
        let rows = [row(&[9.0], &[1.0], Budget::Cost(2.0)), row(&[1.0], &[9.0], Budget::Cost(2.0))];
        let table = table(&rows);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[1].contains("MISS") && lines[2].contains("pass"), "{table}");
    }
}
