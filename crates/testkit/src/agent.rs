//! An agent that knows the connector's URL alone: discovery, registration, PKCE, consent by its owner's browser,
//! tokens, and tool calls of the 2025-11-25 era as plain JSON.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::header::{HeaderMap, WWW_AUTHENTICATE};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::browser::Browser;

/// Where the answer of a consent goes; nobody listens, the code is read off the redirect.
pub const REDIRECT: &str = "http://127.0.0.1:9/callback";
/// The verifier of RFC 7636, Appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
/// Its challenge.
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A connected agent.
#[derive(Debug)]
pub struct Agent {
    http: Client,
    /// The connector.
    pub url: String,
    /// The access token.
    pub access: String,
    /// The refresh token.
    pub refresh: String,
    /// The registered client.
    pub client_id: String,
    /// The token endpoint.
    pub token_endpoint: String,
    next_id: AtomicU64,
}

/// The answer to one call.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The JSON-RPC message.
    pub body: Value,
}

impl Answer {
    /// The structured content of a tool result that is no error; the test fails otherwise.
    pub fn ok(&self) -> &Value {
        let result = &self.body["result"];
        assert!(
            self.status.is_success() && result["isError"] != json!(true),
            "{} {}",
            self.status,
            self.body
        );
        &result["structuredContent"]
    }

    /// The code of a tool result that is an error.
    pub fn code(&self) -> String {
        self.refusal()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// Code, message, next action and facts of a tool result that is an error: the JSON of its text.
    pub fn refusal(&self) -> Value {
        let result = &self.body["result"];
        assert_eq!(result["isError"], json!(true), "{} {}", self.status, self.body);
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        serde_json::from_str(text).unwrap_or_else(|_| panic!("a refusal in JSON was expected, not {text}"))
    }
}

/// An authorization that a person consented to and that nobody redeemed yet.
#[derive(Debug)]
pub struct Authorization {
    http: Client,
    url: String,
    client_id: String,
    token_endpoint: String,
    /// The authorization code.
    pub code: String,
}

impl Authorization {
    /// Asks at the server at `base`: the owner's browser is signed in and consents to `scope`.
    pub async fn ask(base: &str, owner: &mut Browser, name: &str, password: &str, scope: &str) -> Self {
        let http = Client::new();
        let url = format!("{base}/api/v1/external-mcp");
        let metadata = discover(&http, &url).await;
        let registration =
            json!({ "client_name": name, "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none" });
        let registered = post_json(&http, text(&metadata["registration_endpoint"]), &registration).await;
        let client_id = text(&registered["client_id"]).to_owned();
        let code = consent(owner, &metadata, (&client_id, &url), (password, scope)).await;
        let token_endpoint = text(&metadata["token_endpoint"]).to_owned();
        Self { http, url, client_id, token_endpoint, code }
    }

    /// Exchanges the code for tokens.
    pub async fn redeem(self) -> Agent {
        let Self { http, url, client_id, token_endpoint, code } = self;
        let form = [
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("redirect_uri", REDIRECT),
            ("client_id", &client_id),
            ("code_verifier", VERIFIER),
            ("resource", &url),
        ];
        let answer = http.post(&token_endpoint).form(&form).send().await.expect("tokens");
        let tokens: Value = answer.json().await.expect("tokens in JSON");
        let (access, refresh) =
            (text(&tokens["access_token"]).to_owned(), text(&tokens["refresh_token"]).to_owned());
        Agent { http, url, access, refresh, client_id, token_endpoint, next_id: AtomicU64::new(1) }
    }
}

impl Agent {
    /// Connects to the server at `base`: the owner's browser is signed in and consents to `scope`.
    pub async fn connect(base: &str, owner: &mut Browser, name: &str, password: &str, scope: &str) -> Self {
        Authorization::ask(base, owner, name, password, scope).await.redeem().await
    }

    /// Calls a tool.
    pub async fn call(&self, tool: &str, arguments: Value) -> Answer {
        self.send("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Calls a tool of a server that may go away meanwhile: `None` when it did not answer to the end.
    pub async fn try_call(&self, tool: &str, arguments: Value) -> Option<Answer> {
        self.try_send("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Sends one request.
    pub async fn send(&self, method: &str, params: Value) -> Answer {
        self.try_send(method, params).await.expect("the connector answers")
    }

    async fn try_send(&self, method: &str, params: Value) -> Option<Answer> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let request = self
            .http
            .post(&self.url)
            .bearer_auth(&self.access)
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25")
            .json(&message);
        let answer = request.send().await.ok()?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.ok()?;
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Some(Answer { status, headers, body })
    }
}

async fn discover(http: &Client, url: &str) -> Value {
    let call = json!({ "jsonrpc": "2.0", "id": 0, "method": "tools/call", "params": { "name": "list_granted_resources", "arguments": {} } });
    let refused = http
        .post(url)
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25")
        .json(&call)
        .send()
        .await
        .expect("the connector answers");
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    let challenge = refused.headers()[WWW_AUTHENTICATE].to_str().expect("a challenge in text").to_owned();
    let resource: Value = get_json(http, quoted(&challenge, "resource_metadata")).await;
    let issuer = text(&resource["authorization_servers"][0]).to_owned();
    get_json(http, &format!("{issuer}/.well-known/oauth-authorization-server")).await
}

/// The owner's browser, which is signed in, consents to `scope`; the code.
pub async fn consent(
    owner: &mut Browser,
    metadata: &Value,
    (client_id, resource): (&str, &str),
    (password, scope): (&str, &str),
) -> String {
    let query = [
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", REDIRECT),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("resource", resource),
        ("scope", scope),
        ("state", "s"),
    ];
    let mut address = reqwest::Url::parse(text(&metadata["authorization_endpoint"])).expect("an address");
    address.query_pairs_mut().extend_pairs(query);
    let page = owner.get(address.as_str()).await;
    let answered = owner
        .submit(&page, "/external-assistant-authorize", &[("answer", "approve"), ("password", password)])
        .await;
    let location = answered
        .location
        .clone()
        .unwrap_or_else(|| panic!("no redirect: {} {}", answered.status, answered.body));
    let back = reqwest::Url::parse(&location).expect("an address to return to");
    let code = back.query_pairs().find(|(name, _)| name == "code").map(|(_, code)| code.into_owned());
    code.unwrap_or_else(|| panic!("no code in {location}"))
}

async fn get_json(http: &Client, url: &str) -> Value {
    http.get(url).send().await.expect("an answer").json().await.expect("a document in JSON")
}

async fn post_json(http: &Client, url: &str, body: &Value) -> Value {
    http.post(url).json(body).send().await.expect("an answer").json().await.expect("an answer in JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a text was expected, not {value}"))
}

fn quoted<'a>(challenge: &'a str, name: &str) -> &'a str {
    let start = challenge.find(&format!("{name}=\"")).expect("the parameter is there") + name.len() + 2;
    challenge[start..].split('"').next().unwrap_or_default()
}
