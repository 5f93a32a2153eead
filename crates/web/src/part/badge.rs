//! A state in one word and one colour; the word alone is enough.

use countersign_app::connection::view::{ConnectionState, Outcome};
use countersign_core::proposal::ProposalState;
use maud::{Markup, html};

/// Where a proposal stands.
pub fn proposal(state: ProposalState) -> Markup {
    let (class, word) = match state {
        ProposalState::Pending => ("waits", "Pending"),
        ProposalState::Executing => ("works", "Applying"),
        ProposalState::Executed => ("good", "Committed"),
        ProposalState::Stale => ("moved", "Stale"),
        ProposalState::Failed => ("bad", "Failed"),
        ProposalState::Declined => ("bad", "Declined"),
        ProposalState::Withdrawn => ("off", "Withdrawn"),
        ProposalState::Expired => ("off", "Expired"),
    };
    badge(class, word)
}

/// Where a connection stands.
pub fn connection(state: ConnectionState) -> Markup {
    match state {
        ConnectionState::Pending => badge("waits", "Not connected yet"),
        ConnectionState::Active => badge("good", "Active"),
        ConnectionState::Revoked => badge("off", "Revoked"),
    }
}

/// How a call ended.
pub fn outcome(outcome: Outcome) -> Markup {
    match outcome {
        Outcome::Done => badge("good", "Done"),
        Outcome::Refused => badge("bad", "Refused"),
        Outcome::Cancelled => badge("off", "Cancelled"),
    }
}

/// One word in one colour.
pub fn badge(class: &str, word: &str) -> Markup {
    html! { span class={ "state " (class) } { (word) } }
}
