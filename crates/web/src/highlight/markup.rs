//! The lexer of HTML and XML: comments, tags, attributes, quoted values.

use super::Token;
use super::lexer::{Line, Open, run};

/// Colours one line.
pub(super) fn line(line: &mut Line<'_>) {
    while !line.rest().is_empty() {
        match line.open {
            Open::Block => line.go_on_in_block(),
            Open::Tag => in_tag(line),
            Open::Nothing | Open::Quote(_) | Open::Fence => between(line),
        }
    }
}

fn between(line: &mut Line<'_>) {
    let rest = line.rest();
    if rest.starts_with("<!--") {
        line.take(4, Token::Comment);
        line.open = Open::Block;
    } else if let Some(inner) = rest.strip_prefix('<') {
        let name = inner.starts_with(|c: char| c.is_alphabetic() || matches!(c, '/' | '!' | '?'));
        let len = 1 + run(inner, |c| c.is_alphanumeric() || matches!(c, '/' | '!' | '?' | '-' | ':'));
        line.take(if name { len } else { 1 }, if name { Token::Keyword } else { Token::Plain });
        if name {
            line.open = Open::Tag;
        }
    } else {
        line.take(rest.find('<').unwrap_or(rest.len()), Token::Plain);
    }
}

fn in_tag(line: &mut Line<'_>) {
    let rest = line.rest();
    let Some(first) = rest.chars().next() else { return };
    match first {
        '>' => {
            line.take(1, Token::Keyword);
            line.open = Open::Nothing;
        }
        '"' | '\'' => {
            let end = rest[1..].find(first).map_or(rest.len(), |at| at + 2);
            line.take(end, Token::Quoted);
        }
        c if c.is_alphabetic() => {
            let len = run(rest, |c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '@'));
            line.take(len, Token::Mark);
        }
        '/' | '?' => line.take(1, Token::Keyword),
        c => line.take(c.len_utf8(), Token::Plain),
    }
}

#[cfg(test)]
mod tests {
    use crate::highlight::{Highlighter, Language, Token};

    #[test]
    fn tags_attributes_and_values_are_told_apart() {
        let mut side = Highlighter::new(Language::of_path("a.html"));
        let mut tokens = |text: &str| side.line(text).iter().map(|span| span.token).collect::<Vec<_>>();
        assert_eq!(
            tokens("<a href=\"x\">5 < 6</a>"),
            [Token::Keyword, Token::Mark, Token::Quoted, Token::Keyword, Token::Keyword, Token::Keyword]
        );
        assert_eq!(tokens("<!-- a"), [Token::Comment, Token::Comment]);
        assert_eq!(tokens("b -->"), [Token::Comment]);
    }
}
