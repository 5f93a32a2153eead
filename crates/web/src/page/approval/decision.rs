//! The card that decides: Approve, Decline with a reason, or what was decided.

use countersign_app::proposal::view::ProposalView;
use countersign_core::proposal::ProposalState;
use maud::{Markup, html};

use crate::frame::Scene;
use crate::part::badge;
use crate::part::field::csrf;
use crate::part::icon::{Icon, icon};
use crate::part::text::{oid, visible};
use crate::part::time::time;

/// The card; the page and the live stream render it.
pub fn decision(scene: &Scene<'_>, view: &ProposalView) -> Markup {
    html! {
        section.card #decision aria-label="Decision" {
            @if view.row.state.is_open() { (open(scene, view)) } @else { (ended(scene, view)) }
        }
    }
}

fn open(scene: &Scene<'_>, view: &ProposalView) -> Markup {
    html! {
        header { h2 { "Decision" } span.push.small.faint { "expires " (time(view.row.expires_at, scene.now)) } }
        div.pad.stack {
            @if let Some(refused) = &view.refused {
                p.soft { (refused) }
            } @else if view.unreadable.is_some() {
                (decline(scene, view))
            } @else {
                p.small.soft {
                    "Approving makes one commit on " code { (visible(&view.row.branch)) } ", signed by this server, with you as its committer. "
                    "It is refused if the branch has moved since."
                }
                form #approve method="post" action={ "/approvals/" (view.row.id) "/approve" } {
                    (csrf(&scene.viewer.csrf))
                    button.button.approve.large.full #approve-it type="submit" data-key="a" { (icon(Icon::Check)) "Approve" }
                }
                (decline(scene, view))
            }
        }
    }
}

fn decline(scene: &Scene<'_>, view: &ProposalView) -> Markup {
    html! {
        details.fold #decline data-key="d" {
            summary.button.full { (icon(Icon::Cross)) "Decline…" }
            form.form.below method="post" action={ "/approvals/" (view.row.id) "/decline" } {
                (csrf(&scene.viewer.csrf))
                div.field {
                    label for="reason" { "Reason" }
                    textarea.input #reason name="reason" required maxlength="2000" {}
                    p.hint { "The agent reads it and can propose anew." }
                }
                button.button.danger.full type="submit" { "Decline" }
            }
        }
    }
}

fn ended(scene: &Scene<'_>, view: &ProposalView) -> Markup {
    html! {
        header { h2 { "Decision" } span.push { (badge::proposal(view.row.state)) } }
        div.pad.stack {
            @if view.row.state == ProposalState::Executing {
                p.soft { "The commit is being made. This page tells when it is done." }
            }
            @if let Some(decision) = &view.decision {
                dl.terms.down {
                    @if let Some(by) = &decision.by { dt { "By" } dd { (visible(by)) } }
                    dt { "When" } dd { (time(decision.at, scene.now)) }
                    @if let Some(reason) = &decision.reason { dt { "Reason" } dd.message { (visible(reason)) } }
                }
            }
            @if let (ProposalState::Executed, Some(commit)) = (view.row.state, &view.commit_oid) {
                a.button.full href={ "/repositories/" (view.repository_id) "/commits/" (commit) } { (icon(Icon::Commit)) (oid(commit)) }
            }
        }
    }
}
