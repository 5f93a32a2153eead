//! Connected: the assistants, and how one more is added.

use countersign_app::connection::view::{AssistantKind, ConnectedView, ConnectionRow, ConnectionState};
use maud::{Markup, html};

use crate::frame::{self, Page, Scene, Section};
use crate::part::badge;
use crate::part::copy;
use crate::part::empty::empty;
use crate::part::field::csrf;
use crate::part::host;
use crate::part::icon::{Icon, icon};
use crate::part::text::visible;
use crate::part::time::time;

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &ConnectedView, live: &str) -> Markup {
    let main = html! {
        div.head {
            h1 { "Connected" }
            p.lead { "Assistants that may read and propose in your name. Each starts with no project and sees what you add." }
        }
        (list(scene, view))
        (add(scene, view))
    };
    frame::app(
        scene,
        &Page { title: "Connected", section: Section::Connected, live, bar: false, wide: false },
        &main,
    )
}

/// The list; the page and the live stream render it.
pub fn list(scene: &Scene<'_>, view: &ConnectedView) -> Markup {
    html! {
        section.card #connections aria-label="Connections" aria-live="polite" {
            @if view.connections.is_empty() {
                (empty(Icon::Plug, "No assistant is connected", "Give one the server address below. It opens this app for your consent, and then stands here.", None))
            } @else {
                header { h2 { "Assistants" } span.faint.small { (view.connections.len()) } }
                ul.list { @for row in &view.connections { (one(scene, row)) } }
            }
        }
    }
}

fn one(scene: &Scene<'_>, row: &ConnectionRow) -> Markup {
    html! {
        li id={ "c-" (row.id) } {
            span.avatar.agent { (icon(Icon::Agent)) }
            div.what {
                a.name.cover data-walk href={ "/connected/" (row.id) } { (visible(&row.name)) }
                div.facts {
                    span { (icon(Icon::Person)) span.cut { (visible(&row.owner)) } }
                    span { (icon(Icon::Folder)) span.cut { (projects(row)) } }
                    span { (icon(Icon::Clock)) @if let Some(at) = row.used_at { "last call " (time(at, scene.now)) } @else { "no call yet" } }
                }
            }
            div.trail {
                @if row.waiting > 0 { (badge::badge("waits", &format!("{} waiting", row.waiting))) }
                (badge::connection(row.state))
            }
        }
    }
}

fn projects(row: &ConnectionRow) -> Markup {
    html! {
        @if row.projects.is_empty() {
            @if row.state == ConnectionState::Active { "no project: it sees nothing yet" } @else { "no project" }
        } @else {
            (visible(&row.projects.join(", ")))
        }
    }
}

fn add(scene: &Scene<'_>, view: &ConnectedView) -> Markup {
    let address = &view.server_address;
    html! {
        section.card #add aria-label="Add an assistant" {
            header { h2 { "Add an assistant" } }
            ol.steps.pad {
                li {
                    h3 { "Give it the server address" }
                    (copy::line("address", address))
                    p.small.soft { "In a chat app, add it as a custom connector. For these, take what is ready-made:" }
                    (host::all(address))
                }
                li {
                    h3 { "Allow it" }
                    p.small.soft { "At its first call it opens this app in your browser and asks. You see who asks, where the answer goes, and tick what it may do." }
                    (name_it(scene))
                }
                li {
                    h3 { "Add a project to it" }
                    p.small.soft { "Open it in the list above and add the projects that it should see. Until then it sees nothing." }
                }
            }
        }
    }
}

fn name_it(scene: &Scene<'_>) -> Markup {
    html! {
        details.fold {
            summary.small.opens { span.turn { (icon(Icon::Chevron)) } "Name it beforehand" }
            form.inline.below method="post" action="/connected" {
                (csrf(&scene.viewer.csrf))
                select.input name="kind" aria-label="Assistant" {
                    @for kind in AssistantKind::ALL { option value=(kind.as_str()) { (kind.name()) } }
                }
                input.input name="name" required maxlength="80" placeholder="Name, for example: Claude on my laptop" aria-label="Name" autocomplete="off";
                button.button type="submit" { "Save" }
            }
        }
    }
}
