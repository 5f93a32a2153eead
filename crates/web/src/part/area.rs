//! A field with one entry a line.

use maud::{Markup, html};

use super::field::{below, described};

/// The field before it is rendered.
#[derive(Clone, Copy, Debug)]
pub struct Area<'a> {
    /// Its name in the form; its id too.
    pub name: &'a str,
    /// The words above it.
    pub label: &'a str,
    /// What stands in it.
    pub value: &'a str,
    /// A sentence below it.
    pub hint: &'a str,
    /// What was wrong with it.
    pub wrong: Option<&'a str>,
}

impl Area<'_> {
    /// Label, text, hint.
    pub fn render(&self) -> Markup {
        html! {
            div.field {
                label for=(self.name) { (self.label) }
                // A browser drops the first line break.
                textarea.input id=(self.name) name=(self.name) rows="3" spellcheck="false" autocapitalize="none"
                    aria-invalid=[self.wrong.map(|_| "true")] aria-describedby=[described(self.name, self.hint, self.wrong)] { "\n" (self.value) }
                (below(self.name, self.hint, self.wrong))
            }
        }
    }
}
