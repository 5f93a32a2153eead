//! One project: its repositories, its members, and the assistants that see it.

mod members;

use countersign_app::connection::view::ConnectionRow;
use countersign_app::project::view::ProjectPage;
use countersign_app::repository::RepositoryLine;
use countersign_core::problem::Problem;
use maud::{Markup, html};

use crate::frame::{self, Page, Scene, Section};
use crate::part::badge;
use crate::part::empty::empty;
use crate::part::find::first;
use crate::part::icon::{Icon, icon};
use crate::part::text::visible;
use crate::part::wrong::above;

pub use members::{Typed, members};

/// The whole page, with what was typed about a new member, what was refused, and which members were
/// asked for.
pub fn page(
    scene: &Scene<'_>,
    view: &ProjectPage,
    (typed, problem): (&Typed, Option<&Problem>),
    asked: &str,
    live: &str,
) -> Markup {
    let main = html! {
        div.head {
            nav.crumb aria-label="Where" { a href="/projects" { "Projects" } }
            h1 { (visible(&view.project.name)) }
            div.facts { span { (icon(Icon::Person)) "you are " (view.project.role.as_str()) } }
        }
        @if let Some(problem) = problem { (above(problem, &members::FIELDS)) }
        (repositories(view))
        (members(scene, view, asked))
        (members::add(scene, view, typed, problem))
        (connections(view))
    };
    let page = Page { title: &view.project.name, section: Section::Projects, live, bar: false, wide: false };
    frame::app(scene, &page, &main)
}

/// What is in it; the live stream renders it too.
pub fn repositories(view: &ProjectPage) -> Markup {
    let picked = first(&view.repositories);
    html! {
        section.card #in-project aria-label="Repositories" {
            header { h2 { "Repositories" } span.faint.small { (view.repositories.len()) } }
            @if view.repositories.is_empty() {
                (empty(Icon::Book, "No repository in it", "Make one under Repositories, or move one here in its settings.", None))
            } @else {
                ul.list { @for line in &picked.rows { (repository(line)) } }
            }
            (picked.rest("Find others under Repositories."))
        }
    }
}

fn repository(line: &RepositoryLine) -> Markup {
    html! {
        li {
            span.faint { (icon(Icon::Book)) }
            div.what {
                a.name.cover data-walk href={ "/repositories/" (line.id) } { (visible(&line.name)) }
                div.facts {
                    span { (icon(Icon::Branch)) span.cut { (visible(&line.default_branch)) } }
                    span { @if line.gitnest { "agents see it" } @else { "agents do not see it" } }
                }
            }
        }
    }
}

/// What sees it; the live stream renders it too.
pub fn connections(view: &ProjectPage) -> Markup {
    html! {
        section.card #connected-to aria-label="Connected" {
            header { h2 { "Assistants that have it" } span.faint.small { (view.connections.len()) } }
            @if view.connections.is_empty() {
                (empty(Icon::Plug, "No assistant has it", "Open one under Connected, and add the project to it.", None))
            } @else {
                ul.list { @for row in &view.connections { (connection(row)) } }
            }
        }
    }
}

fn connection(row: &ConnectionRow) -> Markup {
    html! {
        li {
            span.avatar.agent { (icon(Icon::Agent)) }
            div.what {
                a.name.cover data-walk href={ "/connected/" (row.id) } { (visible(&row.name)) }
                div.facts { span { (icon(Icon::Person)) span.cut { (visible(&row.owner)) } } }
            }
            div.trail { (badge::connection(row.state)) }
        }
    }
}
