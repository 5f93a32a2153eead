//! Consent: who asks, where the answer goes, what it may do; shown every time, framed by nobody.

use countersign_app::consent::view::{ConsentView, Identity, PendingChoice, ReturnsTo};
use countersign_core::problem::Problem;
use countersign_core::scope::Scope;
use maud::{Markup, html};

use crate::frame::{self, Width};
use crate::part::field::{Field, Takes, csrf};
use crate::part::notice::{self, Kind, notice};
use crate::part::passkey;
use crate::part::text::visible;

/// What the page is made with, besides the question.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The token of the session's forms.
    pub form_token: &'a str,
    /// Whether the person has a passkey that they could give instead of the password.
    pub passkeys: bool,
}

/// The page. The form's answer leads to the client, so no policy here limits where a form may lead.
pub fn page(asked: &Asked<'_>, view: &ConsentView, problem: Option<&Problem>) -> Markup {
    let main = html! {
        div.card {
            form.form.pad method="post" action="/external-assistant-authorize" {
                (csrf(asked.form_token))
                input type="hidden" name="h" value=(view.handle);
                div.stack.tight {
                    h1 { "Connect " (visible(&view.client)) "?" }
                    p.soft { "An assistant with this name asks to work in your workspace. It starts with no project: you choose what it sees afterwards." }
                }
                @if let Some(problem) = problem { (notice::problem(problem)) }
                (identity(view))
                (returns_to(&view.returns_to, &view.identity))
                (workspace(view))
                (capabilities(&view.scopes))
                (which(&view.pending, &view.client))
                @if view.asks_password {
                    (Field::new("password", "Your password", Takes::Password).hint("Asked for again because this lets a program act for you.").render())
                }
                div.stack.tight {
                    button.button.approve.large.full type="submit" name="answer" value="approve" { "Allow access" }
                    @if asked.passkeys { (passkey::instead("/sudo/passkey", "Allow with a passkey", Some("approve"))) }
                    button.button.quiet.full type="submit" name="answer" value="deny" formnovalidate { "Cancel" }
                }
            }
        }
        p.after { "You can revoke it at any time under Connected. It can never write to a repository by itself." }
    };
    frame::alone("Connect an assistant", Width::Roomy, &main)
}

/// How far the name above can be believed. No picture of the client's: it would be fetched from a stranger, and whoever
/// draws the best one would look the most trustworthy.
fn identity(view: &ConsentView) -> Markup {
    match &view.identity {
        Identity::Domain(domain) => html! {
            dl.terms { dt { "Verified domain" } dd { b { (visible(domain)) } } }
        },
        Identity::SelfNamed => html! {
            p.soft { "It calls itself “" (visible(&view.client)) "”. The name is not verified: anyone could use it." }
        },
    }
}

fn returns_to(returns_to: &ReturnsTo, identity: &Identity) -> Markup {
    match (returns_to, identity) {
        (ReturnsTo::Site(host), _) => html! {
            dl.terms { dt { "Answer goes to" } dd { b { (visible(host)) } } }
        },
        (ReturnsTo::Loopback(host), identity) => notice(
            Kind::Warn,
            "The answer goes to an app on this computer",
            &html! {
                "It listens on " code { (visible(host)) } ". Allow it only if you just started that program yourself: "
                @match identity {
                    Identity::Domain(domain) => { "any program here can pretend to be the one of " (visible(domain)) "." }
                    Identity::SelfNamed => { "any program here could use this name." }
                }
            },
        ),
        (ReturnsTo::Application(scheme), _) => notice(
            Kind::Warn,
            "The answer goes to an installed application",
            &html! { "Whichever one opens " code { (visible(scheme)) } " links. Allow it only if you just started it yourself." },
        ),
    }
}

fn workspace(view: &ConsentView) -> Markup {
    html! {
        @if let [only] = view.workspaces.as_slice() {
            dl.terms { dt { "Workspace" } dd { b { (visible(&only.name)) } } }
            input type="hidden" name="workspace" value=(only.id);
        } @else {
            div.field {
                label for="workspace" { "Workspace" }
                select.input id="workspace" name="workspace" required {
                    @for choice in &view.workspaces { option value=(choice.id) { (choice.name) } }
                }
            }
        }
    }
}

fn capabilities(scopes: &[Scope]) -> Markup {
    html! {
        fieldset.field {
            legend { "It may" }
            @for scope in scopes {
                @let (words, more) = in_words(*scope);
                label.choice {
                    input type="checkbox" name="scope" value=(scope.as_str()) checked;
                    span { b { (words) } small { (more) } }
                }
            }
        }
    }
}

const fn in_words(scope: Scope) -> (&'static str, &'static str) {
    match scope {
        Scope::Read => {
            ("Read", "Repositories and their files in the projects that you add, and what happens there.")
        }
        Scope::Write => (
            "Propose changes",
            "Each change waits for a person, who sees it in full before anything is committed.",
        ),
        Scope::Run => ("Start and stop runs", "Of agents that you have set up, as you."),
    }
}

fn which(pending: &[PendingChoice], client: &str) -> Markup {
    html! {
        fieldset.field {
            legend { "Call it" }
            @for (position, choice) in pending.iter().enumerate() {
                label.choice {
                    input type="radio" name="connection" value=(choice.id) checked[position == 0];
                    span { b { (visible(&choice.name)) } small { "Waits for a client · " (choice.kind.name()) } }
                }
            }
            @if pending.is_empty() {
                input type="hidden" name="connection" value="new";
            } @else {
                label.choice {
                    input type="radio" name="connection" value="new";
                    span { b { "A new connection" } small { "With the name below." } }
                }
            }
            input.input name="name" value=(client) maxlength="80" autocomplete="off" spellcheck="false" aria-label="Name of the new connection"
                required[pending.is_empty()];
        }
    }
}
