//! What became of a proposal, above its message: landed, stale and what moved, failed and why.

use countersign_app::proposal::view::{Moved, ProposalView};
use countersign_core::proposal::ProposalState;
use maud::{Markup, html};

use crate::frame::Scene;
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Kind, notice};
use crate::part::text::{count, oid, visible};
use crate::part::time::time;

/// The notice of an ended or failed proposal; nothing for one that simply waits.
pub(super) fn standing(scene: &Scene<'_>, view: &ProposalView) -> Markup {
    let reason = view.decision.as_ref().and_then(|decision| decision.reason.as_deref());
    match view.row.state {
        ProposalState::Pending | ProposalState::Executing | ProposalState::Declined => html! {},
        ProposalState::Executed => notice(
            Kind::Good,
            "It is in the repository",
            &html! { "One commit on " code { (visible(&view.row.branch)) } @if let Some(commit) = &view.commit_oid { ": " (oid(commit)) } "." },
        ),
        ProposalState::Stale => stale(scene, view),
        ProposalState::Failed => notice(
            Kind::Bad,
            "It did not work, and nothing changed",
            &html! { @if let Some(reason) = reason { (visible(reason)) " " } "You can approve it again or decline it." },
        ),
        ProposalState::Withdrawn => notice(
            Kind::Plain,
            "It was withdrawn",
            &html! { @if let Some(reason) = reason { (visible(reason)) } @else { "The agent took it back." } },
        ),
        ProposalState::Expired => {
            notice(Kind::Plain, "Nobody decided in time", &html! { "The agent can propose anew." })
        }
    }
}

fn stale(scene: &Scene<'_>, view: &ProposalView) -> Markup {
    let heading = "The branch moved after this was proposed";
    let branch = &view.row.branch;
    let Some(moved) = &view.moved else {
        return notice(
            Kind::Moved,
            heading,
            &html! { "What you would approve is no longer what is there. The agent can read again and propose anew." },
        );
    };
    html! {
        div.stack {
            (notice(Kind::Moved, heading, &html! {
                code { (visible(branch)) } " was at " (oid(&view.base_oid)) " and is now at " (oid(&moved.head_oid))
                ". Nothing was committed. The agent can read again and propose anew."
            }))
            (what_moved(scene, view, moved))
        }
    }
}

fn what_moved(scene: &Scene<'_>, view: &ProposalView, moved: &Moved) -> Markup {
    html! {
        section.card aria-label="What moved" {
            header { h2 { "What moved" } span.faint.small { (count(moved.commits.len(), "commit")) @if moved.more { " and more" } } }
            ul.list {
                @for commit in &moved.commits {
                    li {
                        span.faint { (icon(Icon::Commit)) }
                        div.what {
                            a.name.cover href={ "/repositories/" (view.repository_id) "/commits/" (commit.oid) } { (visible(&commit.title)) }
                            div.facts { span { (visible(&commit.author)) } span { (time(commit.at, scene.now)) } }
                        }
                        div.trail { (oid(&commit.oid)) }
                    }
                }
            }
            @if !moved.paths.is_empty() {
                div.pad.small.changed {
                    @for path in &moved.paths {
                        @let both = view.files.iter().any(|file| &file.path == path);
                        p { code { (visible(path)) } @if both { " " span.tag { "also in this proposal" } } }
                    }
                }
            }
        }
    }
}
