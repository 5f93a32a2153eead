//! The content of a proposed file: bounded text, and what a reviewer should be told about it.

use super::fold;
use super::path::Rule;
use super::submodules;
use crate::text::is_deceptive;

/// The longest content in characters.
pub const MOST_CHARACTERS: usize = 100_000;
/// The longest line of `.gitattributes`; from 2,048 bytes on, `git fsck` refuses it.
const MOST_ATTRIBUTE_BYTES: usize = 2000;

/// Holds one content against the rules; the path decides which special rules there are.
pub fn check_content(path: &str, content: &str) -> Result<(), Rule> {
    if content.contains('\0') {
        return Err(Rule::Nul);
    }
    if content.chars().count() > MOST_CHARACTERS {
        return Err(Rule::TooLarge);
    }
    match fold::key(path.rsplit('/').next().unwrap_or_default()).as_str() {
        ".gitattributes" if content.split('\n').any(|line| line.len() > MOST_ATTRIBUTE_BYTES) => {
            Err(Rule::LongAttribute)
        }
        ".gitmodules" if !submodules::is_plain(content) => Err(Rule::Submodules),
        _ => Ok(()),
    }
}

/// A character that a reviewer does not see, or sees in another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Its line, counted from one.
    pub line: usize,
    /// The character.
    pub character: char,
}

/// The first `most` hidden characters of a content, for a warning beside its diff.
pub fn hidden_characters(content: &str, most: usize) -> Vec<Hidden> {
    let is_hidden = |c: &char| is_deceptive(*c) && !matches!(c, '\t' | '\r');
    let in_line = |(line, text): (usize, &str)| {
        let hidden: Vec<char> = text.chars().filter(is_hidden).collect();
        hidden.into_iter().map(move |character| Hidden { line: line + 1, character })
    };
    content.split('\n').enumerate().flat_map(in_line).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_taken_as_it_comes_and_nul_is_not_text() {
        assert_eq!(check_content("a.txt", "a\r\nb\t\u{202e}c"), Ok(()));
        assert_eq!(check_content("a.txt", "a\0b"), Err(Rule::Nul));
    }

    #[test]
    fn length_is_counted_in_characters() {
        assert_eq!(check_content("a", &"é".repeat(MOST_CHARACTERS)), Ok(()));
        assert_eq!(check_content("a", &"é".repeat(MOST_CHARACTERS + 1)), Err(Rule::TooLarge));
    }

    #[test]
    fn attributes_that_git_would_refuse_are_refused_first() {
        let long = format!("*.txt {}", "a".repeat(MOST_ATTRIBUTE_BYTES));
        assert_eq!(check_content("docs/.GitAttributes", &long), Err(Rule::LongAttribute));
        assert_eq!(check_content("docs/attributes", &long), Ok(()));
    }

    #[test]
    fn a_reviewer_is_told_where_something_is_hidden() {
        let found = hidden_characters("plain\nif (x\u{202e}) {\u{200b}\n\ttab\r\n", 10);
        let wanted = [Hidden { line: 2, character: '\u{202e}' }, Hidden { line: 2, character: '\u{200b}' }];
        assert_eq!(found, wanted);
        assert_eq!(hidden_characters("\u{200b}\n\u{200b}", 1).len(), 1);
    }
}
