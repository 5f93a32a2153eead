//! First set-up: the one-time link makes the workspace and its owner.

use countersign_core::problem::Problem;
use maud::{Markup, html};

use crate::frame::{self, Width};
use crate::part::button::{Tone, submit_full};
use crate::part::field::{Field, Takes, csrf};
use crate::part::wrong::{above, beside};

const FIELDS: [&str; 6] = ["token", "workspace_name", "workspace_slug", "name", "mail", "password"];

/// What was typed, given back with what was wrong.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    /// The one-time code.
    pub token: String,
    /// The name of the workspace.
    pub workspace: String,
    /// Its short name.
    pub slug: String,
    /// The person's name.
    pub name: String,
    /// Their mail address.
    pub mail: String,
}

/// The page; `form_token` guards a form that has no session yet.
pub fn page(form_token: &str, typed: &Typed, problem: Option<&Problem>) -> Markup {
    let wrong = |field: &str| beside(problem, field);
    let main = html! {
        div.card {
            form.form.pad method="post" action="/setup" {
                (csrf(form_token))
                div.stack.tight {
                    h1 { "Set up Countersign" }
                    p.soft { "You become the owner of the first workspace. This page works once." }
                }
                @if let Some(problem) = problem { (above(problem, &FIELDS)) }
                (Field::new("token", "Set-up code", Takes::Text).value(&typed.token).wrong(wrong("token"))
                    .hint("The part after # in the link that the server printed.").render())
                (Field::new("workspace_name", "Workspace", Takes::Text).value(&typed.workspace).wrong(wrong("workspace_name")).autocomplete("organization").render())
                (Field::new("workspace_slug", "Short name in addresses", Takes::Text).value(&typed.slug).wrong(wrong("workspace_slug"))
                    .hint("Small letters, digits and hyphens.").render_after("/git/"))
                (Field::new("name", "Your name", Takes::Text).value(&typed.name).wrong(wrong("name")).autocomplete("name")
                    .hint("It stands in every commit that you approve.").render())
                (Field::new("mail", "Your mail address", Takes::Mail).value(&typed.mail).wrong(wrong("mail")).render())
                (Field::new("password", "Password", Takes::NewPassword).wrong(wrong("password")).hint("At least 12 characters.").render())
                (submit_full(Tone::Primary, "Create workspace"))
            }
        }
    };
    frame::alone("Set up", Width::Roomy, &main)
}
