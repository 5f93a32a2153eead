//! An invitation: its code, then what it offers, and the account to be.

use countersign_app::invitation::view::Offer;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::WorkspaceRole;
use maud::{Markup, html};

use crate::frame::{self, Width};
use crate::part::button::{Tone, submit_full};
use crate::part::field::{Field, Takes, csrf};
use crate::part::notice::{self, Kind};
use crate::part::role::word;
use crate::part::text::visible;
use crate::part::wrong::{above, beside};

/// Asks for the code. A script that finds it in the link goes on by itself.
pub fn code(form_token: &str, typed: &str, problem: Option<&Problem>) -> Markup {
    let main = html! {
        div.card {
            form.form.pad method="post" action="/join/look" data-goes-on {
                (csrf(form_token))
                div.stack.tight {
                    h1 { "Join a workspace" }
                    p.soft { "Somebody invited you by a link. It works once." }
                }
                @if let Some(problem) = problem { (refused(problem)) }
                (Field::new("token", "Code of the invitation", Takes::Text).value(typed)
                    .hint("The part after # in the link that you were sent.").render())
                (submit_full(Tone::Primary, "Look at the invitation"))
            }
        }
    };
    frame::alone("Join", Width::Narrow, &main)
}

/// Whoever holds no open invitation is told the same, whatever is wrong with theirs.
fn refused(problem: &Problem) -> Markup {
    if problem.code != Code::NotFound {
        return notice::problem(problem);
    }
    let next = html! {
        "A link ends when it was used or withdrawn, and after a week. Ask who invited you for a new one, or "
        a href="/sign-in" { "sign in" } " if you have an account. If it is new, copy the whole of it again."
    };
    html! { div role="alert" { (notice::notice(Kind::Bad, "This invitation is over", &next)) } }
}

/// What is offered, and what the person fills in.
pub fn offer(
    (form_token, code): (&str, &str),
    offer: &Offer,
    name: &str,
    problem: Option<&Problem>,
) -> Markup {
    let wrong = |field: &str| beside(problem, field);
    let main = html! {
        div.card {
            form.form.pad method="post" action="/join" {
                (csrf(form_token))
                input type="hidden" name="token" value=(code);
                div.stack.tight {
                    h1 { "Join " (visible(&offer.workspace)) }
                    p.soft { b { (visible(&offer.inviter)) } " invites you " (place(offer)) }
                }
                @if let Some(problem) = problem { (above(problem, &["name", "password"])) }
                (Field::new("mail", "Your mail address", Takes::Mail).value(&offer.mail).fixed().render())
                (Field::new("name", "Your name", Takes::Text).value(name).limit(80).wrong(wrong("name")).autocomplete("name")
                    .hint("It stands in every commit that you approve.").render())
                (Field::new("password", "Password", Takes::NewPassword).wrong(wrong("password")).hint("At least 12 characters.").render())
                (submit_full(Tone::Primary, "Join"))
            }
        }
    };
    frame::alone("Join", Width::Narrow, &main)
}

fn place(offer: &Offer) -> Markup {
    html! {
        @match offer.role {
            WorkspaceRole::Owner => "as an owner of the workspace, who may do everything",
            WorkspaceRole::Member => "as a member of the workspace",
        }
        @if let Some((project, role)) = &offer.project {
            ", and into the project " b { (visible(project)) } " as " (word(*role).to_lowercase())
        }
        "."
    }
}
