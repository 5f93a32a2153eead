//! Projects: the list, and a new one for owners of the workspace.

use countersign_app::project::view::ProjectView;
use countersign_core::problem::Problem;
use countersign_core::role::WorkspaceRole;
use maud::{Markup, html};

use crate::frame::{self, Page, Scene, Section};
use crate::part::button::{Tone, submit};
use crate::part::empty::empty;
use crate::part::field::{Field, Takes, csrf};
use crate::part::find::pick;
use crate::part::icon::{Icon, icon};
use crate::part::text::{count, visible};
use crate::part::time::time;
use crate::part::wrong::{above, beside};

/// A project with the number of its repositories that the person may read.
#[derive(Clone, Debug)]
pub struct Row {
    /// The project.
    pub project: ProjectView,
    /// How many repositories.
    pub repositories: usize,
}

/// The whole page: the projects that were asked for, what was typed and what was wrong with it.
pub fn page(
    scene: &Scene<'_>,
    (rows, asked): (&[Row], &str),
    wrong: Option<(&str, &Problem)>,
    live: &str,
) -> Markup {
    let may_make = scene.viewer.role == WorkspaceRole::Owner;
    let main = html! {
        div.head {
            h1 { "Projects" }
            p.lead { "A project holds repositories and the people who work on them. An assistant sees the projects that you add to it." }
        }
        @if let Some((_, problem)) = wrong { (above(problem, &["name"])) }
        (list(scene, rows, asked, may_make))
        @if may_make { (new(scene, wrong)) }
    };
    let page = Page { title: "Projects", section: Section::Projects, live, bar: false, wide: false };
    frame::app(scene, &page, &main)
}

fn list(scene: &Scene<'_>, rows: &[Row], asked: &str, may_make: bool) -> Markup {
    let picked = pick(rows, asked, |row| [row.project.name.as_str()]);
    html! {
        (picked.field("/projects", asked, "Find by name"))
        section.card aria-label="Projects" {
            @if rows.is_empty() && may_make {
                (empty(Icon::Folder, "No project yet", "Make the first one below.", None))
            } @else if rows.is_empty() {
                (empty(Icon::Folder, "You are in no project", "An owner of a project adds you to it. It then stands here.", None))
            } @else if picked.rows.is_empty() {
                (empty(Icon::Search, "No project has that in its name", "Look for a shorter part of it.", Some(&html! { a.button href="/projects" { "Show all" } })))
            } @else {
                ul.list { @for row in &picked.rows { (one(scene, row)) } }
            }
            (picked.rest("Find others by name."))
        }
    }
}

fn one(scene: &Scene<'_>, row: &Row) -> Markup {
    let project = &row.project;
    html! {
        li {
            span.faint { (icon(Icon::Folder)) }
            div.what {
                a.name.cover data-walk href={ "/projects/" (project.id) } { (visible(&project.name)) }
                div.facts {
                    span { (count(row.repositories, "repository")) }
                    span { "you are " (project.role.as_str()) }
                    span { "since " (time(project.created_at, scene.now)) }
                }
            }
        }
    }
}

fn new(scene: &Scene<'_>, wrong: Option<(&str, &Problem)>) -> Markup {
    let (typed, problem) = wrong.map_or(("", None), |(typed, problem)| (typed, Some(problem)));
    html! {
        section.card #new aria-label="New project" {
            header { h2 { "New project" } }
            form.form.pad method="post" action="/projects" {
                (csrf(&scene.viewer.csrf))
                (Field::new("name", "Name", Takes::Text).limit(80).value(typed).wrong(beside(problem, "name"))
                    .hint("One that no other project of the workspace has.").render())
                div { (submit(Tone::Primary, &html! { "Make project" })) }
            }
        }
    }
}
