//! A few proposals together: each read whole, all of them approved or declined with one press.

use std::collections::HashSet;

use countersign_app::proposal::view::ProposalView;
use maud::{Markup, html};

use super::approval::can_decide;
use crate::frame::{self, Page, Scene, Section};
use crate::part::diff::{self, Layout};
use crate::part::field::csrf;
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Kind, notice};
use crate::part::text::{count, visible};
use crate::part::{badge, button};

/// The whole page.
pub fn page(scene: &Scene<'_>, views: &[ProposalView], live: &str) -> Markup {
    let open: Vec<&ProposalView> = views.iter().filter(|view| can_decide(view)).collect();
    let main = html! {
        div.head {
            nav.crumb aria-label="Where" { a href="/approvals" { "Approvals" } span { "/" } span { "Together" } }
            h1 { (count(views.len(), "proposal")) " together" }
        }
        div.review {
            div.body { @for (at, view) in views.iter().enumerate() { (one(view, at)) } }
            aside.rail { (decision(scene, views, &open)) }
        }
    };
    let page = Page { title: "Decide together", section: Section::Approvals, live, bar: false, wide: true };
    frame::app(scene, &page, &main)
}

fn one(view: &ProposalView, at: usize) -> Markup {
    let row = &view.row;
    html! {
        section.stack.tight aria-label={ "Proposal " (at + 1) ": " (row.title) } {
            section.card {
                header {
                    h2 { a.plain href={ "/approvals/" (row.id) } { (visible(&row.title)) } }
                    span.push { (badge::proposal(row.state)) }
                }
                div.pad.stack.tight {
                    div.facts {
                        span { (icon(Icon::Agent)) (visible(&row.agent)) " for " (visible(&row.owner)) }
                        span { (icon(Icon::Book)) (visible(&row.repository)) }
                        span { (icon(Icon::Branch)) code { (visible(&row.branch)) } }
                        span { (icon(Icon::File)) (count(row.files, "file")) }
                    }
                    p.message { (visible(&view.message)) }
                    @if let Some(why) = view.refused.as_ref().or(view.unreadable.as_ref()) { p.small.wrong { (why) } }
                }
            }
            (diff::files_of(&format!("p{}-", at + 1), &view.files, Layout::Unified))
        }
    }
}

fn decision(scene: &Scene<'_>, views: &[ProposalView], open: &[&ProposalView]) -> Markup {
    let readable: Vec<&ProposalView> =
        open.iter().copied().filter(|view| view.unreadable.is_none()).collect();
    html! {
        section.card aria-label="Decision" {
            header { h2 { "Decision" } }
            div.pad.stack {
                @if open.is_empty() {
                    p.soft { "None of them waits for you any more." }
                    (button::link(button::Tone::Plain, "/approvals", &html! { "Back to the queue" }))
                } @else {
                    @if open.len() < views.len() {
                        p.small.soft { (count(open.len(), "proposal")) " of " (views.len()) " can still be decided by you." }
                    }
                    @if on_one_branch(&readable) {
                        (notice(Kind::Moved, "Some are on the same branch", &html! { "They are approved from top to bottom. The first one moves the branch, and the others from the same base become stale." }))
                    }
                    @if !readable.is_empty() {
                        form method="post" action="/approvals/several/approve" {
                            (csrf(&scene.viewer.csrf))
                            (hidden(&readable))
                            button.button.approve.large.full type="submit" data-key="a" { (icon(Icon::Check)) "Approve " (readable.len()) }
                        }
                    }
                    (decline(scene, open))
                }
            }
        }
    }
}

fn decline(scene: &Scene<'_>, open: &[&ProposalView]) -> Markup {
    html! {
        details.fold data-key="d" {
            summary.button.full { (icon(Icon::Cross)) "Decline " (open.len()) "…" }
            form.form.below method="post" action="/approvals/several/decline" {
                (csrf(&scene.viewer.csrf))
                (hidden(open))
                div.field {
                    label for="reason" { "Reason" }
                    textarea.input #reason name="reason" required maxlength="2000" {}
                    p.hint { "Every agent among them reads it and can propose anew." }
                }
                button.button.danger.full type="submit" { "Decline " (open.len()) }
            }
        }
    }
}

fn hidden(views: &[&ProposalView]) -> Markup {
    html! { @for view in views { input type="hidden" name="id" value=(view.row.id); } }
}

/// Whether two of them would move the same branch.
fn on_one_branch(views: &[&ProposalView]) -> bool {
    let mut seen = HashSet::new();
    !views.iter().all(|view| seen.insert((view.repository_id, &view.row.branch)))
}
