//! What the REST API takes and gives, as data: written once for the server and for the command line.
//!
//! Requests refuse unknown fields. Answers may gain fields, so who reads them ignores what they do not
//! know. A list is read a page at a time (`Items`). A refusal is a problem document of RFC 9457 (`Refusal`).

pub mod audit;
pub mod commit;
pub mod connection;
pub mod invitation;
pub mod person;
pub mod project;
pub mod proposal;
pub mod repository;
pub mod token;
pub mod tree;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::problem::Problem;

/// A list: a page of items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Items<T> {
    /// The items, in the order of the route.
    pub items: Vec<T>,
    /// What to pass as `after` for the items behind these; none at the end of the list.
    #[serde(default)]
    pub next: Option<String>,
}

/// A problem document, RFC 9457, with our code, next action and facts as extension members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// Always `about:blank`: the code says more than an address would (RFC 9457 §4.2.1).
    #[serde(rename = "type", default)]
    pub kind: String,
    /// The code in words.
    #[serde(default)]
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// One sentence for a person.
    #[serde(default)]
    pub detail: String,
    /// The stable code.
    #[serde(default)]
    pub code: String,
    /// One sentence that the caller can carry out.
    #[serde(default)]
    pub next_action: String,
    /// More facts, each under a name of its own.
    #[serde(flatten)]
    pub facts: Map<String, Value>,
}

impl From<&Problem> for Refusal {
    fn from(problem: &Problem) -> Self {
        Self {
            kind: "about:blank".to_owned(),
            title: problem.code.as_str().replace('_', " "),
            status: problem.code.status(),
            detail: problem.message.clone(),
            code: problem.code.as_str().to_owned(),
            next_action: problem.next_action_of_people().to_owned(),
            facts: problem.facts.iter().map(|(name, value)| (beside(name), value.clone())).collect(),
        }
    }
}

/// The name of a fact beside the members of the document: its own, unless a member has it (the `status` of a proposal
/// is not that of the answer).
fn beside(name: &str) -> String {
    match name {
        "type" | "title" | "status" | "detail" | "instance" | "code" | "next_action" => {
            format!("current_{name}")
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Code;

    #[test]
    fn a_refusal_is_read_back_as_it_was_written() {
        let problem = Problem::new(Code::StaleBase, "The branch moved.")
            .fact("base_oid", "a1")
            .fact("branch_head", "b2")
            .fact("status", "stale");
        let refusal = Refusal::from(&problem);
        let text = serde_json::to_string(&refusal).unwrap();
        assert_eq!(serde_json::from_str::<Refusal>(&text).unwrap(), refusal);
        assert!(text.contains(r#""code":"stale_base""#) && text.contains(r#""branch_head":"b2""#), "{text}");
        assert_eq!((refusal.status, &refusal.facts["current_status"]), (409, &Value::from("stale")));
    }

    #[test]
    fn a_refusal_sends_its_reader_to_no_tool_of_an_agent() {
        let refusal = Refusal::from(&Problem::not_found("repository"));
        assert_eq!(refusal.next_action, Code::NotFound.next_action_of_people());
    }
}
