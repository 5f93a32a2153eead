//! The middle of a series and how far it is spread: pure.

/// The middle value; of an even count the mean of the two in the middle, of none not a number.
pub(crate) fn median(values: &[f64]) -> f64 {
    middle(&sorted(values))
}

/// The distance of the quartiles as a share of the median. A quartile is the median of the values below, or
/// above, the middle one: of seven rounds the second and the sixth.
pub(crate) fn spread(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let half = sorted.len() / 2;
    if half == 0 {
        return 0.0;
    }
    (middle(&sorted[sorted.len() - half..]) - middle(&sorted[..half])) / middle(&sorted)
}

/// Round by round, what the first is of the second.
pub(crate) fn ratios(of: &[f64], to: &[f64]) -> Vec<f64> {
    of.iter().zip(to).map(|(of, to)| of / to).collect()
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn middle(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    match (sorted.get(half), sorted.len() % 2) {
        (None, _) => f64::NAN,
        (Some(value), 1) => *value,
        (Some(value), _) => f64::midpoint(*value, sorted[half - 1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_whatever_the_order() {
        assert!((median(&[9.0, 1.0, 5.0]) - 5.0).abs() < 1e-9);
        assert!((median(&[4.0, 1.0, 2.0, 8.0]) - 3.0).abs() < 1e-9);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn the_spread_leaves_out_one_outlier_at_each_end_of_seven() {
        assert!((spread(&[100.0, 10.0, 10.0, 9.0, 11.0, 10.0, 1.0]) - 0.2).abs() < 1e-9);
        assert!(spread(&[10.0]).abs() < 1e-9);
    }

    #[test]
    fn ratios_pair_the_rounds() {
        let pairs = ratios(&[2.0, 9.0], &[1.0, 3.0]);
        assert!((pairs[0] - 2.0).abs() < 1e-9 && (pairs[1] - 3.0).abs() < 1e-9);
    }
}
