//! Who may do what on a repository: the role in the project, and the own one that counts instead.

use countersign_app::repository::RepositoryMemberView;
use countersign_core::id::ResourceId;
use countersign_core::role::MemberRole;
use maud::{Markup, html};

use crate::frame::Scene;
use crate::part::field::csrf;
use crate::part::find::first;
use crate::part::icon::{Icon, icon};
use crate::part::role::word;
use crate::part::text::{initials, visible};

/// Everybody with a role, each with a form for the own one.
pub(super) fn list(scene: &Scene<'_>, id: ResourceId, members: &[RepositoryMemberView]) -> Markup {
    let picked = first(members);
    html! {
        section.card #members aria-label="People" {
            header { h2 { "People" } span.faint.small { (members.len()) } span.faint.small { "A role of their own counts instead of the one in the project." } }
            ul.list { @for member in &picked.rows { (one(scene, id, member)) } }
            (picked.rest("Name others by their mail address below."))
            (another(scene, id))
        }
    }
}

/// For whoever is not in the list yet.
fn another(scene: &Scene<'_>, id: ResourceId) -> Markup {
    html! {
        form.inline.pad method="post" action={ "/repositories/" (id) "/members" } {
            (csrf(&scene.viewer.csrf))
            input.input type="email" name="mail" required maxlength="200" autocomplete="off" spellcheck="false"
                autocapitalize="none" placeholder="Mail address" aria-label="Mail address of somebody of this workspace";
            select.input name="role" aria-label="Their role" {
                @for role in MemberRole::ALL { option value=(role.as_str()) { (word(role)) } }
            }
            button.button type="submit" { "Give this role" }
        }
    }
}

fn one(scene: &Scene<'_>, id: ResourceId, member: &RepositoryMemberView) -> Markup {
    html! {
        li {
            span.avatar aria-hidden="true" { (initials(&member.name)) }
            div.what {
                span.name { (visible(&member.name)) }
                div.facts {
                    span { span.cut { (visible(&member.mail)) } }
                    span { (icon(Icon::Folder)) @if let Some(role) = member.project_role { (role.as_str()) " in the project" } @else { "not in the project" } }
                }
            }
            div.trail {
                @if member.owns_workspace { "Owner of the workspace: owner everywhere" } @else { (form(scene, id, member)) }
            }
        }
    }
}

fn form(scene: &Scene<'_>, id: ResourceId, member: &RepositoryMemberView) -> Markup {
    html! {
        form.inline method="post" action={ "/repositories/" (id) "/members" } {
            (csrf(&scene.viewer.csrf))
            input type="hidden" name="user" value=(member.user);
            select.input name="role" aria-label={ "Role of " (member.name) } {
                option value="" selected[member.repository_role.is_none()] { "As in the project" }
                @for role in MemberRole::ALL {
                    option value=(role.as_str()) selected[member.repository_role == Some(role)] { (word(role)) }
                }
            }
            button.button type="submit" aria-label={ "Save the role of " (member.name) } { "Save" }
        }
    }
}
