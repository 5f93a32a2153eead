//! A client of one server: small JSON calls with a bearer, a time limit and a size limit.

use std::time::Duration;

use countersign_core::api::Refusal;
use reqwest::header::{AUTHORIZATION, ETAG, HeaderMap, HeaderValue, IF_MATCH};
use reqwest::redirect::Policy;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{FetchError, Origin, tls};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);
/// How long a whole call may take, when nothing else is said.
const PATIENCE: Duration = Duration::from_mins(1);
/// More than any answer of ours.
const LIMIT: usize = 16 << 20;

/// What a call does to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Makes or decides.
    Post,
    /// Changes what is named.
    Patch,
    /// Takes away.
    Delete,
}

impl From<Method> for reqwest::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Get => Self::GET,
            Method::Post => Self::POST,
            Method::Patch => Self::PATCH,
            Method::Delete => Self::DELETE,
        }
    }
}

/// A client of one server. It follows no redirect and asks no proxy, so the token goes to that server alone.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    origin: Origin,
    patience: Duration,
}

impl Client {
    /// A client that presents `token`, or none.
    pub fn new(origin: Origin, token: Option<&str>) -> Result<Self, FetchError> {
        tls::install();
        let mut headers = HeaderMap::new();
        if let Some(token) = token {
            let mut bearer =
                HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| FetchError::Token)?;
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        let http = reqwest::Client::builder()
            .user_agent(concat!("countersign/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .connect_timeout(CONNECT)
            .redirect(Policy::none())
            .build()
            .map_err(FetchError::Client)?;
        Ok(Self { http, origin, patience: PATIENCE })
    }

    /// The same client, waiting longer: for what copies a repository.
    #[must_use]
    pub fn patient(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Where the server is.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Reads the route that `segments` make.
    pub async fn get<T: DeserializeOwned>(
        &self,
        segments: &[&str],
        query: &[(&str, &str)],
    ) -> Result<T, FetchError> {
        self.call(self.request(Method::Get, segments).query(query)).await
    }

    /// What the route answers as its status; nothing of the answer is read.
    pub async fn status(&self, segments: &[&str]) -> Result<u16, FetchError> {
        let response =
            self.request(Method::Get, segments).send().await.map_err(|cause| self.failed(cause))?;
        Ok(response.status().as_u16())
    }

    /// Sends `body` to the route that `segments` make.
    pub async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        segments: &[&str],
        body: &(impl Serialize + Sync),
    ) -> Result<T, FetchError> {
        self.call(self.request(method, segments).json(body)).await
    }

    /// Reads the route that `segments` make, with the tag of what was read (RFC 9110 §8.8.3).
    pub async fn get_tagged<T: DeserializeOwned>(
        &self,
        segments: &[&str],
    ) -> Result<(T, Option<String>), FetchError> {
        self.answer(self.request(Method::Get, segments)).await
    }

    /// Sends `body` to the route that `segments` make, for what is still as `tag` names it (RFC 9110 §13.1.1).
    pub async fn send_if_match<T: DeserializeOwned>(
        &self,
        (method, segments): (Method, &[&str]),
        tag: Option<&str>,
        body: &(impl Serialize + Sync),
    ) -> Result<T, FetchError> {
        let mut request = self.request(method, segments).json(body);
        if let Some(tag) = tag {
            request = request.header(IF_MATCH, tag);
        }
        self.call(request).await
    }

    fn request(&self, method: Method, segments: &[&str]) -> reqwest::RequestBuilder {
        self.http.request(method.into(), self.origin.at(segments)).timeout(self.patience)
    }

    async fn call<T: DeserializeOwned>(&self, request: reqwest::RequestBuilder) -> Result<T, FetchError> {
        Ok(self.answer(request).await?.0)
    }

    /// What is answered, and its tag.
    async fn answer<T: DeserializeOwned>(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<(T, Option<String>), FetchError> {
        let mut response = request.send().await.map_err(|cause| self.failed(cause))?;
        let status = response.status();
        let tag = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|cause| self.failed(cause))? {
            if body.len() + chunk.len() > LIMIT {
                return Err(self.unreadable("more than 16 MiB"));
            }
            body.extend_from_slice(&chunk);
        }
        if !status.is_success() {
            return Err(self.refused(status.as_u16(), &body));
        }
        // An answer without a body reads as `null`, which a caller that wants nothing takes as `()`.
        let text: &[u8] = if body.is_empty() { b"null" } else { &body };
        let read = serde_json::from_slice(text).map_err(|error| self.unreadable(&error.to_string()))?;
        Ok((read, tag))
    }

    /// Reads a problem document; another answer is told by its status alone, since its text is not ours.
    fn refused(&self, status: u16, body: &[u8]) -> FetchError {
        match serde_json::from_slice::<Refusal>(body) {
            Ok(refusal) if !refusal.code.is_empty() => {
                FetchError::Refused(Box::new(Refusal { status, ..refusal }))
            }
            _ if status >= 500 || status == 429 => FetchError::Refused(Box::new(Refusal {
                kind: "about:blank".to_owned(),
                title: "unavailable".to_owned(),
                status,
                detail: format!("{} answered {status}.", self.origin),
                code: "server_unavailable".to_owned(),
                next_action: "Wait a little, then call again.".to_owned(),
                facts: Map::<String, Value>::new(),
            })),
            _ => self.unreadable(&format!("status {status} without a problem document")),
        }
    }

    fn failed(&self, cause: reqwest::Error) -> FetchError {
        let origin = self.origin.to_string();
        if cause.is_timeout() {
            FetchError::TimedOut { origin }
        } else {
            FetchError::Unreachable { origin, cause }
        }
    }

    fn unreadable(&self, what: &str) -> FetchError {
        FetchError::Unreadable { origin: self.origin.to_string(), what: what.to_owned() }
    }
}
