//! Sends one request with one credential.

use countersign_core::route::{Route, Who};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, SET_COOKIE};
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};

use crate::cast::OWNER;
use crate::credential::{Credential, Form, Session, is_form};
use crate::ids::Ids;
use crate::request::{Body, body};
use crate::seen::Seen;

/// The token of forms before there is a session.
const FORM_TOKEN: &str = "Zm9ybS10b2tlbi1mb3ItdGhlLW1hdHJpeC1vZi1hbGw";
const OTHER_SITE: &str = "https://other.example";

/// Asks one server.
pub(crate) struct Probe {
    http: Client,
    base: String,
}

impl Probe {
    /// Asks the server at `base`.
    pub(crate) fn at(base: &str) -> Self {
        let http = Client::builder().redirect(reqwest::redirect::Policy::none()).build();
        Self { http: http.expect("a client without TLS can be built"), base: base.to_owned() }
    }

    /// Asks for a route. A session that the answer ends or replaces is begun anew for the next one.
    pub(crate) async fn ask(&self, route: &Route, ids: &Ids, credential: &mut Credential) -> Seen {
        self.read(route, ids, credential).await.0
    }

    /// The same, with the text of the answer.
    pub(crate) async fn read(&self, route: &Route, ids: &Ids, credential: &mut Credential) -> (Seen, String) {
        let method = Method::from_bytes(route.method.as_bytes()).expect("a method");
        let request = self.http.request(method, format!("{}{}", self.base, ids.address(route)));
        let request = carry(self.as_of_a_page(request, route, credential), credential);
        let person = credential.session.as_ref().and_then(|session| session.person).unwrap_or(OWNER);
        let answer = match body(route, ids, person) {
            Body::Empty => request,
            Body::Fields(mut fields) => {
                fields.extend(csrf(route, credential).map(|token| ("csrf", token)));
                request.form(&fields)
            }
            Body::Json(document) => request.json(&document),
            Body::Typed(kind, text) => request.header(CONTENT_TYPE, kind).body(text),
        };
        let answer = answer.send().await.unwrap_or_else(|error| panic!("{route:?}: {error:?}"));
        if sets_session(&answer) {
            self.begin_anew(credential).await;
        }
        Seen::of(answer).await
    }

    /// Begins the session of a credential anew, where one is to be alive.
    pub(crate) async fn begin_anew(&self, credential: &mut Credential) {
        if let Some(session) = &mut credential.session
            && let Some(person) = session.person
        {
            *session = Session::begin(&self.base, person).await;
        }
    }

    /// Calls a tool: in the era of 2025-11-25, or of 2026-07-28, whose headers repeat the message.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: &Value,
        credential: &Credential,
        modern: bool,
    ) -> Seen {
        let mut params = json!({ "name": tool, "arguments": arguments });
        let mut request = self.http.post(format!("{}/api/v1/external-mcp", self.base));
        if modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            request = request
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", "tools/call")
                .header("mcp-name", tool);
        } else {
            request = request.header("mcp-protocol-version", "2025-11-25");
        }
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let request = request.header("accept", "application/json, text/event-stream").json(&message);
        Seen::of(carry(request, credential).send().await.expect("the connector answers")).await.0
    }

    /// What a browser says of the page that sends a form or a script's call.
    fn as_of_a_page(
        &self,
        request: RequestBuilder,
        route: &Route,
        credential: &Credential,
    ) -> RequestBuilder {
        if route.method == "GET" || !(is_form(route) || credential.session.is_some()) {
            return request;
        }
        match credential.form {
            Form::Ours | Form::WithoutToken | Form::MadeUpToken => {
                request.header("origin", &self.base).header("sec-fetch-site", "same-origin")
            }
            Form::CrossSite => request.header("origin", OTHER_SITE).header("sec-fetch-site", "cross-site"),
            Form::OtherOrigin => request.header("origin", OTHER_SITE),
        }
    }
}

fn carry(mut request: RequestBuilder, credential: &Credential) -> RequestBuilder {
    let session = credential.session.as_ref().map(|session| format!("; cs_session={}", session.token));
    request = request.header(COOKIE, format!("cs_form={FORM_TOKEN}{}", session.unwrap_or_default()));
    match &credential.authorization {
        Some(value) => request.header(AUTHORIZATION, value),
        None => request,
    }
}

/// What a form repeats: the token of the session, or of the cookie where there is none.
fn csrf(route: &Route, credential: &Credential) -> Option<String> {
    if !is_form(route) || credential.form == Form::WithoutToken {
        return None;
    }
    if credential.form == Form::MadeUpToken {
        return Some("B".repeat(43));
    }
    let of_session = credential.session.as_ref().filter(|_| route.who == Who::Session);
    Some(of_session.map_or_else(|| FORM_TOKEN.to_owned(), |session| session.csrf.clone()))
}

fn sets_session(answer: &Response) -> bool {
    let mut set = answer.headers().get_all(SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
    set.any(|cookie| cookie.starts_with("cs_session="))
}
