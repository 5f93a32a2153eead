//! A browser without a screen: cookies of one server, pages as text, forms posted as a page would.

use std::collections::BTreeMap;

use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, COOKIE, LOCATION, ORIGIN, SET_COOKIE};
use reqwest::redirect::Policy;

use crate::{FetchError, Origin, tls};

/// More than any page.
const LIMIT: usize = 4 << 20;

/// One person's browser, for one server. It follows no redirect by itself.
#[derive(Debug)]
pub struct Browser {
    http: reqwest::Client,
    origin: Origin,
    cookies: BTreeMap<String, String>,
}

/// What a request came to.
#[derive(Clone, Debug)]
pub struct Page {
    /// The HTTP status.
    pub status: u16,
    /// Where it leads, when it redirects.
    pub location: Option<String>,
    /// The text.
    pub text: String,
}

impl Browser {
    /// A browser that knows nothing yet.
    pub fn new(origin: Origin) -> Result<Self, FetchError> {
        tls::install();
        let http = reqwest::Client::builder().redirect(Policy::none()).build().map_err(FetchError::Client)?;
        Ok(Self { http, origin, cookies: BTreeMap::new() })
    }

    /// Loads an address; one without a host is of the server. Cookies go to the server alone.
    pub async fn get(&mut self, address: &str) -> Result<Page, FetchError> {
        let url = self.url(address)?;
        self.send(self.http.get(url.clone()), &url).await
    }

    /// Posts the fields of a form of the server.
    pub async fn post(&mut self, action: &str, fields: &[(String, String)]) -> Result<Page, FetchError> {
        let url = self.url(action)?;
        let mut form = url.clone();
        form.query_pairs_mut().clear().extend_pairs(fields);
        let request = self
            .http
            .post(url.clone())
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ORIGIN, self.origin.to_string())
            .header("sec-fetch-site", "same-origin")
            .body(form.query().unwrap_or_default().to_owned());
        self.send(request, &url).await
    }

    async fn send(&mut self, request: reqwest::RequestBuilder, url: &Url) -> Result<Page, FetchError> {
        let home = self.origin.at(&[]).origin() == url.origin();
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = if home { request.header(COOKIE, cookies.join("; ")) } else { request };
        let failed = |cause| FetchError::Unreachable { origin: url.origin().ascii_serialization(), cause };
        let mut answer = request.send().await.map_err(failed)?;
        for cookie in answer.headers().get_all(SET_COOKIE).iter().filter_map(|cookie| cookie.to_str().ok()) {
            if let (true, Some((name, value))) =
                (home, cookie.split(';').next().and_then(|pair| pair.split_once('=')))
            {
                self.cookies.insert(name.trim().to_owned(), value.trim().to_owned());
            }
        }
        let location = answer.headers().get(LOCATION).and_then(|to| to.to_str().ok()).map(str::to_owned);
        let status = answer.status().as_u16();
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(failed)? {
            body.extend_from_slice(&chunk);
            if body.len() > LIMIT {
                return Err(FetchError::Unreadable {
                    origin: self.origin.to_string(),
                    what: "more than a page".into(),
                });
            }
        }
        Ok(Page { status, location, text: String::from_utf8_lossy(&body).into_owned() })
    }

    fn url(&self, address: &str) -> Result<Url, FetchError> {
        let wrong = |_| FetchError::Address { address: address.to_owned(), why: "it is no address" };
        self.origin.at(&[]).join(address).map_err(wrong)
    }
}
