//! Text on a terminal: colour for who wants it, and others' text made harmless.

use countersign_core::text::is_deceptive;

/// Whether colours are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// With SGR sequences (ECMA-48 §8.3.117).
    Colour,
    /// Without.
    Plain,
}

/// What a text means, from which its colour follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As it should be.
    Good,
    /// Waits, or wants a look.
    Waiting,
    /// Wrong or refused.
    Bad,
    /// A heading.
    Strong,
    /// Beside the point.
    Faint,
}

impl Paint {
    /// `text` in the colour of its tone.
    pub(crate) fn on(self, tone: Tone, text: &str) -> String {
        let number = match tone {
            Tone::Good => "32",
            Tone::Waiting => "33",
            Tone::Bad => "31",
            Tone::Strong => "1",
            Tone::Faint => "2",
        };
        match self {
            Self::Colour => format!("\u{1b}[{number}m{text}\u{1b}[0m"),
            Self::Plain => text.to_owned(),
        }
    }
}

/// Others' text in one line: what steers a terminal or hides itself is shown as `\u{…}`.
pub(crate) fn line(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut shown, c| {
        if is_deceptive(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
        shown
    })
}

/// Others' text in several lines, tabs kept. A carriage return is shown too: it is part of what is reviewed.
pub(crate) fn lines(text: &str) -> String {
    let kept: Vec<String> =
        each_line(text).map(|part| part.split('\t').map(line).collect::<Vec<_>>().join("\t")).collect();
    kept.join("\n")
}

/// The lines of a text. `str::lines` would take a carriage return at the end of one for layout.
pub(crate) fn each_line(text: &str) -> impl Iterator<Item = &str> {
    text.split_terminator('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_cannot_steer_the_terminal() {
        assert_eq!(line("a\u{1b}[2Jb\u{202e}c\n"), "a\\u{1b}[2Jb\\u{202e}c\\u{a}");
        assert_eq!(lines("a\tb\nc\u{7}\n"), "a\tb\nc\\u{7}");
        assert_eq!(lines("a\r\nb\rc"), "a\\u{d}\nb\\u{d}c");
    }

    #[test]
    fn colour_is_for_who_wants_it() {
        assert_eq!(Paint::Plain.on(Tone::Bad, "x"), "x");
        assert_eq!(Paint::Colour.on(Tone::Bad, "x"), "\u{1b}[31mx\u{1b}[0m");
    }
}
