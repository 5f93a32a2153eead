//! The audit log: who did what, to what, and how it ended; and whether anybody changed it since.

mod filter;
mod seals;

use countersign_app::audit::view::{AuditView, Named, PageView, Progress, RecordView};
use countersign_app::connection::view::Outcome;
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::problem::Problem;
use maud::{Markup, html};

use crate::address::{self, Leaf};
use crate::frame::{self, Page, Scene, Section};
use crate::part::badge;
use crate::part::button::{Tone, link};
use crate::part::empty::empty;
use crate::part::icon::{Icon, icon};
use crate::part::text::{count, visible};
use crate::part::time::{exact, moment, time};
use crate::part::wrong;

/// What stands around the log.
#[derive(Clone, Copy, Debug, Default)]
pub struct Around<'a> {
    /// The address of this page with its filter, from the newest record on.
    pub address: &'a str,
    /// The same of the export.
    pub export: &'a str,
    /// The first and the last day, as they were asked for.
    pub days: (&'a str, &'a str),
    /// What a verification that was just asked for came to.
    pub verified: Option<&'a Progress>,
    /// Why the filter was not understood.
    pub problem: Option<&'a Problem>,
}

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &AuditView, around: &Around<'_>, live: &str) -> Markup {
    let main = html! {
        div.head {
            h1 { "Audit" }
            p.lead { "Every call of a person or an agent, and how it ended. Records are sealed in batches: what is changed afterwards is found." }
        }
        (seals::card(scene, &view.seals, around.verified))
        @if let Some(problem) = around.problem { (wrong::above(problem, &filter::FIELDS)) }
        (filter::form(view, around))
        (log(scene, view, around))
    };
    frame::app(scene, &Page { title: "Audit", section: Section::Audit, live, bar: false, wide: false }, &main)
}

fn log(scene: &Scene<'_>, view: &AuditView, around: &Around<'_>) -> Markup {
    let page = &view.page;
    html! {
        section.card aria-label="Records" {
            header {
                h2 { "Records" }
                span.faint.small { (count(page.records.len(), "record")) " on this page" }
                span.joined.push {
                    a.button href=(address::with(around.export, "format", "csv")) download { (icon(Icon::Download)) "CSV" }
                    a.button href=(address::with(around.export, "format", "jsonl")) download { "JSON lines" }
                }
            }
            @if page.records.is_empty() {
                (nothing(view))
            } @else {
                ul.list.records { @for record in &page.records { (one(scene, record)) } }
            }
            (foot(page, around))
        }
    }
}

fn nothing(view: &AuditView) -> Markup {
    let all = link(Tone::Plain, "/audit", &html! { "Show all records" });
    match view.page.looked_back_to {
        Some(at) => {
            let sentence = format!(
                "Nothing back to {} fits. Only so many records are looked through at once; older ones may fit.",
                exact(at)
            );
            empty(Icon::Search, "Nothing found so far", &sentence, None)
        }
        None if !view.filter.is_empty() => {
            empty(Icon::Search, "No record fits", "Loosen the filter to see more.", Some(&all))
        }
        None => {
            let sentence =
                "The log ends before this page. What people and agents do stands in it within a second.";
            empty(Icon::Shield, "No more records", sentence, Some(&all))
        }
    }
}

fn one(scene: &Scene<'_>, record: &RecordView) -> Markup {
    let (class, picture) = match record.actor_kind.as_str() {
        "connection" => ("avatar agent", Icon::Agent),
        "user" => ("avatar", Icon::Person),
        "server" => ("avatar agent", Icon::Gear),
        _ => ("avatar agent", Icon::Out),
    };
    html! {
        li {
            span class=(class) aria-hidden="true" { (icon(picture)) }
            div.what {
                code.name { (visible(&record.action)) }
                div.facts {
                    span { span.cut { (who(record)) } }
                    @if let Some(resource) = &record.resource { span { (icon(Icon::Book)) span.cut { (place(record, resource)) } } }
                    @if let Some(code) = &record.code { code { (visible(code)) } }
                    (whole(record))
                }
            }
            div.trail { (time(record.at, scene.now)) (outcome(&record.outcome)) }
        }
    }
}

fn who(record: &RecordView) -> Markup {
    html! {
        @match (&record.connection, &record.actor) {
            (Some(connection), Some(actor)) => {
                a.plain href={ "/connected/" (connection.id) } { (visible(connection.told())) } " for " (visible(actor.told()))
            }
            (Some(connection), None) => (visible(connection.told())),
            (None, Some(actor)) => (visible(actor.told())),
            (None, None) if record.actor_kind == "server" => "This server",
            (None, None) => "Nobody who signed in",
        }
    }
}

fn place(record: &RecordView, resource: &Named) -> Markup {
    html! {
        @match record.repository {
            Some(id) => a.plain href=(address::at(Leaf::Files, id, &TreePath::default(), None)) { (visible(resource.told())) },
            None => (visible(resource.told())),
        }
    }
}

/// Everything that stands in the record.
fn whole(record: &RecordView) -> Markup {
    html! {
        details.fold.record {
            summary.opens { span.turn { (icon(Icon::Chevron)) } "Details" }
            dl.terms {
                dt { "When" } dd { (moment(record.at)) }
                dt { "Record" } dd { code { (visible(&record.id)) } }
                @if let Some(actor) = &record.actor { dt { "Person" } dd { code { (visible(&actor.id)) } } }
                @if let Some(connection) = &record.connection { dt { "Connection" } dd { code { (visible(&connection.id)) } } }
                @if let Some(resource) = &record.resource { dt { "Resource" } dd { code { (visible(&resource.id)) } } }
                dt { "Facts" } dd { code { (visible(&record.detail)) } }
                dt { "Seal" } dd { @match record.seal { Some(seal) => (seal), None => "none yet" } }
            }
        }
    }
}

fn outcome(word: &str) -> Markup {
    // Nothing of ours writes another word.
    let unknown = || html! { span.state.bad { (visible(word)) } };
    Outcome::parse(word).map_or_else(unknown, badge::outcome)
}

fn foot(page: &PageView, around: &Around<'_>) -> Markup {
    let turned = page.newer.is_some() || page.older.is_some();
    html! {
        @if turned {
            nav.foot.turn-page aria-label="Pages" {
                @if let Some(newer) = &page.newer {
                    (link(Tone::Plain, around.address, &html! { "Newest" }))
                    (link(Tone::Plain, &address::with(around.address, "after", &newer.to_string()), &html! { "Newer" }))
                }
                @if let Some(older) = &page.older {
                    (link(Tone::Plain, &address::with(around.address, "before", &older.to_string()), &html! {
                        @if page.looked_back_to.is_some() { "Look further back" } @else { "Older" }
                    }))
                }
                @if let Some(at) = page.looked_back_to { span.small.faint { "Looked through back to " (moment(at)) } }
            }
        }
    }
}
