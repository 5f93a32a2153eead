//! Which part of a changed line changed: what is left when the common beginning and end are taken off.

use std::ops::Range;

/// The stretches of the old and the new line that differ; nothing when the lines have too little in common.
pub(super) fn differing(old: &str, new: &str) -> Option<(Range<usize>, Range<usize>)> {
    let before = whole_word(old, new, equal(old.chars(), new.chars()));
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let after = word_end(old_rest, new_rest, equal(old_rest.chars().rev(), new_rest.chars().rev()));
    let kept = old[..before].trim().len() + old_rest[old_rest.len() - after..].trim().len();
    let enough = kept * 3 >= old.trim().len().max(new.trim().len());
    enough.then(|| (before..old.len() - after, before..new.len() - after))
}

/// How many bytes are equal from the start.
fn equal(old: impl Iterator<Item = char>, new: impl Iterator<Item = char>) -> usize {
    old.zip(new).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

const fn of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Steps back to where a word begins, so that no half of one is marked.
fn whole_word(old: &str, new: &str, at: usize) -> usize {
    if !old[at..].starts_with(of_word) && !new[at..].starts_with(of_word) {
        return at;
    }
    at - old[..at].chars().rev().take_while(|c| of_word(*c)).count()
}

/// Steps on to where a word ends.
fn word_end(old: &str, new: &str, after: usize) -> usize {
    let ends_in_word = |text: &str| text[..text.len() - after].ends_with(of_word);
    if !ends_in_word(old) && !ends_in_word(new) {
        return after;
    }
    after - old[old.len() - after..].chars().take_while(|c| of_word(*c)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(old: &str, new: &str) -> Option<(String, String)> {
        differing(old, new).map(|(a, b)| (old[a].to_owned(), new[b].to_owned()))
    }

    #[test]
    fn the_words_that_differ_are_found() {
        assert_eq!(marked("let limit = 50;", "let limit = 500;"), Some(("50".into(), "500".into())));
        assert_eq!(marked("say(hello)", "say(hello, name)"), Some((String::new(), ", name".into())));
        assert_eq!(marked("grün ist ä", "grün ist ö"), Some(("ä".into(), "ö".into())));
    }

    #[test]
    fn lines_with_little_in_common_are_not_marked() {
        assert_eq!(marked("return nothing;", "let everything = call(of, many, arguments);"), None);
    }
}
