//! One's own settings: who one is here, what opens the account, and where it is open.

mod passkeys;
mod password;
mod sessions;

use countersign_app::passkey::view::PasskeyView;
use countersign_app::session::view::OpenSession;
use countersign_core::problem::Problem;
use maud::{Markup, html};

use crate::frame::{self, Page, Scene, Section};
use crate::part::button::{Tone, link};
use crate::part::notice::{Kind, notice};
use crate::part::text::visible;
use crate::part::wrong::above;

/// What the page shows.
#[derive(Debug)]
pub struct Settings<'a> {
    /// The passkeys, where browsers have them at the public address.
    pub passkeys: Option<&'a [PasskeyView]>,
    /// Where the person is signed in.
    pub sessions: &'a [OpenSession],
    /// Whether the sudo window is open.
    pub sudo: Sudo,
    /// What was done just now.
    pub done: Option<Done>,
    /// What was refused just now.
    pub problem: Option<&'a Problem>,
}

/// Whether the person has proved who they are a short while ago.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sudo {
    /// They have: what opens the account can be changed.
    Open,
    /// They have not: they are asked first.
    Closed,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// A passkey was added.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
    /// The password was changed.
    PasswordChanged,
    /// The other sessions ended.
    SignedOutElsewhere,
}

impl Done {
    const ALL: [Self; 4] =
        [Self::PasskeyAdded, Self::PasskeyRemoved, Self::PasswordChanged, Self::SignedOutElsewhere];

    /// The word in the address.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::PasskeyAdded => "passkey-added",
            Self::PasskeyRemoved => "passkey-removed",
            Self::PasswordChanged => "password-changed",
            Self::SignedOutElsewhere => "signed-out-elsewhere",
        }
    }

    /// Reads the word in the address.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|done| done.word() == word)
    }

    const fn sentences(self) -> (&'static str, &'static str) {
        match self {
            Self::PasskeyAdded => {
                ("The passkey is added", "From now on you can sign in with it, without a name.")
            }
            Self::PasskeyRemoved => (
                "The passkey is removed",
                "It opens nothing here any more. Remove it from your device or provider too.",
            ),
            Self::PasswordChanged => (
                "The password is changed",
                "Every other browser was signed out. Tokens and assistants go on.",
            ),
            Self::SignedOutElsewhere => (
                "You are signed out elsewhere",
                "Only this browser is signed in. Tokens and assistants go on.",
            ),
        }
    }
}

/// The whole page.
pub fn page(scene: &Scene<'_>, settings: &Settings<'_>, live: &str) -> Markup {
    let main = html! {
        div.head {
            h1 { "Settings" }
            p.lead { "Your account. Light and dark follow your system." }
        }
        @if let Some(done) = settings.done {
            @let (heading, sentence) = done.sentences();
            div role="status" { (notice(Kind::Good, heading, &html! { (sentence) })) }
        }
        @if let Some(problem) = settings.problem { (above(problem, &["name", "password"])) }
        (profile(scene))
        (passkeys::section(scene, settings))
        (password::section(scene, settings))
        (sessions::section(scene, settings.sessions))
        (tokens())
    };
    let page = Page { title: "Settings", section: Section::Elsewhere, live, bar: false, wide: false };
    frame::app(scene, &page, &main)
}

fn tokens() -> Markup {
    html! {
        section.card aria-label="Tokens" {
            div.pad.row.apart {
                div { h2 { "Tokens" } p.small.soft { "For Git and the REST API: what programs of yours sign in with." } }
                (link(Tone::Plain, "/tokens", &html! { "Your tokens" }))
            }
        }
    }
}

fn profile(scene: &Scene<'_>) -> Markup {
    let viewer = scene.viewer;
    html! {
        section.card aria-label="Profile" {
            header { h2 { "Profile" } }
            dl.terms.pad {
                dt { "Name" } dd { (visible(&viewer.name)) }
                dt { "Mail address" } dd { (visible(&viewer.mail)) }
                dt { "Workspace" } dd { (visible(&viewer.workspace_name)) " · " (viewer.role.as_str()) }
            }
        }
    }
}
