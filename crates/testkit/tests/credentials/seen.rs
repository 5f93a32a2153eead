//! What an answer is, as far as a credential decides it: the status, and the code of the problem or the page that it
//! leads to.

use countersign_core::route::{Route, Who};
use reqwest::header::{CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE};
use serde_json::Value;

/// The class of an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Seen {
    /// The status.
    pub(crate) status: u16,
    /// The code of a problem, or `to PAGE`; empty where an answer says no more than its status.
    pub(crate) word: String,
    /// Whether it names the way in (RFC 9110 §11.6.1).
    pub(crate) challenge: bool,
}

/// What says that a credential does not open a route.
const AT_THE_DOOR: [&str; 4] =
    ["agent_scope_denied", "token_scope_denied", "insufficient_scope", "csrf_refused"];

impl Seen {
    /// Reads an answer and gives its text too; a stream is left unread.
    pub(crate) async fn of(answer: reqwest::Response) -> (Self, String) {
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let header = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let (kind, location) = (header(CONTENT_TYPE), header(LOCATION));
        let is_stream = kind.starts_with("text/event-stream");
        let text = if is_stream { String::new() } else { answer.text().await.unwrap_or_default() };
        let word = if !location.is_empty() {
            format!("to {}", page(location))
        } else if kind.contains("json") {
            code_of_json(&text)
        } else {
            code_of_page(&text)
        };
        (Self { status, word, challenge: headers.contains_key(WWW_AUTHENTICATE) }, text)
    }

    /// Whether it was refused because of the credential.
    pub(crate) fn is_refused(&self, route: &Route) -> bool {
        let sent_away = route.method == "GET" && self.word == "to /sign-in";
        // Git and the connector's refusal of other sites say no code.
        let plain = self.status == 403 && self.word.is_empty();
        self.status == 401 || sent_away || plain || AT_THE_DOOR.contains(&self.word.as_str())
    }

    /// Whether it answers a person's call with a 401 that does not say how to come in.
    pub(crate) fn lacks_challenge(&self, route: &Route) -> bool {
        let machines = matches!(
            route.who,
            Who::Password | Who::Token | Who::DecidingToken | Who::GitToken | Who::GitWriteToken | Who::Agent
        );
        machines && self.status == 401 && !self.challenge
    }

    /// A short mark: the status and the first letters of the words.
    pub(crate) fn mark(&self) -> String {
        let words = self.word.strip_prefix("to ").unwrap_or(&self.word);
        let letters =
            words.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|word| word.chars().next());
        format!("{}{}", self.status, letters.collect::<String>())
    }
}

/// The path of an address of ours, ids left out.
fn page(location: &str) -> String {
    let path =
        reqwest::Url::parse(location).map_or_else(|_| location.to_owned(), |url| url.path().to_owned());
    let path = path.split('?').next().unwrap_or_default();
    let parts = path.split('/').map(|part| if part.len() == 36 { "{id}" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// The code in a problem document, in an error of OAuth, in a tool result, in an error of JSON-RPC.
fn code_of_json(text: &str) -> String {
    let body: Value = serde_json::from_str(text).unwrap_or_default();
    if body["result"]["isError"] == true {
        let said = body["result"]["content"][0]["text"].as_str().unwrap_or_default();
        let problem: Value = serde_json::from_str(said).unwrap_or_default();
        // Hosts look for these two words.
        let words = if said == "Authentication required" { "unauthenticated" } else { "unreadable" };
        return problem["code"].as_str().unwrap_or(words).to_owned();
    }
    let places = [&body["code"], &body["error"], &body["error"]["data"]["code"]];
    places.iter().find_map(|code| code.as_str()).unwrap_or_default().to_owned()
}

/// The code on the page of a problem, or on another page above a form.
fn code_of_page(text: &str) -> String {
    let shown = text.split("<code class=\"small faint\">").nth(1).and_then(|rest| rest.split('<').next());
    shown.and_then(|shown| shown.split(' ').next_back()).unwrap_or_default().to_owned()
}
