//! Sign-in by mail address and password.

use countersign_core::problem::Problem;
use maud::{Markup, html};

use crate::frame::{self, Width};
use crate::part::button::{Tone, submit_full};
use crate::part::field::{Field, Takes, csrf};
use crate::part::notice;

/// The page; `to` is where the person goes on, `form_token` guards a form that has no session yet.
pub fn page(form_token: &str, to: &str, mail: &str, problem: Option<&Problem>) -> Markup {
    let body = html! {
        div.card {
            form.form.pad method="post" action="/sign-in" {
                (csrf(form_token))
                input type="hidden" name="to" value=(to);
                h1 { "Sign in" }
                @if let Some(problem) = problem { (notice::problem(problem)) }
                (Field::new("mail", "Mail address", Takes::Mail).value(mail).render())
                (Field::new("password", "Password", Takes::Password).render())
                (submit_full(Tone::Primary, "Sign in"))
            }
        }
        p.after { "A forgotten password cannot be reset here. Ask whoever runs the server." }
    };
    frame::alone("Sign in", Width::Narrow, &body)
}

/// The page while nobody has set the server up.
pub fn not_set_up() -> Markup {
    let body = html! {
        div.card {
            div.pad.stack {
                h1 { "Not set up yet" }
                p.soft { "The server printed a link when it started. Open it to create the workspace and its first owner." }
            }
        }
    };
    frame::alone("Not set up yet", Width::Narrow, &body)
}
