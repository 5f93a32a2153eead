//! Needs your approval: what waits, and what was decided last.

use countersign_app::proposal::view::{ProposalRow, QueueView};
use maud::{Markup, html};

use crate::frame::{self, Page, Scene, Section};
use crate::part::badge;
use crate::part::empty::empty;
use crate::part::icon::{Icon, icon};
use crate::part::text::{count, visible};
use crate::part::time::time;

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &QueueView, live: &str) -> Markup {
    let main = html! {
        div.head {
            h1 { "Needs your approval" }
            p.lead { "Agents propose, a person decides. What waits here is in no repository." }
        }
        (queue(scene, view))
        @if !view.waiting.is_empty() || !view.decided.is_empty() {
            p.keys { span { kbd { "j" } kbd { "k" } "move" } span { kbd { "Enter" } "open" } span { kbd { "a" } "to Approve" } span { kbd { "x" } "select" } }
        }
    };
    let page =
        Page { title: "Needs your approval", section: Section::Approvals, live, bar: false, wide: false };
    frame::app(scene, &page, &main)
}

/// Both lists; the page and the live stream render it.
pub fn queue(scene: &Scene<'_>, view: &QueueView) -> Markup {
    html! {
        div #queue .stack aria-live="polite" {
            section.card aria-label="Waiting" {
                @if view.waiting.is_empty() {
                    (empty(Icon::Inbox, "Nothing needs you", "When an agent proposes a change, it stands here until you approve or decline it. The page keeps itself up to date.", None))
                } @else {
                    header {
                        h2 { "Waiting" } span.faint.small { (view.waiting.len()) @if view.more { "+" } }
                        button.button.push.selected-only type="submit" form="several" { "Review selected together" }
                    }
                    form #several method="get" action="/approvals/several" {}
                    ul.list { @for row in &view.waiting { (waiting_row(scene, row, true)) } }
                }
            }
            @if !view.decided.is_empty() {
                section.card aria-label="Decided lately" {
                    header { h2 { "Decided lately" } }
                    ul.list { @for row in &view.decided { (decided_row(scene, row)) } }
                }
            }
        }
    }
}

/// A proposal that waits.
pub(super) fn waiting_row(scene: &Scene<'_>, row: &ProposalRow, select: bool) -> Markup {
    html! {
        li id={ "p-" (row.id) } {
            @if select && row.may_decide {
                input.select.over #{ "select-" (row.id) } type="checkbox" form="several" name="id" value=(row.id) aria-label={ "Select: " (row.title) };
            } @else {
                span.avatar.agent { (icon(Icon::Agent)) }
            }
            (what(row))
            div.trail {
                span { "expires " (time(row.expires_at, scene.now)) }
                @if row.may_decide { (badge::proposal(row.state)) } @else { (badge::badge("off", "Not yours to decide")) }
            }
        }
    }
}

/// A proposal that was decided or ended.
pub(super) fn decided_row(scene: &Scene<'_>, row: &ProposalRow) -> Markup {
    html! {
        li id={ "p-" (row.id) } {
            (what(row))
            div.trail { (time(row.ended_at.unwrap_or(row.created_at), scene.now)) (badge::proposal(row.state)) }
        }
    }
}

fn what(row: &ProposalRow) -> Markup {
    html! {
        div.what {
            a.name.cover data-walk href={ "/approvals/" (row.id) } { (visible(&row.title)) }
            div.facts {
                span { span.cut { (visible(&row.agent)) } " for " span.cut { (visible(&row.owner)) } }
                span { span.cut { (visible(&row.repository)) } }
                span { (icon(Icon::Branch)) span.cut { (visible(&row.branch)) } }
                span { (icon(Icon::File)) (count(row.files, "file")) }
            }
        }
    }
}
