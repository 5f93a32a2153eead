//! A server with an owner, the internet around it as the test plays it, and the steps of a host as plain requests.

use std::sync::Arc;

use countersign_fetch::testing::Outside;
use countersign_testkit::browser::{Browser, Page};
use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::{PASSWORD, SCOPE, set_up};
use countersign_testkit::server::{OUTSIDE, Options, TestServer};
use reqwest::{Client, StatusCode, Url};
use serde_json::{Value, json};

/// Where a registered client of a test is answered.
pub(crate) const REDIRECT: &str = "https://host.example/cb";
pub(crate) const CONSENT: &str = "/external-assistant-authorize";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub(crate) struct Stage {
    pub(crate) data: Data,
    pub(crate) server: TestServer,
    pub(crate) owner: Browser,
    pub(crate) http: Client,
}

impl Stage {
    pub(crate) async fn open() -> Self {
        Self::with(Options::default()).await
    }

    /// A server that sees `outside` as it is now.
    pub(crate) async fn before(outside: &Arc<Outside>) -> Self {
        let variables = [(OUTSIDE.to_owned(), outside.write())].into();
        Self::with(Options { variables, ..Options::default() }).await
    }

    pub(crate) async fn with(options: Options) -> Self {
        Self::on(Engine::Sqlite, options).await
    }

    pub(crate) async fn on(engine: Engine, options: Options) -> Self {
        let data = Data::new(engine).await;
        let server = TestServer::start(&data, &options).await;
        let mut owner = Browser::new(&server.url);
        set_up(&server, &mut owner).await;
        let http = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { data, server, owner, http }
    }

    /// Starts the server again on the same port.
    pub(crate) async fn restart(&mut self, options: Options) {
        self.server.kill().await;
        let options = Options { port: self.server.port, ..options };
        self.server = TestServer::start(&self.data, &options).await;
    }

    pub(crate) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.server.url)
    }

    pub(crate) async fn register(&self, metadata: &Value) -> String {
        let answer =
            self.http.post(self.at("/api/v1/external-oauth/register")).json(metadata).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::CREATED);
        answer.json::<Value>().await.unwrap()["client_id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn client(&self) -> String {
        self.register(&json!({ "client_name": "Agent", "redirect_uris": [REDIRECT] })).await
    }

    /// The address of an authorization request.
    pub(crate) fn request(&self, client: &str, redirect_uri: &str) -> String {
        let mut url = Url::parse(&self.at("/api/v1/external-oauth/authorize")).unwrap();
        url.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", client),
            ("redirect_uri", redirect_uri),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("scope", SCOPE),
            ("state", "s"),
        ]);
        url.into()
    }

    /// The owner's browser at the question.
    pub(crate) async fn look(&mut self, client: &str, redirect_uri: &str) -> Page {
        let address = self.request(client, redirect_uri);
        self.owner.get(&address).await
    }

    /// The owner, who has just set everything up and is asked for no password, says yes; where the browser is led.
    pub(crate) async fn approve(&mut self, page: &Page) -> String {
        let answered = self.owner.submit(page, CONSENT, &[("answer", "approve")]).await;
        answered.location.unwrap_or_else(|| panic!("no redirect: {} {}", answered.status, answered.body))
    }

    /// The fields of the question's form with a yes and the password in them.
    pub(crate) fn yes(page: &Page) -> Vec<(String, String)> {
        let mut fields = page.form(CONSENT).fields;
        fields.retain(|(name, _)| name != "password");
        for (name, value) in [("answer", "approve"), ("password", PASSWORD)] {
            fields.push((name.to_owned(), value.to_owned()));
        }
        fields
    }

    pub(crate) async fn exchange(&self, client: &str, redirect_uri: &str, code: &str) -> (StatusCode, Value) {
        let form = [
            ("grant_type", "authorization_code"),
            ("client_id", client),
            ("code", code),
            ("redirect_uri", redirect_uri),
            ("code_verifier", VERIFIER),
        ];
        self.token(&form).await
    }

    pub(crate) async fn token(&self, form: &[(&str, &str)]) -> (StatusCode, Value) {
        let answer = self.http.post(self.at("/api/v1/external-oauth/token")).form(form).send().await.unwrap();
        let status = answer.status();
        (status, answer.json().await.unwrap())
    }

    /// The status of a call to the connector.
    pub(crate) async fn call(&self, bearer: Option<&str>) -> StatusCode {
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "list_granted_resources", "arguments": {} } });
        let mut request = self
            .http
            .post(self.at("/api/v1/external-mcp"))
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25")
            .json(&call);
        if let Some(token) = bearer {
            request = request.bearer_auth(token);
        }
        request.send().await.unwrap().status()
    }
}

/// A parameter of an address, decoded.
pub(crate) fn parameter(url: &str, name: &str) -> Option<String> {
    let url = Url::parse(url).unwrap();
    let values: Vec<String> =
        url.query_pairs().filter(|(key, _)| key == name).map(|(_, value)| value.into_owned()).collect();
    assert!(values.len() < 2, "{name} comes twice in {url}");
    values.into_iter().next()
}
