//! A number of bytes in words.

/// `0 B`, `999 B`, `1.2 KB`, `34 MB`: powers of 1,000, two digits.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KB", "MB", "GB", "TB", "PB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let (mut tenths, mut unit) = (bytes / 100, 0);
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        (tenths, unit) = (tenths / 1000, unit + 1);
    }
    let unit = UNITS[unit];
    if tenths < 100 {
        format!("{}.{} {unit}", tenths / 10, tenths % 10)
    } else {
        format!("{} {unit}", tenths / 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_said_in_two_digits_or_three() {
        for (bytes, words) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 KB"),
            (12_345, "12 KB"),
            (999_999, "999 KB"),
            (1_000_000, "1.0 MB"),
            (7_300_000_000, "7.3 GB"),
            (u64::MAX, "18446 PB"),
        ] {
            assert_eq!(size(bytes), words);
        }
    }
}
