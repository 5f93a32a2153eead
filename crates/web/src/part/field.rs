//! Fields of forms: label, input, hint; what was wrong stands beside the field that it concerns.

use maud::{Markup, html};

/// What a text field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Any text.
    Text,
    /// A mail address.
    Mail,
    /// The address of something on the web.
    Url,
    /// The password that one has.
    Password,
    /// A password to be.
    NewPassword,
    /// A day.
    Day,
}

/// Whether a field must be filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It must.
    Required,
    /// It may stay empty.
    Optional,
    /// It is shown and stays as it is.
    Fixed,
}

/// A text field before it is rendered.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// Its name in the form.
    pub name: &'a str,
    /// Its id on the page.
    pub id: &'a str,
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
    /// Whether it must be filled in.
    pub need: Need,
}

impl<'a> Field<'a> {
    /// A field with nothing in it.
    pub const fn new(name: &'a str, label: &'a str, takes: Takes) -> Self {
        let autocomplete = match takes {
            Takes::Text | Takes::Url | Takes::Day => "off",
            Takes::Mail => "username",
            Takes::Password => "current-password",
            Takes::NewPassword => "new-password",
        };
        let (value, hint, wrong, limit, need) = ("", "", None, 200, Need::Required);
        Self { name, id: name, label, takes, value, hint, wrong, limit, autocomplete, need }
    }

    /// Gives it an id of its own, where another form of the page has a field of this name.
    #[must_use]
    pub const fn id(mut self, id: &'a str) -> Self {
        self.id = id;
        self
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

    /// Bounds its characters.
    #[must_use]
    pub const fn limit(mut self, limit: u16) -> Self {
        self.limit = limit;
        self
    }

    /// Lets the browser fill it.
    #[must_use]
    pub const fn autocomplete(mut self, autocomplete: &'a str) -> Self {
        self.autocomplete = autocomplete;
        self
    }

    /// Lets it stay empty.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.need = Need::Optional;
        self
    }

    /// Keeps what stands in it.
    #[must_use]
    pub const fn fixed(mut self) -> Self {
        self.need = Need::Fixed;
        self
    }

    /// Label, input, hint.
    pub fn render(&self) -> Markup {
        html! {
            div.field {
                label for=(self.id) { (self.label) }
                (self.input())
                (below(self.id, self.hint, self.wrong))
            }
        }
    }

    /// The input with fixed words before it.
    pub fn render_after(&self, before: &str) -> Markup {
        html! {
            div.field {
                label for=(self.id) { (self.label) }
                div.prefixed { span aria-hidden="true" { (before) } (self.input()) }
                (below(self.id, self.hint, self.wrong))
            }
        }
    }

    fn input(&self) -> Markup {
        let kind = match self.takes {
            Takes::Text => "text",
            Takes::Mail => "email",
            Takes::Url => "url",
            Takes::Password | Takes::NewPassword => "password",
            Takes::Day => "date",
        };
        let least = (self.takes == Takes::NewPassword).then_some("12");
        let described = described(self.id, self.hint, self.wrong);
        html! {
            input.input id=(self.id) name=(self.name) type=(kind) value=[(!self.value.is_empty()).then_some(self.value)]
                maxlength=(self.limit) minlength=[least] autocomplete=(self.autocomplete) required[self.need == Need::Required] readonly[self.need == Need::Fixed]
                spellcheck="false" autocapitalize="none" aria-invalid=[self.wrong.map(|_| "true")] aria-describedby=[described];
        }
    }
}

/// The id of the sentence below a field, where there is one.
pub(super) fn described(id: &str, hint: &str, wrong: Option<&str>) -> Option<String> {
    (!hint.is_empty() || wrong.is_some()).then(|| format!("{id}-about"))
}

/// The sentence below a field: what was wrong, else the hint.
pub(super) fn below(id: &str, hint: &str, wrong: Option<&str>) -> Markup {
    html! {
        @if let Some(wrong) = wrong {
            p.wrong role="alert" id={ (id) "-about" } { (wrong) }
        } @else if !hint.is_empty() {
            p.hint id={ (id) "-about" } { (hint) }
        }
    }
}

/// The token that every unsafe form of a session repeats.
pub fn csrf(token: &str) -> Markup {
    html! { input type="hidden" name="csrf" value=(token); }
}
