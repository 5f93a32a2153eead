//! Requests as they go over the wire, in both eras, and what comes back.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

/// Says things to a connector that no decent client would.
pub(crate) struct Wire {
    http: Client,
    url: String,
    pub(crate) headers: HeaderMap,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Back {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Back {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub(crate) fn error(&self) -> (u16, i64) {
        (self.status.as_u16(), self.json()["error"]["code"].as_i64().unwrap_or_default())
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("a header in text"))
    }
}

impl Wire {
    pub(crate) fn to(base: &str) -> Self {
        let url = format!("{base}/api/v1/external-mcp");
        Self { http: Client::new(), url, headers: HeaderMap::new() }
            .with("accept", "application/json, text/event-stream")
            .with("content-type", "application/json")
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers
            .insert(HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header value"));
        self
    }

    pub(crate) fn bearer(self, token: &str) -> Self {
        self.with("authorization", &format!("Bearer {token}"))
    }

    /// Speaks the era of 2026-07-28; the headers follow each message.
    pub(crate) async fn modern(&self, method: &str, mut params: Value) -> Back {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let mut headers = self.headers.clone();
        headers.insert("mcp-protocol-version", HeaderValue::from_static("2026-07-28"));
        headers.insert("mcp-method", HeaderValue::from_str(method).expect("a method"));
        if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
            headers.insert("mcp-name", HeaderValue::from_str(name).expect("a name"));
        }
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.send(Method::POST, headers, message.to_string()).await
    }

    /// Speaks the eras before.
    pub(crate) async fn legacy(&self, method: &str, params: Value) -> Back {
        self.post(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()).await
    }

    pub(crate) async fn post(&self, body: &str) -> Back {
        self.send(Method::POST, self.headers.clone(), body.to_owned()).await
    }

    pub(crate) async fn send(&self, method: Method, headers: HeaderMap, body: String) -> Back {
        let answer =
            self.http.request(method, &self.url).headers(headers).body(body).send().await.expect("an answer");
        let (status, headers) = (answer.status(), answer.headers().clone());
        Back { status, headers, text: answer.text().await.expect("a body of text") }
    }
}
