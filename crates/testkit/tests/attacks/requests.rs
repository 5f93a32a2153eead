//! Must show: a client that knows the connector's URL alone needs four requests between its first 401 and its first
//! good call, and three with a metadata document, besides authorize and consent.

use countersign_fetch::testing::{Answer, Outside, PUBLIC};
use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use crate::stage::{Stage, parameter};

const CLIENT: &str = "https://app.example/client.json";
const ANSWERED_AT: &str = "http://127.0.0.1:41234/callback";

/// How a client becomes known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    ByRegistration,
    ByDocument,
}

/// A client that counts what it asks of the server.
struct Counting<'a> {
    stage: &'a Stage,
    asked: Vec<String>,
}

impl Counting<'_> {
    async fn read(&mut self, request: reqwest::RequestBuilder) -> Value {
        let answer = self.ask(request).await;
        assert!(answer.status().is_success(), "{} at {:?}", answer.status(), self.asked);
        answer.json().await.unwrap()
    }

    async fn ask(&mut self, request: reqwest::RequestBuilder) -> Response {
        let request = request.build().unwrap();
        self.asked.push(request.url().path().to_owned());
        self.stage.http.execute(request).await.unwrap()
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The requests from the first 401 to the first good call, without both.
async fn way(known: Known) -> Vec<String> {
    let outside = Outside::new();
    let document =
        json!({ "client_id": CLIENT, "client_name": "App", "redirect_uris": [ANSWERED_AT] }).to_string();
    let _site = outside.site("app.example", PUBLIC, move |_| Answer::json(&document)).await;
    let mut stage = Stage::before(&outside).await;
    let first = stage
        .http
        .post(stage.at("/api/v1/external-mcp"))
        .header("accept", "application/json, text/event-stream");
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "list_granted_resources", "arguments": {} } });
    let refused = first.json(&call).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    let challenge = refused.headers()["www-authenticate"].to_str().unwrap().to_owned();
    let at = challenge.split_once("resource_metadata=\"").unwrap().1.split('"').next().unwrap().to_owned();
    let http = stage.http.clone();
    let mut client = Counting { stage: &stage, asked: Vec::new() };
    let resource = client.read(http.get(at)).await;
    let issuer = text(&resource["authorization_servers"][0]);
    let metadata = client.read(http.get(format!("{issuer}/.well-known/oauth-authorization-server"))).await;
    assert_eq!(metadata["client_id_metadata_document_supported"], true);
    let id = match known {
        Known::ByDocument => CLIENT.to_owned(),
        Known::ByRegistration => {
            let body = json!({ "client_name": "App", "redirect_uris": [ANSWERED_AT] });
            let registered =
                client.read(http.post(text(&metadata["registration_endpoint"])).json(&body)).await;
            text(&registered["client_id"]).to_owned()
        }
    };
    let mut asked = client.asked;
    let page = stage.look(&id, ANSWERED_AT).await;
    let code = parameter(&stage.approve(&page).await, "code").unwrap();
    let (status, tokens) = stage.exchange(&id, ANSWERED_AT, &code).await;
    asked.push("/api/v1/external-oauth/token".to_owned());
    assert_eq!(status, StatusCode::OK, "{tokens}");
    assert_eq!(stage.call(Some(text(&tokens["access_token"]))).await, StatusCode::OK);
    asked
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_registers_needs_four_requests() {
    assert_eq!(way(Known::ByRegistration).await.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_with_a_document_needs_three_requests() {
    assert_eq!(way(Known::ByDocument).await.len(), 3);
}
