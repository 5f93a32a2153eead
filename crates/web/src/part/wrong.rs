//! A refusal of a form: beside the field that it concerns, or above the form.

use countersign_core::problem::Problem;
use maud::{Markup, html};

use super::notice::{self, Kind};

/// The rule that a field broke, when the problem names that field.
pub fn beside<'a>(problem: Option<&'a Problem>, field: &str) -> Option<&'a str> {
    let facts = &problem?.facts;
    (facts.get("field")?.as_str()? == field).then(|| facts.get("rule")?.as_str()).flatten()
}

/// What stands above a form with these fields: what is wrong with one of them stands beside it; here, only that
/// there is something.
pub fn above(problem: &Problem, fields: &[&str]) -> Markup {
    let of_a_field = problem
        .facts
        .get("field")
        .and_then(|field| field.as_str())
        .is_some_and(|field| fields.contains(&field));
    if of_a_field {
        return notice::notice(Kind::Bad, "One field needs another look", &html! { "It is marked below." });
    }
    notice::problem(problem)
}

/// Names the field that a problem concerns, and says all of the problem beside it.
pub(crate) fn concerns(problem: Problem, field: &str) -> Problem {
    let rule = format!("{} {}", problem.message, problem.next_action_of_people());
    problem.fact("field", field).fact("rule", rule)
}
