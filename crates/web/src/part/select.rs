//! A field with one of several values. Where one of them is empty, nothing need be chosen.

use maud::{Markup, html};

use super::field::{below, described};

/// The field before it is rendered.
#[derive(Clone, Debug)]
pub struct Select<'a> {
    /// Its name in the form.
    pub name: &'a str,
    /// Its id on the page.
    pub id: &'a str,
    /// The words beside it.
    pub label: &'a str,
    /// What can be chosen: each value with its words.
    pub options: Vec<(String, String)>,
    /// The value that is chosen.
    pub chosen: &'a str,
    /// A sentence below it.
    pub hint: &'a str,
    /// What was wrong with it.
    pub wrong: Option<&'a str>,
}

impl Select<'_> {
    /// Label, choice, hint.
    pub fn render(&self) -> Markup {
        let required = self.options.iter().all(|(value, _)| !value.is_empty());
        html! {
            div.field {
                label for=(self.id) { (self.label) }
                select.input id=(self.id) name=(self.name) required[required] aria-invalid=[self.wrong.map(|_| "true")] aria-describedby=[described(self.id, self.hint, self.wrong)] {
                    @for (value, words) in &self.options { option value=(value) selected[value == self.chosen] { (words) } }
                }
                (below(self.id, self.hint, self.wrong))
            }
        }
    }
}
