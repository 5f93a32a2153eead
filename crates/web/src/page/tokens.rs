//! One's own tokens: what programs of a person sign in with, each shown once.

use countersign_app::token::view::TokenView;
use countersign_core::problem::Problem;
use countersign_core::scope::TokenScope;
use maud::{Markup, html};

use crate::frame::{self, Page, Scene, Section};
use crate::part::button::{Tone, link, submit};
use crate::part::copy;
use crate::part::empty::empty;
use crate::part::field::{Field, Takes, csrf};
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Kind, notice};
use crate::part::select::Select;
use crate::part::text::visible;
use crate::part::time::time;
use crate::part::wrong::{above, beside};

use super::settings::Sudo;

/// What the page shows.
#[derive(Debug)]
pub struct Tokens<'a> {
    /// The live ones, the newest on top.
    pub tokens: &'a [TokenView],
    /// Whether the sudo window is open.
    pub sudo: Sudo,
    /// The secret of one that was made just now: the only sight of it.
    pub secret: Option<&'a str>,
    /// What was typed.
    pub typed: &'a Typed,
    /// What was refused just now.
    pub problem: Option<&'a Problem>,
}

/// The form, as a browser sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// The name.
    pub name: String,
    /// The scopes.
    pub scopes: Vec<TokenScope>,
    /// How many hours it lives.
    pub hours: String,
}

/// How long a token may live: hours and words.
const LIVES: [(&str, &str); 5] =
    [("1", "1 hour"), ("24", "1 day"), ("720", "30 days"), ("2160", "90 days"), ("8760", "1 year")];

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &Tokens<'_>, live: &str) -> Markup {
    let main = html! {
        div.head {
            nav.crumb aria-label="Where" { a href="/settings" { "Settings" } }
            h1 { "Tokens" }
            p.lead { "A token signs a program in as you, for Git and the REST API. Assistants need none: connect them." }
        }
        @if let Some(secret) = view.secret { (made(secret)) }
        @if let Some(problem) = view.problem { (above(problem, &["name", "scopes", "lifetime"])) }
        (list(scene, view.tokens))
        (form(scene, view))
    };
    let page = Page { title: "Tokens", section: Section::Elsewhere, live, bar: false, wide: false };
    frame::app(scene, &page, &main)
}

fn made(secret: &str) -> Markup {
    html! {
        section.card aria-label="New token" role="status" {
            div.pad.stack.tight {
                (notice(Kind::Good, "The token is made", &html! { "Copy it now: it is not shown again, to anybody." }))
                (copy::line("secret", secret))
            }
        }
    }
}

fn list(scene: &Scene<'_>, tokens: &[TokenView]) -> Markup {
    html! {
        section.card #tokens aria-label="Tokens" {
            @if tokens.is_empty() {
                (empty(Icon::Key, "No token", "Make one below when a program of yours is to clone, push or call the API.", None))
            } @else {
                header { h2 { "In use" } span.faint.small { (tokens.len()) } }
                ul.list { @for token in tokens { (one(scene, token)) } }
            }
        }
    }
}

fn one(scene: &Scene<'_>, token: &TokenView) -> Markup {
    html! {
        li {
            span.faint { (icon(Icon::Key)) }
            div.what {
                span.name { (visible(&token.name)) }
                div.facts {
                    @for scope in token.scopes.iter() { span { code { (scope.as_str()) } } }
                    span { "ends " (time(token.expires_at, scene.now)) }
                    span { @if let Some(at) = token.used_at { "last used " (time(at, scene.now)) } @else { "not used yet" } }
                }
            }
            div.trail {
                form.over method="post" action={ "/tokens/" (token.id) "/revoke" } {
                    (csrf(&scene.viewer.csrf))
                    button.button type="submit" aria-label={ "Revoke " (token.name) } { "Revoke" }
                }
            }
        }
    }
}

fn form(scene: &Scene<'_>, view: &Tokens<'_>) -> Markup {
    html! {
        section.card #new aria-label="New token" {
            header { h2 { "New token" } }
            @match view.sudo {
                Sudo::Open => (fields(scene, view)),
                Sudo::Closed => div.pad.row.apart {
                    span.small.soft { "Confirm who you are to make one." }
                    (link(Tone::Plain, "/sudo?to=/tokens", &html! { "Confirm it is you" }))
                },
            }
        }
    }
}

fn fields(scene: &Scene<'_>, view: &Tokens<'_>) -> Markup {
    let wrong = |field| beside(view.problem, field);
    let options = LIVES.map(|(hours, words)| (hours.to_owned(), words.to_owned())).into();
    let chosen = if view.typed.hours.is_empty() { "720" } else { &view.typed.hours };
    let hint = "One that decides proposals lives for a day at most.";
    html! {
        form.pad.form method="post" action="/tokens" {
            (csrf(&scene.viewer.csrf))
            (Field::new("name", "Name", Takes::Text).limit(80).value(&view.typed.name).wrong(wrong("name"))
                .hint("So that you know it again, for example: build server.").render())
            fieldset.field {
                legend { "It may" }
                @if let Some(wrong) = wrong("scopes") { p.wrong role="alert" { (wrong) } }
                @for scope in TokenScope::ALL {
                    label.choice {
                        input type="checkbox" name="scope" value=(scope.as_str()) checked[view.typed.scopes.contains(&scope)];
                        span { b { (in_words(scope)) } small { code { (scope.as_str()) } } }
                    }
                }
            }
            (Select { name: "hours", id: "hours", label: "It lives for", options, chosen, hint, wrong: wrong("lifetime") }.render())
            div { (submit(Tone::Primary, &html! { "Make token" })) }
        }
    }
}

const fn in_words(scope: TokenScope) -> &'static str {
    match scope {
        TokenScope::RepoRead => "Clone and fetch",
        TokenScope::RepoWrite => "Push",
        TokenScope::Api => "Call the REST API",
        TokenScope::Decide => "Decide proposals: never give it to an agent",
    }
}
