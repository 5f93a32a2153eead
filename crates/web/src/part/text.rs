//! Text that others wrote: escaped, and with nothing in it that hides or reorders what a reviewer sees.

pub use countersign_core::text::count;
use countersign_core::text::is_deceptive;
use maud::{Markup, html};

/// The text with every invisible or direction-turning character shown by its number (UAX #9, UTS #39 §5.4).
pub fn visible(text: &str) -> Markup {
    html! {
        @for piece in pieces(text) {
            @match piece {
                Piece::Plain(plain) => (plain),
                Piece::Hidden(c) => (ghost(c)),
            }
        }
    }
}

/// The name of a file or folder: also what is layout elsewhere is shown by its number.
pub fn name(text: &str) -> Markup {
    html! {
        @for (at, piece) in text.split_inclusive(['\t', '\n']).enumerate() {
            @let last = piece.chars().next_back().filter(|c| matches!(c, '\t' | '\n'));
            @let plain = piece.trim_end_matches(['\t', '\n']);
            @if at > 0 || !plain.is_empty() { (visible(plain)) }
            @if let Some(c) = last { (ghost(c)) }
        }
    }
}

/// One hidden character, made visible.
fn ghost(c: char) -> Markup {
    let number = format!("U+{:04X}", u32::from(c));
    html! { span.ghost title={ "Hidden character " (number) } { (number) } }
}

enum Piece<'a> {
    Plain(&'a str),
    Hidden(char),
}

/// Whether a character is shown by its number. Tabs and line breaks are layout.
const fn is_hidden(c: char) -> bool {
    !matches!(c, '\t' | '\n') && is_deceptive(c)
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut from = 0;
    for (at, c) in text.char_indices().filter(|(_, c)| is_hidden(*c)) {
        if from < at {
            out.push(Piece::Plain(&text[from..at]));
        }
        out.push(Piece::Hidden(c));
        from = at + c.len_utf8();
    }
    if from < text.len() {
        out.push(Piece::Plain(&text[from..]));
    }
    out
}

/// Whether the text holds anything that is shown by its number.
pub fn hides_something(text: &str) -> bool {
    text.chars().any(is_hidden)
}

/// The first ten digits of a commit id, with all of them for programs.
pub fn oid(oid: &str) -> Markup {
    html! { code title=(oid) { (short(oid)) } }
}

/// The first ten digits of a commit id.
pub fn short(oid: &str) -> &str {
    oid.get(..10).unwrap_or(oid)
}

/// The letters that stand for a name in a small circle.
pub fn initials(name: &str) -> String {
    let mut letters = name.split_whitespace().filter_map(|word| word.chars().find(|c| c.is_alphanumeric()));
    let first = letters.next();
    let last = letters.next_back();
    first.into_iter().chain(last).flat_map(char::to_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_the_reading_direction_is_shown_by_its_number() {
        let shown = visible("if (admin\u{202e} // check\u{2066}) <b>").into_string();
        assert!(shown.contains("U+202E") && shown.contains("U+2066"), "{shown}");
        assert!(!shown.contains('\u{202e}') && shown.contains("&lt;b&gt;"), "{shown}");
    }

    #[test]
    fn a_name_hides_no_line_break() {
        let shown = name("a\nb\tc\u{202e}.txt").into_string();
        assert_eq!(shown.matches("class=\"ghost\"").count(), 3, "{shown}");
        assert!(!shown.contains('\n') && shown.contains("U+000A"), "{shown}");
        assert_eq!(name("plain name").into_string(), "plain name");
    }

    #[test]
    fn tabs_and_line_breaks_stay_layout() {
        assert_eq!(visible("a\tb\nc").into_string(), "a\tb\nc");
        assert!(!hides_something("a\tb\nc") && hides_something("a\r\n"));
    }

    #[test]
    fn initials_come_from_the_first_and_the_last_name() {
        assert_eq!(initials("Ada Augusta Lovelace"), "AL");
        assert_eq!(initials("plato"), "P");
        assert_eq!(initials(""), "");
    }
}
