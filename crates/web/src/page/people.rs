//! The people of the workspace, for its owners: who is in it, who owns it, who is shut out, and who is invited.

mod invite;

use countersign_app::invitation::view::InvitationView;
use countersign_app::project::view::ProjectView;
use countersign_app::workspace::view::PersonView;
use countersign_core::problem::Problem;
use countersign_core::role::WorkspaceRole;
use maud::{Markup, html};

use super::settings::Sudo;
use crate::frame::{self, Page, Scene, Section};
use crate::part::badge;
use crate::part::empty::empty;
use crate::part::field::csrf;
use crate::part::find::pick;
use crate::part::icon::{Icon, icon};
use crate::part::text::{initials, visible};
use crate::part::time::time;
use crate::part::wrong::above;

pub use invite::{Typed, invitations};

/// What the page shows.
#[derive(Clone, Debug)]
pub struct People<'a> {
    /// Everybody, by name.
    pub people: &'a [PersonView],
    /// What a part of the name or mail address was asked for.
    pub asked: &'a str,
    /// The open invitations, the newest on top.
    pub invitations: &'a [InvitationView],
    /// The projects that one may be invited to.
    pub projects: &'a [ProjectView],
    /// Whether the sudo window is open.
    pub sudo: Sudo,
    /// The link of an invitation that was made just now: the only sight of it.
    pub link: Option<&'a str>,
    /// What was typed about whom to invite.
    pub typed: &'a Typed,
    /// What was refused just now.
    pub problem: Option<&'a Problem>,
}

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &People<'_>, live: &str) -> Markup {
    let main = html! {
        div.head {
            h1 { "People" }
            p.lead { "Owners may do everything here, everywhere. Members have the roles that projects and repositories give them." }
        }
        @if let Some(link) = view.link { (invite::made(link)) }
        @if let Some(problem) = view.problem { (above(problem, &invite::FIELDS)) }
        (list(scene, view.people, view.asked))
        (invitations(scene, view.invitations))
        (invite::form(scene, view))
    };
    let page = Page { title: "People", section: Section::People, live, bar: false, wide: false };
    frame::app(scene, &page, &main)
}

/// The list; the page and the live stream render it.
pub fn list(scene: &Scene<'_>, people: &[PersonView], asked: &str) -> Markup {
    let picked = pick(people, asked, |person| [person.name.as_str(), person.mail.as_str()]);
    let owners = people.iter().filter(|person| is_owner(person)).count();
    html! {
        section.card #people aria-label="People" aria-live="polite" {
            header {
                h2 { "In this workspace" } span.faint.small { (picked.found) }
                div.push { (picked.field("/people", asked, "Find by name or mail")) }
            }
            @if picked.rows.is_empty() {
                (empty(Icon::Search, "Nobody here has that in name or mail address", "Look for a shorter part of it.", Some(&html! { a.button href="/people" { "Show all" } })))
            } @else {
                ul.list { @for person in &picked.rows { (one(scene, person, owners == 1 && is_owner(person))) } }
            }
            (picked.rest("Find others by name or mail address."))
        }
    }
}

/// Whether they own the workspace and can sign in; one of these always stays.
fn is_owner(person: &PersonView) -> bool {
    person.role == WorkspaceRole::Owner && person.disabled_at.is_none()
}

fn one(scene: &Scene<'_>, person: &PersonView, is_last_owner: bool) -> Markup {
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
                @if is_last_owner { span.small.faint { "the only one" } } @else { (turn(scene, person)) }
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
