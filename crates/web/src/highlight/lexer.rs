//! The lexer of code: one pass over a line, with what is open carried to the next.

use super::language::{Grammar, Language, Quote};
use super::{Span, Token, markdown, markup};

/// The longest line that is coloured, in bytes; longer ones are data, not code.
const LONGEST: usize = 4_000;

/// What a line leaves open for the next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Open {
    Nothing,
    Block,
    Quote(&'static Quote),
    /// A fenced block of Markdown.
    Fence,
    /// Inside the brackets of a tag.
    Tag,
}

/// Colours the lines of one side of a file, in order.
#[derive(Debug)]
pub struct Highlighter {
    language: Option<&'static Language>,
    open: Open,
}

impl Highlighter {
    /// Begins at a place where nothing is open.
    pub const fn new(language: Option<&'static Language>) -> Self {
        Self { language, open: Open::Nothing }
    }

    /// The spans of the next line; what is in none of them is plain.
    pub fn line(&mut self, text: &str) -> Vec<Span> {
        let Some(language) = self.language.filter(|_| text.len() <= LONGEST) else {
            return Vec::new();
        };
        let mut line = Line { text, at: 0, spans: Vec::new(), language, open: self.open };
        match language.grammar {
            Grammar::Code => line.code(None),
            Grammar::Keyed(sign) => line.code(Some(sign)),
            Grammar::Markup => markup::line(&mut line),
            Grammar::Markdown => markdown::line(&mut line),
        }
        self.open = line.open;
        line.spans
    }
}

/// A line under the lexer.
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) spans: Vec<Span>,
    pub(super) language: &'static Language,
    pub(super) open: Open,
}

impl<'a> Line<'a> {
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Takes `bytes` bytes as one token.
    pub(super) fn take(&mut self, bytes: usize, token: Token) {
        let to = self.at + bytes;
        if token != Token::Plain && bytes > 0 {
            self.spans.push(Span { from: self.at, to, token });
        }
        self.at = to;
    }

    /// Takes up to and with `close`, or the whole rest; whether it was there.
    pub(super) fn take_until(&mut self, close: &str, token: Token) -> bool {
        let end = self.rest().find(close).map(|at| at + close.len());
        self.take(end.unwrap_or(self.rest().len()), token);
        end.is_some()
    }

    fn code(&mut self, key_sign: Option<char>) {
        while !self.rest().is_empty() {
            match self.open {
                Open::Block => self.go_on_in_block(),
                Open::Quote(quote) => self.go_on_in_quote(quote, 0, key_sign),
                Open::Nothing | Open::Fence | Open::Tag => self.next(key_sign),
            }
        }
        if let Open::Quote(quote) = self.open
            && !quote.spans_lines
        {
            self.open = Open::Nothing;
        }
    }

    pub(super) fn go_on_in_block(&mut self) {
        let close = self.language.block.map_or("", |(_, close)| close);
        if self.take_until(close, Token::Comment) {
            self.open = Open::Nothing;
        }
    }

    /// Takes quoted text from here; the first `skip` bytes are its opening.
    fn go_on_in_quote(&mut self, quote: &'static Quote, skip: usize, key_sign: Option<char>) {
        let rest = self.rest();
        let end = closing(&rest[skip..], quote).map(|at| skip + at);
        let after = end.map_or("", |end| &rest[end..]);
        let is_key = key_sign.is_some_and(|sign| after.trim_start().starts_with(sign));
        self.take(end.unwrap_or(rest.len()), if is_key { Token::Mark } else { Token::Quoted });
        self.open = if end.is_none() && quote.spans_lines { Open::Quote(quote) } else { Open::Nothing };
    }

    fn next(&mut self, key_sign: Option<char>) {
        let rest = self.rest();
        if self.remark_begins(rest) {
            return self.take(rest.len(), Token::Comment);
        }
        if let Some((open, _)) = self.language.block.filter(|(open, _)| rest.starts_with(open)) {
            self.take(open.len(), Token::Comment);
            self.open = Open::Block;
            return;
        }
        if let Some(quote) = self.quote_begins(rest) {
            return self.go_on_in_quote(quote, quote.open.len(), key_sign);
        }
        let Some(first) = rest.chars().next() else { return };
        if first.is_ascii_digit() {
            let len = run(rest, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
            self.take(len, Token::Number);
        } else if first.is_alphabetic() || first == '_' || (first == '@' && key_sign.is_none()) {
            self.word(rest, key_sign);
        } else {
            self.take(first.len_utf8(), Token::Plain);
        }
    }

    /// A remark begins here; `#` and `;` only where a word could.
    fn remark_begins(&self, rest: &str) -> bool {
        let after_gap = self.text[..self.at].chars().next_back().is_none_or(char::is_whitespace);
        self.language.remarks.iter().any(|remark| rest.starts_with(remark) && (remark.len() > 1 || after_gap))
    }

    fn quote_begins(&self, rest: &str) -> Option<&'static Quote> {
        let quote = self.language.quotes.iter().find(|quote| rest.starts_with(quote.open))?;
        let in_word = self.text[..self.at].chars().next_back().is_some_and(char::is_alphanumeric);
        if in_word && (quote.open == "'" || quote.open.starts_with('r')) {
            return None;
        }
        if self.language.lifetimes && quote.open == "'" {
            let mut after = rest.chars().skip(1);
            let is_char = after.next() == Some('\\') || after.next() == Some('\'');
            return is_char.then_some(quote);
        }
        Some(quote)
    }

