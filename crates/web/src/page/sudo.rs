//! The password or a passkey again, before something that a borrowed browser must not do.

use countersign_core::problem::Problem;
use maud::{Markup, html};

use crate::frame::{self, Width};
use crate::part::button::{Tone, submit_full};
use crate::part::field::{Field, Takes, csrf};
use crate::part::notice;
use crate::part::passkey;
use crate::part::text::visible;

/// What the page is made with.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The token of the session's forms.
    pub form_token: &'a str,
    /// Where the person goes on.
    pub to: &'a str,
    /// Their mail address.
    pub mail: &'a str,
    /// Whether they have a passkey.
    pub passkeys: bool,
}

/// The page, with what was wrong.
pub fn page(asked: &Asked<'_>, problem: Option<&Problem>) -> Markup {
    let mail = asked.mail;
    let body = html! {
        div.card {
            form.form.pad method="post" action="/sudo" {
                (csrf(asked.form_token))
                input type="hidden" name="to" value=(asked.to);
                div.stack.tight {
                    h1 { "Confirm it is you" }
                    p.soft { "Signed in as " b { (visible(mail)) } ". For the next 10 minutes you are not asked again." }
                }
                @if let Some(problem) = problem { (notice::problem(problem)) }
                input type="hidden" name="mail" value=(mail) autocomplete="username";
                (Field::new("password", "Password", Takes::Password).render())
                (submit_full(Tone::Primary, "Go on"))
                @if asked.passkeys { (passkey::instead("/sudo/passkey", "Use a passkey", None)) }
            }
        }
    };
    frame::alone("Confirm it is you", Width::Narrow, &body)
}
