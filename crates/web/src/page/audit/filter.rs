//! The filter of the audit log: a form that asks by its address, so that a filtered page can be kept and sent.

use countersign_app::audit::view::AuditView;
use countersign_app::connection::view::Outcome;
use countersign_core::problem::Code;
use maud::{Markup, html};

use super::Around;
use crate::part::button::{Tone, link, submit};
use crate::part::field::{Field, Takes};
use crate::part::icon::{Icon, icon};
use crate::part::select::Select;
use crate::part::wrong::beside;

/// The fields beside which stands what is wrong with them.
pub(super) const FIELDS: [&str; 4] = ["text", "action", "from", "until"];

/// The form. It is folded up while it asks for nothing.
pub(super) fn form(view: &AuditView, around: &Around<'_>) -> Markup {
    let filter = &view.filter;
    let used = !filter.is_empty() || around.problem.is_some();
    let text = |id: Option<String>| id.unwrap_or_default();
    let (actor, connection) =
        (text(filter.actor.map(|id| id.to_string())), text(filter.connection.map(|id| id.to_string())));
    let resource = text(filter.resource.map(|id| id.to_string()));
    let code = filter.code.map_or("", Code::as_str);
    let outcome = filter.outcome.map_or("", Outcome::as_str);
    let wrong = |field| beside(around.problem, field);
    let day = |name, label, value| {
        Field::new(name, label, Takes::Day).value(value).optional().wrong(wrong(name)).render()
    };
    html! {
        details.card.fold open[used] {
            summary.pad { (icon(Icon::Search)) "Filter" span.push.turn { (icon(Icon::Chevron)) } }
            form.form.pad.under method="get" action="/audit" {
                div.pair {
                    (Field::new("text", "Text", Takes::Text).value(&filter.text).optional().wrong(wrong("text")).render())
                    (Field::new("action", "Action begins with", Takes::Text).value(&filter.action).optional().wrong(wrong("action")).render())
                }
                div.pair {
                    (select("actor", "Person", "Anybody", &view.people, &actor))
                    (select("connection", "Connection", "Any or none", &view.connections, &connection))
                    (select("resource", "Resource", "Any or none", &view.resources, &resource))
                }
                div.pair {
                    (select("outcome", "Outcome", "Any", &outcomes(), outcome))
                    (select("code", "Code", "Any or none", &codes(), code))
                    (day("from", "From", around.days.0))
                    (day("until", "Until", around.days.1))
                }
                div.row {
                    (submit(Tone::Primary, &html! { "Show" }))
                    @if used { (link(Tone::Quiet, "/audit", &html! { "Show all" })) }
                }
            }
        }
    }
}

fn select(name: &str, label: &str, any: &str, known: &[(String, String)], chosen: &str) -> Markup {
    let mut options = vec![(String::new(), any.to_owned())];
    // One that is chosen and not among the first few hundred stands there by its id.
    let unknown = !chosen.is_empty() && known.iter().all(|(id, _)| id != chosen);
    options.extend(unknown.then(|| (chosen.to_owned(), chosen.to_owned())));
    options.extend(known.iter().cloned());
    Select { name, id: name, label, options, chosen, hint: "", wrong: None }.render()
}

fn outcomes() -> Vec<(String, String)> {
    let told = |outcome: Outcome| match outcome {
        Outcome::Done => "Done",
        Outcome::Refused => "Refused",
        Outcome::Cancelled => "Cancelled",
    };
    Outcome::ALL.map(|outcome| (outcome.as_str().to_owned(), told(outcome).to_owned())).to_vec()
}

fn codes() -> Vec<(String, String)> {
    Code::ALL.iter().map(|code| (code.as_str().to_owned(), code.as_str().to_owned())).collect()
}