    fn word(&mut self, rest: &str, key_sign: Option<char>) {
        let dashes = key_sign.is_some();
        let len = 1.max(run(rest, |c| {
            c.is_alphanumeric() || c == '_' || c == '@' || (dashes && matches!(c, '-' | '.'))
        }));
        let (word, after) = rest.split_at(len);
        let token = if self.language.words.contains(&word) {
            Token::Keyword
        } else if key_sign.is_some_and(|sign| after.trim_start().starts_with(sign)) || word.starts_with('@') {
            Token::Mark
        } else if self.language.capital_types && word.starts_with(char::is_uppercase) {
            Token::Type
        } else if key_sign.is_none() && (after.starts_with('(') || after.starts_with("!(")) {
            Token::Call
        } else {
            Token::Plain
        };
        self.take(len, token);
    }
}

/// How many bytes from the start hold.
pub(super) fn run(text: &str, holds: impl Fn(char) -> bool) -> usize {
    text.find(|c| !holds(c)).unwrap_or(text.len())
}

/// The byte after the closing sign.
fn closing(text: &str, quote: &Quote) -> Option<usize> {
    let mut skip = false;
    for (at, c) in text.char_indices() {
        if skip {
            skip = false;
        } else if quote.escapes && c == '\\' {
            skip = true;
        } else if text[at..].starts_with(quote.close) {
            return Some(at + quote.close.len());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn marked(path: &str, lines: &[&str]) -> Vec<String> {
        let mut side = Highlighter::new(Language::of_path(path));
        lines
            .iter()
            .map(|text| {
                let parts: Vec<String> = side
                    .line(text)
                    .iter()
                    .map(|s| format!("{:?}:{}", s.token, &text[s.from..s.to]))
                    .collect();
                parts.join(" ")
            })
            .collect()
    }

    #[test]
    fn a_line_of_rust_is_told_apart() {
        let line = marked("a.rs", &["pub fn two<'a>(x: &'a Name) -> u8 { call('\\'', \"a\\\"b\") } // why"]);
        assert_eq!(
            line[0],
            "Keyword:pub Keyword:fn Type:Name Keyword:u8 Call:call Quoted:'\\'' Quoted:\"a\\\"b\" Comment:// why"
        );
    }

    #[test]
    fn what_is_open_goes_on_in_the_next_line() {
        assert_eq!(
            marked("a.js", &["a /* b", "c */ let"]),
            ["Comment:/* Comment: b", "Comment:c */ Keyword:let"]
        );
        assert_eq!(marked("a.py", &["\"\"\"a", "b\"\"\" 1"]), ["Quoted:\"\"\"a", "Quoted:b\"\"\" Number:1"]);
        assert_eq!(marked("a.c", &["'a", "int"]), ["Quoted:'a", "Keyword:int"]);
    }

    #[test]
    fn keys_are_told_from_values() {
        assert_eq!(marked("a.json", &["\"a\": \"b\","]), ["Mark:\"a\" Quoted:\"b\""]);
        assert_eq!(marked("a.toml", &["a-b = true # c"]), ["Mark:a-b Keyword:true Comment:# c"]);
        assert_eq!(marked("a.yml", &["on: \"x#y\""]), ["Keyword:on Quoted:\"x#y\""]);
    }

    proptest! {
        #[test]
        fn spans_are_in_order_and_on_character_borders(
            ending in prop::sample::select(vec!["rs", "py", "ts", "go", "c", "sh", "rb", "sql", "json", "yml", "toml", "css", "html", "md", "txt"]),
            lines in prop::collection::vec("[ -~\"'`/*#<>!=:é😀\\\\]{0,40}", 0..6),
        ) {
            let mut side = Highlighter::new(Language::of_path(&format!("a.{ending}")));
            for text in &lines {
                let mut last = 0;
                for span in side.line(text) {
                    prop_assert!(last <= span.from && span.from < span.to && span.to <= text.len());
                    prop_assert!(text.is_char_boundary(span.from) && text.is_char_boundary(span.to));
                    last = span.to;
                }
            }
        }
    }
}
