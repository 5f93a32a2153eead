//! Repositories: the list, by project.

use countersign_app::repository::view::{OverviewGroup, OverviewRow, OverviewView};
use maud::{Markup, html};

use super::import::{self, Imports};
use super::repository::shell::{gitnest, next_page};
use crate::address;
use crate::frame::{self, Page, Scene, Section};
use crate::part::button::{self, Tone};
use crate::part::copy;
use crate::part::empty::empty;
use crate::part::icon::{Icon, icon};
use crate::part::text::{count, visible};
use crate::part::time::time;

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &OverviewView, imports: Option<&Imports>, live: &str) -> Markup {
    let main = html! {
        div.head {
            div.row.apart {
                h1 { "Repositories" }
                @if imports.is_some() { (button::link(Tone::Primary, "/repositories/new", &html! { "New repository" })) }
            }
            p.lead { "What you may read, by project. Agents see those that are shown to them." }
        }
        (import::part(scene, imports))
        @if !view.groups.is_empty() || !view.query.is_empty() { (find(view)) }
        @if view.groups.is_empty() { (none(view, imports.is_some())) }
        @for group in &view.groups { (one_group(scene, group)) }
        @if view.more || view.offset > 0 { (turn(view)) }
    };
    let page = Page { title: "Repositories", section: Section::Repositories, live, bar: false, wide: false };
    frame::app(scene, &page, &main)
}

fn find(view: &OverviewView) -> Markup {
    html! {
        form.inline method="get" action="/repositories" role="search" {
            input.input type="search" name="q" value=(view.query) maxlength="100" placeholder="Find by name" aria-label="Find by name";
            button.button type="submit" { (icon(Icon::Search)) "Find" }
        }
    }
}

fn none(view: &OverviewView, may_make: bool) -> Markup {
    html! {
        section.card aria-label="Repositories" {
            @if view.query.is_empty() && may_make {
                (empty(Icon::Book, "No repository yet", "Begin with a README, or import one from a URL. It then stands here.", Some(&button::link(Tone::Plain, "/repositories/new", &html! { "New repository" }))))
                div.pad.stack.tight.under {
                    p.small.soft { "On the command line, with a README:" }
                    (copy::line("make", "countersign repo create NAME --project PROJECT"))
                    p.small.soft { "Or from a URL, or from a folder on the server's machine:" }
                    (copy::line("import", "countersign repo import SOURCE --name NAME --project PROJECT"))
                }
            } @else if view.query.is_empty() {
                (empty(Icon::Book, "No repository yet", "An owner of the workspace makes one, and whoever has a role in its project sees it here.", None))
            } @else {
                (empty(Icon::Search, "No repository has that in its name", "Look for a shorter part of the name.", Some(&html! { a.button href="/repositories" { "Show all" } })))
            }
        }
    }
}

fn one_group(scene: &Scene<'_>, group: &OverviewGroup) -> Markup {
    html! {
        section.card aria-label={ "Project " (group.project) } {
            header { span.faint { (icon(Icon::Folder)) } h2 { (visible(&group.project)) } span.faint.small { (group.rows.len()) } }
            ul.list { @for row in &group.rows { (one(scene, row)) } }
        }
    }
}

fn one(scene: &Scene<'_>, row: &OverviewRow) -> Markup {
    html! {
        li {
            span.faint { (icon(Icon::Book)) }
            div.what {
                a.name.cover data-walk href={ "/repositories/" (row.id) } { (visible(&row.name)) }
                div.facts {
                    span { (icon(Icon::Branch)) span.cut { (visible(&row.default_branch)) } }
                    @if let Some(last) = &row.last {
                        span { (icon(Icon::Commit)) span.cut { (visible(&last.title)) } }
                        span { (icon(Icon::Clock)) (time(last.at, scene.now)) }
                    } @else {
                        span { "no commit yet" }
                    }
                }
            }
            div.trail { (gitnest(row.gitnest)) }
        }
    }
}

fn turn(view: &OverviewView) -> Markup {
    let shown: usize = view.groups.iter().map(|group| group.rows.len()).sum();
    let base = if view.query.is_empty() {
        "/repositories".to_owned()
    } else {
        address::with("/repositories", "q", &view.query)
    };
    let step = countersign_app::repository::overview::ROWS;
    html! { (next_page(&base, view.offset, step, view.more, &count(shown, "repository"))) }
}
