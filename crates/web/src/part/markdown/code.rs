//! A block of code in Markdown, coloured by what its fence says.

use maud::{Markup, html};
use pulldown_cmark::CodeBlockKind;

use crate::highlight::{Highlighter, Language};
use crate::part::code::painted;

/// The block.
pub(super) fn block(kind: &CodeBlockKind<'_>, text: &str) -> Markup {
    let language = match kind {
        CodeBlockKind::Fenced(word) => word.split([' ', ',', '{']).next().and_then(Language::of_word),
        CodeBlockKind::Indented => None,
    };
    let mut highlighter = Highlighter::new(language);
    html! {
        pre tabindex="0" { code {
            @for line in text.lines() { (painted(line, &highlighter.line(line), &[])) "\n" }
        } }
    }
}
