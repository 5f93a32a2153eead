//! From knowing the URL alone to the first good call: discovery, registration, tokens. The consent between them is a
//! person's, and is not counted.

use countersign_testkit::agent::{REDIRECT, VERIFIER};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::Row;
use crate::ROUNDS;
use crate::baseline::oauth::PythonOauth;
use crate::budget::Budget;
use crate::clock::now;
use crate::failure::Failure;
use crate::house::Ours;
use crate::load::{Answer, Asking};
use crate::statistic::median;

/// How often each goes the whole way in a round.
const TRIES: usize = 5;

pub(crate) fn rows(runtime: &Runtime) -> Result<Vec<Row>, Failure> {
    let mut house = Ours::set_up(runtime)?;
    let server = house.start(runtime)?;
    let python = PythonOauth::start(runtime)?;
    let (mut ours, mut baseline) = (Vec::new(), Vec::new());
    // The first round warms both up, and is not counted.
    for round in 0..=ROUNDS {
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..TRIES {
            mine.push(runtime.block_on(with_person(&mut house))?);
            theirs.push(runtime.block_on(by_itself(python.port))?);
        }
        if round > 0 {
            ours.push(median(&mine));
            baseline.push(median(&theirs));
        }
    }
    server.stop()?;
    Ok(vec![Row {
        name: "discovery to first call, without the person".to_owned(),
        unit: "ms",
        ours,
        baseline,
        budget: Budget::Faster(4.0),
        conditions: "401, both documents, registration, token, call on one connection; durable; baseline \
                     authorization server and connector of the official Python SDK (uvicorn, sqlite3)"
            .to_owned(),
    }])
}

async fn with_person(house: &mut Ours) -> Result<f64, Failure> {
    let mut way = Way::begin(house.port(), "/api/v1/external-mcp").await?;
    way.discover().await?;
    let code = house.consent(&way.metadata, (&way.client, &way.resource)).await;
    way.redeem(&code).await?;
    Ok(way.milliseconds)
}

async fn by_itself(port: u16) -> Result<f64, Failure> {
    let mut way = Way::begin(port, "/mcp").await?;
    way.discover().await?;
    let query = format!(
        "response_type=code&client_id={}&redirect_uri={REDIRECT}&code_challenge={}&code_challenge_method=S256&state=s",
        way.client,
        countersign_testkit::agent::CHALLENGE
    );
    let mut browser = Asking::open(port).await?;
    let answer = browser.ask(get(port, &format!("/authorize?{query}"))).await?;
    let location = answer.header("location").unwrap_or_default();
    let code =
        location.split_once("code=").map_or("", |(_, rest)| rest.split('&').next().unwrap_or_default());
    way.redeem(code).await?;
    Ok(way.milliseconds)
}

/// A client on its way, and the time that it has spent.
struct Way {
    asking: Asking,
    port: u16,
    path: &'static str,
    resource: String,
    metadata: Value,
    client: String,
    milliseconds: f64,
}

impl Way {
    async fn begin(port: u16, path: &'static str) -> Result<Self, Failure> {
        Ok(Self {
            asking: Asking::open(port).await?,
            port,
            path,
            resource: format!("http://127.0.0.1:{port}{path}"),
            metadata: Value::Null,
            client: String::new(),
            milliseconds: 0.0,
        })
    }

    /// From the first 401 to a client id.
    async fn discover(&mut self) -> Result<(), Failure> {
        let begun = now();
        let refused = self.call(None).await?;
        let challenge = refused.header("www-authenticate").unwrap_or_default();
        let (_, rest) = challenge.split_once("resource_metadata=\"").ok_or_else(|| wrong(&refused))?;
        let document = path_of(rest.split('"').next().unwrap_or_default());
        let resource = json_of(&self.asking.ask(get(self.port, &document)).await?)?;
        let issuer = resource["authorization_servers"][0].as_str().unwrap_or_default().to_owned();
        let document = path_of(&format!("{issuer}/.well-known/oauth-authorization-server"));
        self.metadata = json_of(&self.asking.ask(get(self.port, &document)).await?)?;
        let wish = json!({ "client_name": "bench", "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none" });
        let register = path_of(self.metadata["registration_endpoint"].as_str().unwrap_or_default());
        let request = post(self.port, &register, ("application/json", &wish.to_string()), None);
        let registered = json_of(&self.asking.ask(request).await?)?;
        registered["client_id"].as_str().unwrap_or_default().clone_into(&mut self.client);
        self.milliseconds += begun.elapsed().as_secs_f64() * 1e3;
        Ok(())
    }

    /// From a code to the first good call.
    async fn redeem(&mut self, code: &str) -> Result<(), Failure> {
        let begun = now();
        let resource = self.resource.replace(':', "%3A").replace('/', "%2F");
        let form = format!(
            "grant_type=authorization_code&code={code}&redirect_uri={}&client_id={}&code_verifier={VERIFIER}&resource={resource}",
            REDIRECT.replace(':', "%3A").replace('/', "%2F"),
            self.client
        );
        let endpoint = path_of(self.metadata["token_endpoint"].as_str().unwrap_or_default());
        let request = post(self.port, &endpoint, ("application/x-www-form-urlencoded", &form), None);
        let tokens = json_of(&self.asking.ask(request).await?)?;
        let called = self.call(tokens["access_token"].as_str()).await?;
        self.milliseconds += begun.elapsed().as_secs_f64() * 1e3;
        let good = called.status == 200 && json_of(&called)?["result"]["isError"] != json!(true);
        if good { Ok(()) } else { Err(wrong(&called)) }
    }

    async fn call(&mut self, bearer: Option<&str>) -> Result<Answer, Failure> {
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "list_granted_resources", "arguments": {} } });
        self.asking.ask(post(self.port, self.path, ("application/json", &call.to_string()), bearer)).await
    }
}

fn get(port: u16, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n")
}

fn post(port: u16, path: &str, (kind, body): (&str, &str), bearer: Option<&str>) -> String {
    let bearer = bearer.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: {kind}\r\n\
         accept: application/json, text/event-stream\r\n{bearer}content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// What stands behind the host of a URL.
fn path_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or_else(|| "/".to_owned(), |at| rest[at..].to_owned())
}

fn json_of(answer: &Answer) -> Result<Value, Failure> {
    serde_json::from_slice(&answer.body).map_err(|_| wrong(answer))
}

fn wrong(answer: &Answer) -> Failure {
    Failure::new(format!(
        "not the answer expected: {} {}",
        answer.head,
        String::from_utf8_lossy(&answer.body)
    ))
}
