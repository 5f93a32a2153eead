//! One connection: its projects, its tools, what it did, and the end of it.

mod tools;

use countersign_app::connection::view::{ActivityRow, ConnectionState, ConnectionView, GrantedProject};
use countersign_core::scope::Scope;
use maud::{Markup, html};

use crate::frame::{self, Page, Scene, Section};
use crate::part::badge;
use crate::part::copy;
use crate::part::empty::empty;
use crate::part::field::csrf;
use crate::part::find::first;
use crate::part::host;
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Kind, notice};
use crate::part::text::{count, visible};
use crate::part::time::{moment, time};

pub use tools::tools;

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &ConnectionView, live: &str) -> Markup {
    let main = html! {
        (head(scene, view))
        (how_to_connect(view))
        (projects(scene, view))
        (tools(scene, view))
        (activity(scene, view))
        (revoke(scene, view))
    };
    frame::app(
        scene,
        &Page { title: &view.row.name, section: Section::Connected, live, bar: false, wide: false },
        &main,
    )
}

/// Name, state and facts; the live stream renders it too.
pub fn head(scene: &Scene<'_>, view: &ConnectionView) -> Markup {
    let row = &view.row;
    html! {
        div.head #connection {
            nav.crumb aria-label="Where" { a href="/connected" { "Connected" } }
            div.row { h1 { (visible(&row.name)) } (badge::connection(row.state)) }
            div.facts {
                span { (icon(Icon::Person)) (visible(&row.owner)) }
                @if let Some(client) = &row.client { span { (icon(Icon::Agent)) (visible(client)) } }
                @for scope in view.scopes.iter() { span { (icon(Icon::Check)) (may(scope)) } }
                span { (icon(Icon::Clock)) @if let Some(at) = row.used_at { "last call " (time(at, scene.now)) } @else { "no call yet" } }
                @if row.waiting > 0 { a href="/approvals" { (count(row.waiting, "proposal")) " waiting" } }
            }
            @if let Some(at) = view.revoked_at {
                (notice(Kind::Plain, "Revoked", &html! { "Its tokens died at " (moment(at)) ", and its waiting proposals were withdrawn." }))
            }
        }
    }
}

const fn may(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "reads",
        Scope::Write => "proposes",
        Scope::Run => "runs",
    }
}

fn how_to_connect(view: &ConnectionView) -> Markup {
    html! {
        @if view.row.state == ConnectionState::Pending {
            section.card aria-label="How to connect" {
                header { h2 { "It waits for its assistant" } }
                div.pad.stack.tight {
                    p.small.soft { "Give the assistant this address. At its first call it asks for your consent; choose this connection there." }
                    (copy::line("address", &view.server_address))
                    @if let Some(known) = view.row.kind.host() { (host::one(known, &view.server_address)) }
                }
            }
        }
    }
}

/// What it sees; the live stream renders it too.
pub fn projects(scene: &Scene<'_>, view: &ConnectionView) -> Markup {
    let manages = view.may_manage && view.row.state != ConnectionState::Revoked;
    let picked = first(&view.projects);
    html! {
        section.card #projects aria-label="Projects" {
            header { h2 { "Projects" } span.faint.small { "What it sees, from its next call on." } }
            @if view.projects.is_empty() {
                (empty(Icon::Folder, "It sees nothing yet", "Add a project, and it can read the repositories in it that are switched on for agents.", None))
            } @else {
                ul.list { @for project in &picked.rows { (granted(scene, view, project, manages)) } }
                (picked.rest("It sees the others too."))
            }
            @if manages && !view.addable.is_empty() {
                form.inline.foot method="post" action={ "/connected/" (view.row.id) "/projects" } {
                    (csrf(&scene.viewer.csrf))
                    select.input name="project" aria-label="Project" required {
                        @for project in &view.addable { option value=(project.id) { (project.name) } }
                    }
                    button.button.primary type="submit" { "Add project" }
                }
            }
        }
    }
}

fn granted(scene: &Scene<'_>, view: &ConnectionView, project: &GrantedProject, manages: bool) -> Markup {
    html! {
        li {
            span.faint { (icon(Icon::Folder)) }
            div.what {
                span.name { (visible(&project.name)) }
                div.facts {
                    span { (count(project.repositories, "repository")) }
                    @match project.role {
                        Some(role) => span { "its person is " (role.as_str()) },
                        None => span { "its person has no role here any more: it sees nothing of this" },
                    }
                }
            }
            @if manages {
                form.over method="post" action={ "/connected/" (view.row.id) "/projects/" (project.id) "/remove" } {
                    (csrf(&scene.viewer.csrf))
                    button.button type="submit" aria-label={ "Remove " (project.name) } { "Remove" }
                }
            }
        }
    }
}

/// The latest calls; the live stream renders it too.
pub fn activity(scene: &Scene<'_>, view: &ConnectionView) -> Markup {
    html! {
        section.card #activity aria-label="Recent activity" {
            header { h2 { "Recent activity" } }
            @if view.activity.is_empty() {
                (empty(Icon::Clock, "No call yet", "Every call stands here: when, which tool, on what, and how it ended.", None))
            } @else {
                div.scroll tabindex="0" {
                    table.table {
                        thead { tr { th { "When" } th { "Tool" } th { "On" } th { "Outcome" } } }
                        tbody { @for row in &view.activity { (call(scene, row)) } }
                    }
                }
            }
        }
    }
}

fn call(scene: &Scene<'_>, row: &ActivityRow) -> Markup {
    html! {
        tr {
            td.faint { (time(row.at, scene.now)) }
            td { code { (visible(&row.tool)) } }
            td { @if let Some(resource) = &row.resource { (visible(resource)) } @else { span.faint { "–" } } }
            td { (badge::outcome(row.outcome)) @if let Some(code) = &row.code { " " code.small.faint { (visible(code)) } } }
        }
    }
}

/// The end of it; the live stream renders it too.
pub fn revoke(scene: &Scene<'_>, view: &ConnectionView) -> Markup {
    html! {
        div #revoke {
            @if view.may_revoke && view.row.state != ConnectionState::Revoked { (revoke_form(scene, view)) }
        }
    }
}

fn revoke_form(scene: &Scene<'_>, view: &ConnectionView) -> Markup {
    html! {
        details.card.fold {
            summary.pad.row.apart {
                span { b { "Revoke this connection" } br; span.small.soft { "Ends everything at once, for good." } }
                span.turn { (icon(Icon::Chevron)) }
            }
            form.pad.stack.under method="post" action={ "/connected/" (view.row.id) "/revoke" } {
                (csrf(&scene.viewer.csrf))
                p.soft {
                    "Its tokens die with its next call"
                    @if view.row.waiting > 0 { ", and " b { (count(view.row.waiting, "waiting proposal")) } " of it will be withdrawn" }
                    ". Commits that you approved stay. To let it back in, connect it anew."
                }
                div { button.button.danger type="submit" { "Revoke " (visible(&view.row.name)) } }
            }
        }
    }
}
