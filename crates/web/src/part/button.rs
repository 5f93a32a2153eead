//! Buttons and links that look like buttons.

use maud::{Markup, html};

/// How much a button asks for attention, and of which kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The one thing to do here.
    Primary,
    /// Yes to a change of a repository.
    Approve,
    /// Ends something for good.
    Danger,
    /// One of several.
    Plain,
    /// There when looked for.
    Quiet,
}

impl Tone {
    const fn class(self) -> &'static str {
        match self {
            Self::Primary => "button primary",
            Self::Approve => "button approve",
            Self::Danger => "button danger",
            Self::Plain => "button",
            Self::Quiet => "button quiet",
        }
    }
}

/// A button that sends its form.
pub fn submit(tone: Tone, label: &Markup) -> Markup {
    html! { button class=(tone.class()) type="submit" { (label) } }
}

/// The wide button at the end of a form.
pub fn submit_full(tone: Tone, label: &str) -> Markup {
    html! { button class={ (tone.class()) " large full" } type="submit" { (label) } }
}

/// A link that looks like a button.
pub fn link(tone: Tone, href: &str, label: &Markup) -> Markup {
    html! { a class=(tone.class()) href=(href) { (label) } }
}
