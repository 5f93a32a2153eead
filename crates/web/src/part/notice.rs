//! A paragraph that must not be missed, with its picture; and a `Problem` in that form.

use countersign_core::problem::Problem;
use maud::{Markup, html};

use super::icon::{Icon, icon};

/// What kind of news it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It went well.
    Good,
    /// Be careful.
    Warn,
    /// It did not work.
    Bad,
    /// The ground moved.
    Moved,
    /// To know.
    Plain,
}

impl Kind {
    const fn class(self) -> &'static str {
        match self {
            Self::Good => "notice good",
            Self::Warn => "notice warn",
            Self::Bad => "notice bad",
            Self::Moved => "notice moved",
            Self::Plain => "notice",
        }
    }

    const fn picture(self) -> Icon {
        match self {
            Self::Good => Icon::Check,
            Self::Warn | Self::Bad => Icon::Alert,
            Self::Moved => Icon::Moved,
            Self::Plain => Icon::Shield,
        }
    }
}

/// A heading and what follows it.
pub fn notice(kind: Kind, heading: &str, rest: &Markup) -> Markup {
    html! {
        div class=(kind.class()) {
            (icon(kind.picture()))
            div { b { (heading) } div.soft { (rest) } }
        }
    }
}

/// A refusal above the form that it concerns: sentence, next action, code.
pub fn problem(problem: &Problem) -> Markup {
    html! {
        div class=(Kind::Bad.class()) role="alert" {
            (icon(Icon::Alert))
            div {
                b { (problem.message) }
                div.soft { (problem.next_action_of_people()) }
                code.small.faint { (problem.code.as_str()) }
            }
        }
    }
}
