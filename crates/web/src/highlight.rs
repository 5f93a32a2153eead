//! Colours for code, line by line: linear in the text, without regular expressions, never failing.
//!
//! What is proposed comes from agents; a page renders it for a person. So the lexer is small,
//! reads each character once, and at worst colours something wrongly (`docs/decisions/05`).

mod language;
mod lexer;
mod markdown;
mod markup;

pub use language::Language;
pub use lexer::Highlighter;

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Nothing special.
    Plain,
    /// A remark.
    Comment,
    /// A word of the language.
    Keyword,
    /// Quoted text.
    Quoted,
    /// A number.
    Number,
    /// The name of a type.
    Type,
    /// Something called.
    Call,
    /// A key, a tag, an attribute, a mark of Markdown.
    Mark,
    /// A heading.
    Heading,
}

impl Token {
    /// The class in the stylesheet.
    pub const fn class(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Comment => Some("c-c"),
            Self::Keyword => Some("c-k"),
            Self::Quoted => Some("c-s"),
            Self::Number => Some("c-n"),
            Self::Type => Some("c-t"),
            Self::Call => Some("c-f"),
            Self::Mark => Some("c-m"),
            Self::Heading => Some("c-h"),
        }
    }
}

/// A stretch of one line, in bytes. The spans of a line are in order and do not overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its first byte.
    pub from: usize,
    /// The byte after its last.
    pub to: usize,
    /// What it is.
    pub token: Token,
}
