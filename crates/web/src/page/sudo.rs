//! The password again, before something that a borrowed browser must not do.

use countersign_core::problem::Problem;
use maud::{Markup, html};

use crate::frame::{self, Width};
use crate::part::button::{Tone, submit_full};
use crate::part::field::{Field, Takes, csrf};
use crate::part::notice;
use crate::part::text::visible;

/// The page; `to` is where the person goes on.
pub fn page(form_token: &str, to: &str, mail: &str, problem: Option<&Problem>) -> Markup {
    let body = html! {
        div.card {
            form.form.pad method="post" action="/sudo" {
                (csrf(form_token))
                input type="hidden" name="to" value=(to);
                div.stack.tight {
                    h1 { "Confirm it is you" }
                    p.soft { "Signed in as " b { (visible(mail)) } ". For the next 10 minutes you are not asked again." }
                }
                @if let Some(problem) = problem { (notice::problem(problem)) }
                input type="hidden" name="mail" value=(mail) autocomplete="username";
                (Field::new("password", "Password", Takes::Password).render())
                (submit_full(Tone::Primary, "Go on"))
            }
        }
    };
    frame::alone("Confirm it is you", Width::Narrow, &body)
}
