//! Columns of text for a person.

/// Rows under a heading, each column as wide as its widest cell; `nothing` when there is no row.
pub(crate) fn table<const N: usize>(heading: [&str; N], rows: &[[String; N]], nothing: &str) -> String {
    if rows.is_empty() {
        return nothing.to_owned();
    }
    let heading = heading.map(str::to_owned);
    let mut widths = [0; N];
    for row in std::iter::once(&heading).chain(rows) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let shown: Vec<String> = std::iter::once(&heading).chain(rows).map(|row| pad(row, &widths)).collect();
    shown.join("\n")
}

fn pad(row: &[String], widths: &[usize]) -> String {
    let cells: Vec<String> = row
        .iter()
        .zip(widths)
        .map(|(cell, width)| format!("{cell}{}", " ".repeat(width.saturating_sub(cell.chars().count()))))
        .collect();
    cells.join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["ä".to_owned(), "2".to_owned()], ["long".to_owned(), "3".to_owned()]];
        assert_eq!(table(["ID", "N"], &rows, "none"), "ID    N\nä     2\nlong  3");
        assert_eq!(table(["ID", "N"], &[], "none"), "none");
    }
}
