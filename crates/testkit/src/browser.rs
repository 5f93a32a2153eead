//! A browser without a screen: cookies, redirects, forms as they stand on the page.

use std::collections::BTreeMap;

use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::{Client, Method, StatusCode};

/// One person's browser.
#[derive(Clone, Debug)]
pub struct Browser {
    http: Client,
    base: String,
    cookies: BTreeMap<String, String>,
}

/// What a request came to.
#[derive(Clone, Debug)]
pub struct Page {
    /// The status.
    pub status: StatusCode,
    /// Where it leads, when it redirects.
    pub location: Option<String>,
    /// The body.
    pub body: String,
}

/// A form on a page.
#[derive(Clone, Debug, Default)]
pub struct Form {
    /// Where it goes.
    pub action: String,
    /// Its fields with their values; boxes that are not ticked have none.
    pub fields: Vec<(String, String)>,
}

impl Browser {
    /// A fresh browser for one server.
    pub fn new(base: &str) -> Self {
        let http = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("a client without TLS can be built");
        Self { http, base: base.to_owned(), cookies: BTreeMap::new() }
    }

    /// A fresh browser in which a person signs in.
    pub async fn signed_in(base: &str, mail: &str, password: &str) -> Self {
        let mut browser = Self::new(base);
        let page = browser.get("/sign-in").await;
        let done = browser.submit(&page, "/sign-in", &[("mail", mail), ("password", password)]).await;
        assert!(done.status.is_success(), "{} {}", done.status, done.body);
        browser
    }

    /// The value of one cookie.
    pub fn cookie_named(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(String::as_str)
    }

    /// The cookies as a request header.
    pub fn cookie(&self) -> String {
        self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    /// Loads a page of the server and follows redirects that stay on it.
    pub async fn get(&mut self, path: &str) -> Page {
        let mut page = self.send(Method::GET, path, None).await;
        while let Some(next) = page.location.clone().and_then(|to| self.own(&to)) {
            page = self.send(Method::GET, &next, None).await;
        }
        page
    }

    /// Fills the form whose action begins with `action` and submits it; follows redirects that stay on the server.
    pub async fn submit(&mut self, page: &Page, action: &str, fill: &[(&str, &str)]) -> Page {
        let form = page.form(action);
        let mut fields = form.fields;
        for (name, value) in fill {
            fields.retain(|(field, _)| field != name);
            fields.push(((*name).to_owned(), (*value).to_owned()));
        }
        self.post(&form.action, &fields).await
    }

    /// Posts fields as a form would; follows redirects that stay on the server.
    pub async fn post(&mut self, path: &str, fields: &[(String, String)]) -> Page {
        let mut page = self.send(Method::POST, path, Some(fields)).await;
        while let Some(next) = page.location.clone().and_then(|to| self.own(&to)) {
            page = self.send(Method::GET, &next, None).await;
        }
        page
    }

    /// One request, no redirect followed.
    pub async fn send(&mut self, method: Method, path: &str, fields: Option<&[(String, String)]>) -> Page {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.base) };
        let mut request = self.http.request(method, url).header(COOKIE, self.cookie());
        if let Some(fields) = fields {
            request =
                request.header("origin", &self.base).header("sec-fetch-site", "same-origin").form(fields);
        }
        let answer = request.send().await.expect("the server answers");
        for cookie in answer.headers().get_all(SET_COOKIE) {
            let text = cookie.to_str().expect("a cookie is text");
            let pair = text.split(';').next().unwrap_or_default();
            if let Some((name, value)) = pair.split_once('=') {
                self.cookies.insert(name.trim().to_owned(), value.trim().to_owned());
            }
        }
        let location = answer.headers().get(LOCATION).and_then(|to| to.to_str().ok()).map(str::to_owned);
        let status = answer.status();
        Page { status, location, body: answer.text().await.expect("a body of text") }
    }

    fn own(&self, to: &str) -> Option<String> {
        if to.starts_with('/') {
            return Some(to.to_owned());
        }
        to.strip_prefix(&self.base).filter(|rest| rest.starts_with('/')).map(str::to_owned)
    }
}

impl Page {
    /// The form whose action begins with `action`; the test fails when there is none.
    pub fn form(&self, action: &str) -> Form {
        self.find_form(action)
            .unwrap_or_else(|| panic!("{} has no form to {action}:\n{}", self.status, self.body))
    }

    /// The form whose action begins with `action`.
    pub fn find_form(&self, action: &str) -> Option<Form> {
        self.body.split("<form").skip(1).map(|rest| rest.split("</form>").next().unwrap_or(rest)).find_map(
            |text| {
                let (tag, inside) = text.split_once('>')?;
                let to = attribute(tag, "action")?;
                to.starts_with(action).then(|| Form { action: to, fields: fields(inside) })
            },
        )
    }
}

fn fields(inside: &str) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for text in inside.split("<input").skip(1) {
        let tag = text.split('>').next().unwrap_or_default();
        let Some(name) = attribute(tag, "name") else { continue };
        let kind = attribute(tag, "type").unwrap_or_default();
        let ticked = tag.split_whitespace().any(|word| word.trim_end_matches('/') == "checked");
        if matches!(kind.as_str(), "checkbox" | "radio") && !ticked {
            continue;
        }
        let value =
            attribute(tag, "value").unwrap_or_else(|| if kind == "checkbox" { "on" } else { "" }.to_owned());
        fields.push((name, value));
    }
    for text in inside.split("<select").skip(1) {
        let (tag, options) = text.split_once('>').unwrap_or((text, ""));
        let Some(name) = attribute(tag, "name") else { continue };
        let options = options.split("</select>").next().unwrap_or_default();
        let all: Vec<&str> =
            options.split("<option").skip(1).map(|o| o.split('>').next().unwrap_or_default()).collect();
        let chosen = all.iter().find(|o| o.split_whitespace().any(|w| w == "selected")).or(all.first());
        if let Some(value) = chosen.and_then(|tag| attribute(tag, "value")) {
            fields.push((name, value));
        }
    }
    fields
}

/// The value of an attribute, with the entities of maud's escaping undone.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    let value = tag[start..].split('"').next()?;
    Some(value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"))
}
