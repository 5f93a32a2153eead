//! The people of the workspace, for its owners: who is in it, who owns it, who is shut out.

use countersign_app::workspace::view::PersonView;
use countersign_core::problem::Problem;
use countersign_core::role::WorkspaceRole;
use maud::{Markup, html};

use crate::frame::{self, Page, Scene, Section};
use crate::part::badge;
use crate::part::field::csrf;
use crate::part::icon::{Icon, icon};
use crate::part::notice;
use crate::part::text::{initials, visible};
use crate::part::time::time;

/// The whole page.
pub fn page(scene: &Scene<'_>, people: &[PersonView], problem: Option<&Problem>, live: &str) -> Markup {
    let main = html! {
        div.head {
            h1 { "People" }
            p.lead { "Owners may do everything here, everywhere. Members have the roles that projects and repositories give them." }
        }
        @if let Some(problem) = problem { (notice::problem(problem)) }
        (list(scene, people))
    };
    let page = Page { title: "People", section: Section::People, live, bar: false, wide: false };
    frame::app(scene, &page, &main)
}

/// The list; the page and the live stream render it.
pub fn list(scene: &Scene<'_>, people: &[PersonView]) -> Markup {
    html! {
        section.card #people aria-label="People" aria-live="polite" {
            header { h2 { "In this workspace" } span.faint.small { (people.len()) } }
            ul.list { @for person in people { (one(scene, person)) } }
        }
    }
}

fn one(scene: &Scene<'_>, person: &PersonView) -> Markup {
    let is_self = person.user == scene.viewer.user;
    html! {
        li {
            span.avatar aria-hidden="true" { (initials(&person.name)) }
            div.what {
                span.name { (visible(&person.name)) @if is_self { span.faint { " (you)" } } }
                div.facts {
                    span { span.cut { (visible(&person.mail)) } }
                    span { (icon(Icon::Clock)) "here since " (time(person.since, scene.now)) }
                    @if let Some(at) = person.disabled_at { span { "shut out " (time(at, scene.now)) } }
                }
            }
            div.trail {
                (place(person))
                (turn(scene, person))
                @if !is_self { (door(scene, person)) }
            }
        }
    }
}

fn place(person: &PersonView) -> Markup {
    match (person.disabled_at, person.role) {
        (Some(_), _) => badge::badge("bad", "Shut out"),
        (None, WorkspaceRole::Owner) => badge::badge("good", "Owner"),
        (None, WorkspaceRole::Member) => badge::badge("off", "Member"),
    }
}

/// The button that gives the other place.
fn turn(scene: &Scene<'_>, person: &PersonView) -> Markup {
    let (to, word) = match person.role {
        WorkspaceRole::Owner => (WorkspaceRole::Member, "Make member"),
        WorkspaceRole::Member => (WorkspaceRole::Owner, "Make owner"),
    };
    html! {
        form.over method="post" action={ "/people/" (person.user) "/role" } {
            (csrf(&scene.viewer.csrf))
            input type="hidden" name="role" value=(to.as_str());
            button.button type="submit" aria-label={ (word) ": " (person.name) } { (word) }
        }
    }
}

fn door(scene: &Scene<'_>, person: &PersonView) -> Markup {
    let (verb, word) =
        if person.disabled_at.is_some() { ("enable", "Let in again") } else { ("disable", "Shut out") };
    html! {
        form.over method="post" action={ "/people/" (person.user) "/" (verb) } {
            (csrf(&scene.viewer.csrf))
            button.button.quiet.bad[person.disabled_at.is_none()] type="submit" aria-label={ (word) ": " (person.name) } { (word) }
        }
    }
}
