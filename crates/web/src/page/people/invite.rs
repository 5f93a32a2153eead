//! Invitations on the page of people: the open ones, and a new one.

use countersign_app::invitation::view::InvitationView;
use countersign_core::role::{MemberRole, WorkspaceRole};
use maud::{Markup, html};

use super::People;
use crate::frame::Scene;
use crate::page::settings::Sudo;
use crate::part::button::{Tone, link, submit};
use crate::part::copy;
use crate::part::field::{Field, Takes, csrf};
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Kind, notice};
use crate::part::role;
use crate::part::select::Select;
use crate::part::text::visible;
use crate::part::time::time;
use crate::part::wrong::beside;

/// The fields that a refusal may concern.
pub(super) const FIELDS: [&str; 1] = ["mail"];

/// The form, as a browser sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// The mail address.
    pub mail: String,
    /// The place in the workspace.
    pub role: String,
    /// The id of a project, or nothing.
    pub project: String,
    /// The role in it.
    pub project_role: String,
}

/// The link of one that was made just now.
pub(super) fn made(link: &str) -> Markup {
    html! {
        section.card aria-label="New invitation" role="status" {
            div.pad.stack.tight {
                (notice(Kind::Good, "The invitation is made", &html! { "Send them this link. It works once, for a week, and is not shown again." }))
                (copy::line("invitation", link))
            }
        }
    }
}

/// The open ones; the page and the live stream render them.
pub fn invitations(scene: &Scene<'_>, all: &[InvitationView]) -> Markup {
    html! {
        section.card #invitations aria-label="Invitations" aria-live="polite" hidden[all.is_empty()] {
            header { h2 { "Invited" } span.faint.small { (all.len()) } }
            ul.list { @for one in all { (invitation(scene, one)) } }
        }
    }
}

fn invitation(scene: &Scene<'_>, one: &InvitationView) -> Markup {
    html! {
        li {
            span.faint { (icon(Icon::Clock)) }
            div.what {
                span.name { (visible(&one.mail)) }
                div.facts {
                    span { "as " (one.role.as_str()) }
                    @if let Some((_, in_project)) = one.project { span { (in_project.as_str()) " of a project" } }
                    span { "invited " (time(one.created_at, scene.now)) }
                    span { "ends " (time(one.expires_at, scene.now)) }
                }
            }
            div.trail {
                form.over method="post" action={ "/people/invitations/" (one.id) "/withdraw" } {
                    (csrf(&scene.viewer.csrf))
                    button.button type="submit" aria-label={ "Withdraw the invitation of " (one.mail) } { "Withdraw" }
                }
            }
        }
    }
}

/// A new one.
pub(super) fn form(scene: &Scene<'_>, view: &People<'_>) -> Markup {
    html! {
        section.card #invite aria-label="Invite somebody" {
            header { h2 { "Invite somebody" } }
            @match view.sudo {
                Sudo::Open => (fields(scene, view)),
                Sudo::Closed => div.pad.row.apart {
                    span.small.soft { "Confirm who you are to invite somebody." }
                    (link(Tone::Plain, "/sudo?to=/people", &html! { "Confirm it is you" }))
                },
            }
        }
    }
}

fn fields(scene: &Scene<'_>, view: &People<'_>) -> Markup {
    let typed = view.typed;
    let places = [(WorkspaceRole::Member, "Member"), (WorkspaceRole::Owner, "Owner")]
        .map(|(role, word)| (role.as_str().to_owned(), word.to_owned()));
    let none = (String::new(), "No project yet".to_owned());
    let projects = view.projects.iter().map(|project| (project.id.to_string(), project.name.clone()));
    let chosen =
        if typed.project_role.is_empty() { MemberRole::Editor.as_str() } else { &typed.project_role };
    html! {
        form.pad.form method="post" action="/people/invitations" {
            (csrf(&scene.viewer.csrf))
            (Field::new("mail", "Mail address", Takes::Mail).autocomplete("off").value(&typed.mail).wrong(beside(view.problem, "mail"))
                .hint("They make their own account by the link that you send them. No mail is sent from here.").render())
            (Select { name: "role", id: "role", label: "Place in the workspace", options: places.into(), chosen: &typed.role, hint: "Owners may do everything, everywhere.", wrong: None }.render())
            (Select { name: "project", id: "project", label: "Project", options: std::iter::once(none).chain(projects).collect(), chosen: &typed.project, hint: "", wrong: None }.render())
            (Select { name: "project_role", id: "project-role", label: "Role in it", options: role::options(), chosen, hint: role::HINT, wrong: None }.render())
            div { (submit(Tone::Primary, &html! { "Make invitation" })) }
        }
    }
}
