//! What happened to a proposal so far, oldest first.

use countersign_app::proposal::view::ProposalView;
use countersign_core::proposal::ProposalState;
use countersign_core::time::Timestamp;
use maud::{Markup, html};

use crate::frame::Scene;
use crate::part::badge;
use crate::part::text::visible;
use crate::part::time::time;

/// The card; the page and the live stream render it.
pub fn history(scene: &Scene<'_>, view: &ProposalView) -> Markup {
    html! {
        section.card #history aria-label="History" {
            header { h2 { "History" } }
            ol.past.pad {
                (step(scene, view.row.created_at, &html! { "Proposed by " (visible(&view.row.agent)) }))
                @if let Some((verb, by, at)) = decided(view) {
                    (step(scene, at, &html! { (verb) " by " (visible(by)) }))
                }
                @if let Some(at) = ended(view) { (step(scene, at, &badge::proposal(view.row.state))) }
            }
        }
    }
}

fn step(scene: &Scene<'_>, at: Timestamp, what: &Markup) -> Markup {
    html! { li { div { (what) } span.faint.small { (time(at, scene.now)) } } }
}

/// What a person decided, who, and when. Where time or a revoke ended it, an earlier try says nothing any more.
fn decided(view: &ProposalView) -> Option<(&'static str, &str, Timestamp)> {
    let decision = view.decision.as_ref()?;
    let verb = match view.row.state {
        ProposalState::Declined => "Declined",
        ProposalState::Executing | ProposalState::Executed | ProposalState::Stale | ProposalState::Failed => {
            "Approved"
        }
        ProposalState::Pending | ProposalState::Withdrawn | ProposalState::Expired => return None,
    };
    Some((verb, decision.by.as_deref()?, decision.at))
}

/// When it ended by something else than the decision itself.
fn ended(view: &ProposalView) -> Option<Timestamp> {
    match view.row.state {
        ProposalState::Pending | ProposalState::Executing | ProposalState::Declined => None,
        ProposalState::Executed
        | ProposalState::Stale
        | ProposalState::Failed
        | ProposalState::Withdrawn
        | ProposalState::Expired => view.row.ended_at,
    }
}
