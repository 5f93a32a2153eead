//! A line to take elsewhere, with a Copy button. Without a script it can still be selected.

use maud::{Markup, html};

use super::icon::{Icon, icon};

/// One line or block of text and the button that copies it. `id` is unique on the page.
pub fn line(id: &str, text: &str) -> Markup {
    html! {
        div.copyline {
            code id=(id) tabindex="0" { (text) }
            (button(id, "Copy"))
        }
    }
}

/// The button alone, for text that stands elsewhere under `id`.
pub fn button(id: &str, label: &str) -> Markup {
    html! {
        button.button.quiet type="button" data-copy=(id) {
            span.todo { (icon(Icon::Copy)) (label) }
            span.done role="status" { (icon(Icon::Check)) "Copied" }
        }
    }
}
