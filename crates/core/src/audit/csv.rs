//! Cells of comma-separated values (RFC 4180) for a spreadsheet that must not take a stranger's text for a formula.

/// What a spreadsheet may begin a formula with, also behind blanks: the signs, their full-width forms, tab and line
/// breaks, which some programs drop first.
const fn begins_formula(c: char) -> bool {
    matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '\t' | '\r' | '\n')
}

/// A line of cells, with its line ending.
pub fn line<'c>(cells: impl IntoIterator<Item = &'c str>) -> String {
    let cells: Vec<String> = cells.into_iter().map(cell).collect();
    cells.join(",") + "\r\n"
}

/// A cell, always in quotes. Text that could be a formula gets an apostrophe before it, by which spreadsheets know
/// text.
fn cell(text: &str) -> String {
    let first = text.chars().find(|c| *c != ' ');
    let guard = if first.is_some_and(begins_formula) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_begins_a_formula() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1"] {
            let told = cell(formula);
            assert!(told.starts_with("\"'"), "{formula:?}: {told}");
        }
        assert_eq!(cell("plain = text"), "\"plain = text\"");
        assert_eq!(cell(""), "\"\"");
    }

    #[test]
    fn quotes_commas_and_lines_stay_in_their_cell() {
        assert_eq!(
            line(["a,b", "say \"hi\"", "two\nlines"]),
            "\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n"
        );
    }
}
