//! A refusal as a page of its own: code, sentence, next action, facts.

use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use maud::{Markup, html};
use serde_json::Value;

use crate::address::{self, Leaf};
use crate::frame::{self, Width};
use crate::part::button::{Tone, link};
use crate::part::icon::{Icon, icon};

/// The page of a problem that ends a request.
pub fn page(problem: &Problem) -> Markup {
    let main = html! {
        section.card role="alert" {
            div.pad.stack {
                div.row {
                    span.faint { (icon(Icon::Alert)) }
                    code.small.faint { (problem.code.status()) " " (problem.code.as_str()) }
                }
                h1 { (heading(problem)) }
                p.soft { (problem.next_action_of_people()) }
                @if !problem.facts.is_empty() { (facts(problem)) }
                (ways(problem))
            }
        }
    };
    frame::alone("Problem", Width::Roomy, &main)
}

/// Where to go on: to the repository, where the reader may know it, and to the start.
fn ways(problem: &Problem) -> Markup {
    let root = TreePath::default();
    html! {
        div.row {
            @if let Some(id) = repository(problem) {
                (link(Tone::Primary, &address::at(Leaf::Files, id, &root, None), &html! { "To the repository" }))
                (link(Tone::Plain, &address::at(Leaf::Branches, id, &root, None), &html! { "Branches and tags" }))
                (link(Tone::Plain, "/", &html! { "To the start" }))
            } @else {
                (link(Tone::Primary, "/", &html! { "To the start" }))
            }
        }
    }
}

fn repository(problem: &Problem) -> Option<ResourceId> {
    problem.facts.get("repository").and_then(Value::as_str).and_then(|id| ResourceId::parse(id).ok())
}

/// The refusal's own sentence; for a page that is not there, words for a person.
fn heading(problem: &Problem) -> &str {
    &problem.message
}

fn facts(problem: &Problem) -> Markup {
    html! {
        dl.terms {
            @for (name, value) in problem.facts.iter().filter(|(name, _)| *name != "repository") {
                dt { (name) }
                dd { code { @if let Value::String(text) = value { (text) } @else { (value) } } }
            }
        }
    }
}
