//! Sign-in by mail address and password, or by a passkey.

use countersign_core::problem::Problem;
use maud::{Markup, html};

use crate::frame::{self, Width};
use crate::part::button::{Tone, submit_full};
use crate::part::field::{Field, Takes, csrf};
use crate::part::notice;
use crate::part::passkey;

/// What the page is made with.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Guards a form that has no session yet.
    pub form_token: &'a str,
    /// Where the person goes on.
    pub to: &'a str,
    /// Whether browsers have passkeys at the public address.
    pub passkeys: bool,
}

/// The page, with the mail address that was typed and what was wrong.
pub fn page(asked: &Asked<'_>, mail: &str, problem: Option<&Problem>) -> Markup {
    let body = html! {
        div.card {
            form.form.pad method="post" action="/sign-in" {
                (csrf(asked.form_token))
                input type="hidden" name="to" value=(asked.to);
                h1 { "Sign in" }
                @if let Some(problem) = problem { (notice::problem(problem)) }
                (Field::new("mail", "Mail address", Takes::Mail).value(mail).render())
                (Field::new("password", "Password", Takes::Password).render())
                (submit_full(Tone::Primary, "Sign in"))
                @if asked.passkeys { (passkey::instead("/sign-in/passkey", "Use a passkey", None)) }
            }
        }
        p.after {
            "Forgot your password? "
            @if asked.passkeys { "A passkey signs you in without it. " }
            "An owner of the workspace sets a new one with "
            code { "countersign member password" }
            ". The only owner has no other way than " @if asked.passkeys { "a passkey or " }
            "the same command with a token of theirs that decides."
        }
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
