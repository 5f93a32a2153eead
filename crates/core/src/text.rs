//! Text that others wrote, made safe for names, headers and terminals.

use std::fmt::Display;

/// Whether `c` is invisible, turns the writing direction, or steers a terminal.
///
/// Controls (Unicode `Cc`), bidirectional controls (UAX #9), zero-width characters and
/// other default-ignorable code points that can hide or reorder what a reviewer sees.
pub const fn is_deceptive(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Text for a line on a terminal or in a log: what is deceptive is spelled out, `\u{9b}`.
pub fn spelled_out(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_deceptive(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}

/// A person's or a client's name as it may stand in a commit header or on a page:
/// without `<`, `>` and deceptive characters, single spaces, at most `limit` characters.
pub fn clean_name(text: &str, limit: usize) -> String {
    let kept: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !is_deceptive(*c) && !matches!(c, '<' | '>'))
        .collect();
    let words: Vec<&str> = kept.split(' ').filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(limit).collect::<String>().trim_end().to_owned()
}

/// `1 file`, `2 files`, `3 entries`, `4 branches`: how many there are, with the noun as that many take it.
pub fn count<N: Copy + Display + PartialEq + From<u8>>(number: N, one: &str) -> String {
    match one.strip_suffix('y') {
        _ if number == N::from(1) => format!("1 {one}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{number} {stem}ies"),
        _ if one.ends_with("ch") => format!("{number} {one}es"),
        _ => format!("{number} {one}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_something_is_told_in_the_singular_alone() {
        let told = |number: u64| ["file", "repository", "branch", "day"].map(|one| count(number, one));
        assert_eq!(told(1), ["1 file", "1 repository", "1 branch", "1 day"]);
        assert_eq!(told(0), ["0 files", "0 repositories", "0 branches", "0 days"]);
        assert_eq!(told(2), ["2 files", "2 repositories", "2 branches", "2 days"]);
    }

    #[test]
    fn a_name_cannot_close_its_own_header() {
        assert_eq!(clean_name("Eve <root@x>\n\u{202e}evil", 64), "Eve root@x evil");
        assert_eq!(clean_name("\u{200b}\u{feff}", 64), "");
    }
}
