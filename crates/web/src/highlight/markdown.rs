//! The lexer of Markdown: headings, fences, code, emphasis, links; no nesting.

use super::Token;
use super::lexer::{Line, Open, run};

/// Colours one line.
pub(super) fn line(line: &mut Line<'_>) {
    let trimmed = line.rest().trim_start();
    let is_fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
    if let Open::Fence = line.open {
        let token = if is_fence { Token::Mark } else { Token::Quoted };
        line.take(line.rest().len(), token);
        line.open = if is_fence { Open::Nothing } else { Open::Fence };
        return;
    }
    if let Open::Nothing = line.open {
        if is_fence {
            line.take(line.rest().len(), Token::Mark);
            line.open = Open::Fence;
            return;
        }
        if trimmed.starts_with('#') && trimmed.trim_start_matches('#').starts_with(' ') {
            return line.take(line.rest().len(), Token::Heading);
        }
        lead(line);
    }
    while !line.rest().is_empty() {
        match line.open {
            Open::Block => line.go_on_in_block(),
            Open::Nothing | Open::Quote(_) | Open::Fence | Open::Tag => inline(line),
        }
    }
}

/// The sign of a quotation or of a list item.
fn lead(line: &mut Line<'_>) {
    let rest = line.rest();
    line.take(run(rest, |c| c == ' '), Token::Plain);
    let rest = line.rest();
    let digits = run(rest, |c| c.is_ascii_digit());
    let numbered = digits > 0 && rest[digits..].starts_with(". ");
    if numbered {
        line.take(digits + 1, Token::Mark);
    } else if rest.starts_with("> ")
        || rest.starts_with("- ")
        || rest.starts_with("* ")
        || rest.starts_with("+ ")
    {
        line.take(1, Token::Mark);
    }
}

fn inline(line: &mut Line<'_>) {
    let rest = line.rest();
    if rest.starts_with("<!--") {
        line.take(4, Token::Comment);
        line.open = Open::Block;
        return;
    }
    for (sign, token) in [("`", Token::Quoted), ("**", Token::Keyword), ("__", Token::Keyword)] {
        if let Some(end) = rest.strip_prefix(sign).and_then(|inner| inner.find(sign)).filter(|end| *end > 0) {
            return line.take(end + 2 * sign.len(), token);
        }
    }
    if let Some(target) = rest.strip_prefix("](").and_then(|inner| inner.find(')')) {
        line.take(2, Token::Plain);
        return line.take(target, Token::Mark);
    }
    let first = rest.chars().next().map_or(0, char::len_utf8);
    line.take(first, Token::Plain);
}

#[cfg(test)]
mod tests {
    use crate::highlight::{Highlighter, Language, Token};

    #[test]
    fn headings_fences_and_code_are_told_apart() {
        let mut side = Highlighter::new(Language::of_path("a.md"));
        let mut tokens = |text: &str| side.line(text).iter().map(|span| span.token).collect::<Vec<_>>();
        assert_eq!(tokens("## Two"), [Token::Heading]);
        assert_eq!(tokens("- a `b` **c** [d](e)"), [Token::Mark, Token::Quoted, Token::Keyword, Token::Mark]);
        assert_eq!(tokens("```sh"), [Token::Mark]);
        assert_eq!(tokens("# not a heading"), [Token::Quoted]);
        assert_eq!(tokens("```"), [Token::Mark]);
        assert_eq!(tokens("#nor this"), []);
    }
}
