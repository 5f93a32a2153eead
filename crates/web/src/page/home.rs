//! Home: what needs the person now, what was decided lately, and the way to the first proposal.

use countersign_app::home::view::{HomeView, Needed, Steps};
use countersign_app::proposal::view::{ProposalRow, QueueView};
use maud::{Markup, html};

use super::approvals::{decided_row, waiting_row};
use crate::frame::{self, Page, Scene, Section};
use crate::part::empty::empty;
use crate::part::icon::{Icon, icon};
use crate::part::text::visible;
use crate::part::time::time;

/// How many proposals stand here; the rest is on their own page.
const FEW: usize = 5;

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &HomeView, queue: &QueueView, live: &str) -> Markup {
    let main = html! {
        div.head {
            h1 { "Home" }
            p.lead { "What needs you in " (visible(&scene.viewer.workspace_name)) "." }
        }
        (now(scene, view, queue))
    };
    frame::app(scene, &Page { title: "Home", section: Section::Home, live, bar: false, wide: false }, &main)
}

/// Everything below the heading; the page and the live stream render it.
pub fn now(scene: &Scene<'_>, view: &HomeView, queue: &QueueView) -> Markup {
    let mine: Vec<&ProposalRow> = queue.waiting.iter().filter(|row| row.may_decide).collect();
    let fresh = !view.steps.done() && queue.waiting.is_empty() && queue.decided.is_empty();
    html! {
        div.stack #home aria-live="polite" {
            @if fresh { (steps(view.steps)) } @else { (approvals(scene, &mine, queue.more)) }
            @if !view.needs.is_empty() {
                section.card aria-label="To look after" {
                    header { h2 { "To look after" } span.faint.small { (view.needs.len()) } }
                    ul.list { @for needed in &view.needs { (need(scene, needed)) } }
                }
            }
            @if !queue.decided.is_empty() {
                section.card aria-label="Decided lately" {
                    header { h2 { "Decided lately" } a.push.small href="/approvals" { "All" } }
                    ul.list { @for row in queue.decided.iter().take(FEW) { (decided_row(scene, row)) } }
                }
            }
        }
    }
}

fn approvals(scene: &Scene<'_>, mine: &[&ProposalRow], more: bool) -> Markup {
    html! {
        section.card aria-label="Needs your approval" {
            @if mine.is_empty() {
                (empty(Icon::Check, "Nothing waits for you", "When an agent proposes a change that is yours to decide, it stands here. The page keeps itself up to date.", None))
            } @else {
                header {
                    h2 { "Needs your approval" }
                    span.faint.small { (mine.len()) @if more { "+" } }
                    @if mine.len() > FEW { a.push.small href="/approvals" { "All" } }
                }
                ul.list { @for row in mine.iter().take(FEW) { (waiting_row(scene, row, false)) } }
            }
        }
    }
}

fn need(scene: &Scene<'_>, needed: &Needed) -> Markup {
    let (picture, name, href, words) = match needed {
        Needed::Import { name, reason } => (
            Icon::Download,
            name,
            Some("/repositories".to_owned()),
            html! { "The import failed: " (visible(reason)) },
        ),
        Needed::Token { name, expires_at, .. } => (
            Icon::Key,
            name,
            None,
            html! { "This token ends " (time(*expires_at, scene.now)) ". " code { "countersign token create" } " makes a new one." },
        ),
        Needed::Assistant { id, name, since } => (
            Icon::Plug,
            name,
            Some(format!("/connected/{id}")),
            html! { "Named " (time(*since, scene.now)) ", and no assistant has signed in yet." },
        ),
        Needed::Blind { id, name } => (
            Icon::Agent,
            name,
            Some(format!("/connected/{id}")),
            html! { "Connected, and sees nothing: add a project to it." },
        ),
    };
    html! {
        li {
            span.faint { (icon(picture)) }
            div.what {
                @if let Some(href) = href {
                    a.name.cover data-walk href=(href) { (visible(name)) }
                } @else {
                    span.name { (visible(name)) }
                }
                p.small.soft { (words) }
            }
        }
    }
}

fn steps(steps: Steps) -> Markup {
    let all = [
        (
            steps.repository,
            "Add a repository",
            "Make one, or import one by its address, and let agents see it.",
            "/repositories/new",
            "Add a repository",
        ),
        (
            steps.assistant,
            "Connect an assistant",
            "Give Claude, ChatGPT or a coding agent the address of this server. It asks for your consent.",
            "/connected#add",
            "Connect an assistant",
        ),
        (
            steps.project,
            "Add a project to it",
            "A fresh connection sees nothing. Add the project that holds the repository.",
            "/connected",
            "Open your assistants",
        ),
        (
            false,
            "Decide its first proposal",
            "Ask it to propose a change. It stands here until you approve or decline it.",
            "/approvals",
            "See the queue",
        ),
    ];
    let next = all.iter().position(|(done, ..)| !done);
    html! {
        section.card aria-label="First steps" {
            header { h2 { "First steps" } }
            ol.steps.pad {
                @for (at, (done, heading, sentence, href, label)) in all.iter().enumerate() {
                    li class=[done.then_some("done")] {
                        h3 { (heading) @if *done { span.unseen { " (done)" } } }
                        p.small.soft { (sentence) }
                        @if next == Some(at) { div { a.button.primary href=(href) { (label) } } }
                    }
                }
            }
        }
    }
}
