//! A refusal as a page of its own: code, sentence, next action, facts.

use countersign_core::problem::Problem;
use maud::{Markup, html};
use serde_json::Value;

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
                div.row { (link(Tone::Primary, "/", &html! { "To the start" })) }
            }
        }
    };
    frame::alone("Problem", Width::Roomy, &main)
}

/// The refusal's own sentence; for a page that is not there, words for a person.
fn heading(problem: &Problem) -> &str {
    &problem.message
}

fn facts(problem: &Problem) -> Markup {
    html! {
        dl.terms {
            @for (name, value) in &problem.facts {
                dt { (name) }
                dd { code { @if let Value::String(text) = value { (text) } @else { (value) } } }
            }
        }
    }
}
