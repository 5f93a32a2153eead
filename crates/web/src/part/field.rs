//! Fields of forms: label, input, hint; what was wrong stands beside the field that it concerns.

use maud::{Markup, html};

/// What a text field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Any text.
    Text,
    /// A mail address.
    Mail,
    /// The password that one has.
    Password,
    /// A password to be.
    NewPassword,
}

/// A text field before it is rendered.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// Its name in the form; its id too.
    pub name: &'a str,
    /// The words beside it.
    pub label: &'a str,
    /// What it takes.
    pub takes: Takes,
    /// What stands in it.
    pub value: &'a str,
    /// A sentence below it.
    pub hint: &'a str,
    /// What was wrong with it.
    pub wrong: Option<&'a str>,
    /// The most characters it takes.
    pub limit: u16,
    /// How a browser fills it.
    pub autocomplete: &'a str,
}

impl<'a> Field<'a> {
    /// A field with nothing in it.
    pub const fn new(name: &'a str, label: &'a str, takes: Takes) -> Self {
        let autocomplete = match takes {
            Takes::Text => "off",
            Takes::Mail => "username",
            Takes::Password => "current-password",
            Takes::NewPassword => "new-password",
        };
        Self { name, label, takes, value: "", hint: "", wrong: None, limit: 200, autocomplete }
    }

    /// Puts a value in it.
    #[must_use]
    pub const fn value(mut self, value: &'a str) -> Self {
        self.value = value;
        self
    }

    /// Puts a sentence below it.
    #[must_use]
    pub const fn hint(mut self, hint: &'a str) -> Self {
        self.hint = hint;
        self
    }

    /// Says what was wrong with it.
    #[must_use]
    pub const fn wrong(mut self, wrong: Option<&'a str>) -> Self {
        self.wrong = wrong;
        self
    }

    /// Lets the browser fill it.
    #[must_use]
    pub const fn autocomplete(mut self, autocomplete: &'a str) -> Self {
        self.autocomplete = autocomplete;
        self
    }

    /// Label, input, hint.
    pub fn render(&self) -> Markup {
        html! {
            div.field {
                label for=(self.name) { (self.label) }
                (self.input())
                (self.below())
            }
        }
    }

    /// The input with fixed words before it.
    pub fn render_after(&self, before: &str) -> Markup {
        html! {
            div.field {
                label for=(self.name) { (self.label) }
                div.prefixed { span aria-hidden="true" { (before) } (self.input()) }
                (self.below())
            }
        }
    }

    fn input(&self) -> Markup {
        let kind = match self.takes {
            Takes::Text => "text",
            Takes::Mail => "email",
            Takes::Password | Takes::NewPassword => "password",
        };
        let least = (self.takes == Takes::NewPassword).then_some("12");
        let described =
            (!self.hint.is_empty() || self.wrong.is_some()).then(|| format!("{}-about", self.name));
        html! {
            input.input id=(self.name) name=(self.name) type=(kind) value=[(!self.value.is_empty()).then_some(self.value)]
                maxlength=(self.limit) minlength=[least] autocomplete=(self.autocomplete) required
                spellcheck="false" autocapitalize="none" aria-invalid=[self.wrong.map(|_| "true")] aria-describedby=[described];
        }
    }

    fn below(&self) -> Markup {
        html! {
            @if let Some(wrong) = self.wrong {
                p.wrong role="alert" id={ (self.name) "-about" } { (wrong) }
            } @else if !self.hint.is_empty() {
                p.hint id={ (self.name) "-about" } { (self.hint) }
            }
        }
    }
}

/// The token that every unsafe form of a session repeats.
pub fn csrf(token: &str) -> Markup {
    html! { input type="hidden" name="csrf" value=(token); }
}
