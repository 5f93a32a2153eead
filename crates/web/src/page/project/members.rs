//! The members of a project: their roles, and one more.

use countersign_app::member::view::MemberView;
use countersign_app::project::view::ProjectPage;
use countersign_core::problem::Problem;
use countersign_core::role::{MemberRole, WorkspaceRole};
use maud::{Markup, html};

use crate::frame::Scene;
use crate::part::button::{Tone, submit};
use crate::part::empty::empty;
use crate::part::field::{Field, Takes, csrf};
use crate::part::find::{ROWS, pick};
use crate::part::icon::{Icon, icon};
use crate::part::role::{self, word};
use crate::part::select::Select;
use crate::part::text::{initials, visible};
use crate::part::wrong::beside;

/// The fields that a refusal may concern.
pub(super) const FIELDS: [&str; 3] = ["mail", "name", "password"];

/// The form of a new member, as a browser sends it; but for the password, which is never given back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// The mail address.
    pub mail: String,
    /// The role.
    pub role: String,
    /// The name of somebody who has no account yet.
    pub name: String,
}

/// Who is in it and was asked for; the page and the live stream render it.
pub fn members(scene: &Scene<'_>, view: &ProjectPage, asked: &str) -> Markup {
    let picked = pick(&view.members, asked, |member| [member.name.as_str(), member.mail.as_str()]);
    let here = format!("/projects/{}", view.project.id);
    html! {
        section.card #members aria-label="Members" aria-live="polite" {
            header {
                h2 { "Members" } span.faint.small { (picked.found) }
                @if picked.total > ROWS || !asked.is_empty() { div.push { (picked.field(&here, asked, "Find by name or mail")) } }
                @else { span.faint.small { "Owners of the workspace are owners here too." } }
            }
            @if view.members.is_empty() {
                (empty(Icon::Person, "No member yet", "Only the owners of the workspace see it.", None))
            } @else if picked.rows.is_empty() {
                (empty(Icon::Search, "Nobody here has that in name or mail address", "Look for a shorter part of it.", Some(&html! { a.button href=(here) { "Show all" } })))
            } @else {
                ul.list { @for member in &picked.rows { (one(scene, view, member)) } }
            }
            (picked.rest("Find others by name or mail address."))
        }
    }
}

fn one(scene: &Scene<'_>, view: &ProjectPage, member: &MemberView) -> Markup {
    let at = format!("/projects/{}/members/{}", member.project, member.user);
    html! {
        li {
            span.avatar aria-hidden="true" { (initials(&member.name)) }
            div.what {
                span.name { (visible(&member.name)) }
                div.facts { span { span.cut { (visible(&member.mail)) } } }
            }
            div.trail {
                @if view.project.role == MemberRole::Owner {
                    form.inline method="post" action={ (at) "/role" } {
                        (csrf(&scene.viewer.csrf))
                        select.input name="role" aria-label={ "Role of " (member.name) } {
                            @for role in MemberRole::ALL {
                                option value=(role.as_str()) selected[role == member.role] { (word(role)) }
                            }
                        }
                        button.button type="submit" aria-label={ "Save the role of " (member.name) } { "Save" }
                    }
                    form.over method="post" action={ (at) "/remove" } {
                        (csrf(&scene.viewer.csrf))
                        button.button.quiet.square type="submit" title="Remove" aria-label={ "Remove " (member.name) } { (icon(Icon::Cross)) }
                    }
                } @else {
                    span.tag { (word(member.role)) }
                }
            }
        }
    }
}

/// One more, for owners of the project; those of the workspace make an account on the way.
pub(super) fn add(scene: &Scene<'_>, view: &ProjectPage, typed: &Typed, problem: Option<&Problem>) -> Markup {
    html! {
        @if view.project.role == MemberRole::Owner {
            section.card #add aria-label="Add a member" {
                header { h2 { "Add a member" } }
                form.form.pad method="post" action={ "/projects/" (view.project.id) "/members" } {
                    (csrf(&scene.viewer.csrf))
                    (Field::new("mail", "Mail address", Takes::Mail).autocomplete("off").value(&typed.mail).wrong(beside(problem, "mail")).render())
                    (choice(&typed.role))
                    @if scene.viewer.role == WorkspaceRole::Owner { (account(typed, problem)) }
                    div { (submit(Tone::Primary, &html! { "Add member" })) }
                }
            }
        }
    }
}

fn choice(chosen: &str) -> Markup {
    let (options, hint) = (role::options(), role::HINT);
    Select { name: "role", id: "role", label: "Role", options, chosen, hint, wrong: None }.render()
}

/// Nothing in it is required: most people have an account.
fn account(typed: &Typed, problem: Option<&Problem>) -> Markup {
    let wrong = |field| beside(problem, field);
    html! {
        details.fold open[!typed.name.is_empty() || wrong("name").is_some() || wrong("password").is_some()] {
            summary.small.opens { span.turn { (icon(Icon::Chevron)) } "They have no account yet" }
            div.form.below {
                (Field::new("name", "Their name", Takes::Text).limit(80).value(&typed.name).wrong(wrong("name")).optional().render())
                (Field::new("password", "Their first password", Takes::NewPassword).wrong(wrong("password")).optional()
                    .hint("At least 12 characters. Tell them, and have them change it in their settings.").render())
            }
        }
    }
}
