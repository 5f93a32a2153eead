//! One proposal: what was frozen, what it changes, and the decision.

mod decision;
mod history;
mod moved;

use countersign_app::proposal::view::{ProposalView, Reach};
use maud::{Markup, html};

use crate::frame::{self, Page, Scene, Section};
use crate::part::diff::{self, Layout};
use crate::part::icon::{Icon, icon};
use crate::part::text::{count, hides_something, oid, visible};
use crate::part::time::time;
use crate::part::{badge, notice};

pub use decision::decision;
pub use history::history;

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &ProposalView, look: (Layout, Reach), live: &str) -> Markup {
    let main = html! {
        (head(scene, view))
        div.review {
            div.body {
                (standing(scene, view))
                section.card aria-label="Message" {
                    header { h2 { "Commit message" } }
                    p.pad.message { (visible(&view.message)) }
                }
                (files(view, look))
            }
            aside.rail {
                (decision(scene, view))
                (facts(view))
                (history(scene, view))
                p.keys {
                    span { kbd { "j" } kbd { "k" } "next, previous" }
                    @if can_decide(view) {
                        @if view.unreadable.is_none() { span { kbd { "a" } kbd { "Enter" } "approve" } }
                        span { kbd { "d" } "decline" }
                    }
                }
            }
        }
        (bar(view))
    };
    let page =
        Page { title: &view.row.title, section: Section::Approvals, live, bar: can_decide(view), wide: true };
    frame::app(scene, &page, &main)
}

pub(super) fn can_decide(view: &ProposalView) -> bool {
    view.row.state.is_open() && view.refused.is_none()
}

/// The two buttons at the foot of a phone; the live stream renders them too.
pub fn bar(view: &ProposalView) -> Markup {
    html! {
        div #bar {
            @if can_decide(view) {
                div.decide-bar {
                    a.button href="#decline" { "Decline…" }
                    @if view.unreadable.is_none() {
                        button.button.approve type="submit" form="approve" { "Approve" }
                    }
                }
            }
        }
    }
}

fn head(scene: &Scene<'_>, view: &ProposalView) -> Markup {
    html! {
        div.head {
            div.row.apart {
                nav.crumb aria-label="Where" { a href="/approvals" { "Approvals" } span { "/" } span { (visible(&view.row.repository)) } }
                (neighbours(view))
            }
            h1 { (visible(&view.row.title)) }
            div.facts {
                (state(view))
                span { (icon(Icon::Agent)) a href={ "/connected/" (view.connection) } { (visible(&view.row.agent)) } " for " (visible(&view.row.owner)) }
                span { (icon(Icon::Branch)) code { (visible(&view.row.branch)) } }
                span { (icon(Icon::Clock)) "proposed " (time(view.row.created_at, scene.now)) }
            }
        }
    }
}

/// The state beside the title; the live stream renders it too.
pub fn state(view: &ProposalView) -> Markup {
    html! { span #state { (badge::proposal(view.row.state)) } }
}

fn neighbours(view: &ProposalView) -> Markup {
    html! {
        span.joined {
            @if let Some(previous) = view.previous {
                a.button rel="prev" data-step="-1" href={ "/approvals/" (previous) } { "Previous" }
            }
            @if let Some(next) = view.next {
                a.button rel="next" data-step="1" href={ "/approvals/" (next) } { "Next" }
            }
        }
    }
}

/// What became of it; the live stream renders it too.
pub fn standing(scene: &Scene<'_>, view: &ProposalView) -> Markup {
    html! { div #standing aria-live="polite" { (moved::standing(scene, view)) } }
}

fn files(view: &ProposalView, (layout, reach): (Layout, Reach)) -> Markup {
    let hidden = view.files.iter().any(|file| hides_something(&file.path));
    html! {
        section.stack.tight aria-label="Files" {
            div.row.apart {
                h2 { (count(view.row.files, "file")) " against base " (oid(&view.base_oid)) }
                div.row {
                    span.joined {
                        (choice("Changes", (layout, Reach::Changes), reach == Reach::Changes))
                        (choice("Whole files", (layout, Reach::Whole), reach == Reach::Whole))
                    }
                    span.joined {
                        (choice("Unified", (Layout::Unified, reach), layout == Layout::Unified))
                        (choice("Split", (Layout::Split, reach), layout == Layout::Split))
                    }
                }
            }
            @if hidden { (notice::notice(notice::Kind::Warn, "A path holds hidden characters", &html! { "They are shown by their numbers." })) }
            @if let Some(why) = &view.unreadable {
                (notice::notice(notice::Kind::Bad, "The repository cannot be read", &html! { (why) " Until then this can only be declined." }))
            }
            (diff::files(&view.files, layout))
        }
    }
}

/// A way to look at the files; the present one is marked.
fn choice(word: &str, (layout, reach): (Layout, Reach), on: bool) -> Markup {
    let view = if layout == Layout::Split { "split" } else { "unified" };
    let lines = if reach == Reach::Whole { "&lines=all" } else { "" };
    html! {
        a class={ "button" @if on { " on" } } href={ "?view=" (view) (lines) } aria-current=[on.then_some("true")] { (word) }
    }
}

fn facts(view: &ProposalView) -> Markup {
    html! {
        section.card aria-label="Frozen facts" {
            header { h2 { "Frozen facts" } }
            dl.terms.down.pad {
                dt { "Repository" } dd { (visible(&view.row.repository)) }
                dt { "Branch" } dd { code { (visible(&view.row.branch)) } }
                dt { "Reviewed base" } dd { code { (view.base_oid) } }
                dt { "Author" } dd { (visible(&view.author)) }
                dt { "Deciding takes" } dd { (view.needs.as_str()) }
                @for reason in &view.guarded { dd.faint { (visible(reason)) } }
                dt { "Proposal" } dd { code { (view.row.id) } }
            }
            @if view.files.len() > 1 { (diff::contents(&view.files)) }
        }
    }
}
