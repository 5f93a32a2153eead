//! A server in the test's own process, and a browser without a screen.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::response::Response;
use countersign_app::testing::TestApp;
use countersign_app::{App, setup};
use http::{Request, StatusCode, header};
use serde_json::Value;
use tower::ServiceExt as _;

pub(crate) const MAIL: &str = "ada@example.org";
pub(crate) const PASSWORD: &str = "a long analytical sentence";

/// A server.
pub(crate) struct House {
    pub(crate) test: TestApp,
    router: Router,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: http::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) async fn of(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 4 << 20).await.unwrap();
        Self {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn goes_to(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.text);
        self.header("location")
    }

    /// The value of a hidden field.
    pub(crate) fn field(&self, name: &str) -> String {
        let mark = format!("name=\"{name}\" value=\"");
        let (_, rest) =
            self.text.split_once(&mark).unwrap_or_else(|| panic!("no field {name} in {}", self.text));
        rest.split_once('"').unwrap().0.to_owned()
    }

    /// `name=value` of a cookie that was set.
    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        let values = self.headers.get_all(header::SET_COOKIE).iter();
        let mut values = values.filter_map(|value| value.to_str().ok()?.split(';').next().map(str::to_owned));
        values.find(|pair| pair.starts_with(&format!("{name}=")))
    }
}

impl House {
    /// A server that nobody has set up.
    pub(crate) async fn empty() -> Self {
        let test = TestApp::new().await;
        let router = countersign_web::routes(&test.app);
        Self { test, router }
    }

    /// A server with one owner.
    pub(crate) async fn new() -> Self {
        let house = Self::empty().await;
        let code = house.code().await;
        let page = house.get("/setup", &[]).await;
        let answer =
            house.post("/setup", &page.cookie("cs_form").unwrap(), &set_up(&code, &page.field("csrf"))).await;
        assert_eq!(answer.goes_to(), "/connected");
        house
    }

    pub(crate) fn app(&self) -> &App {
        &self.test.app
    }

    /// The code of the set-up link.
    pub(crate) async fn code(&self) -> String {
        let link =
            setup::offer(self.app(), &self.test.folder.path().join("setup-token")).await.unwrap().unwrap();
        link.address().split_once('#').unwrap().1.to_owned()
    }

    pub(crate) async fn raw(&self, request: Request<Body>) -> Response {
        self.router.clone().oneshot(request).await.unwrap()
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        Answer::of(self.raw(request).await).await
    }

    pub(crate) async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(request("GET", path, headers, Body::empty())).await
    }

    pub(crate) async fn post(&self, path: &str, cookie: &str, fields: &[(&str, &str)]) -> Answer {
        let headers = [("cookie", cookie), ("content-type", "application/x-www-form-urlencoded")];
        self.send(request("POST", path, &headers, Body::from(encoded(fields)))).await
    }

    /// A call of the API; the answer's status and JSON.
    pub(crate) async fn call(&self, method: &str, path: &str, token: &str, body: Value) -> Answer {
        let bearer = format!("Bearer {token}");
        let mut headers = vec![("content-type", "application/json")];
        if !token.is_empty() {
            headers.push(("authorization", &bearer));
        }
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        self.send(request(method, path, &headers, body)).await
    }

    /// A token with these scopes.
    pub(crate) async fn token(&self, scopes: &[&str]) -> String {
        let body = serde_json::json!({ "mail": MAIL, "password": PASSWORD, "name": "t", "scopes": scopes, "hours": 1 });
        let made = self.call("POST", "/api/v1/tokens", "", body).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        made.json()["token"].as_str().unwrap().to_owned()
    }

    /// The cookie of the owner, signed in.
    pub(crate) async fn sign_in(&self) -> String {
        self.sign_in_as(MAIL, PASSWORD).await
    }

    /// The cookie of a member of the first project who owns nothing, signed in.
    pub(crate) async fn member(&self, mail: &str) -> String {
        let token = self.token(&["api", "proposals:decide"]).await;
        let projects = self.call("GET", "/api/v1/projects", &token, Value::Null).await.json();
        let path = format!("/api/v1/projects/{}/members", projects["items"][0]["id"].as_str().unwrap());
        let new = serde_json::json!({ "mail": mail, "role": "viewer", "name": "Bob", "password": PASSWORD });
        let made = self.call("POST", &path, &token, new).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        self.sign_in_as(mail, PASSWORD).await
    }

    /// The cookie of somebody, signed in.
    pub(crate) async fn sign_in_as(&self, mail: &str, password: &str) -> String {
        let page = self.get("/sign-in", &[]).await;
        let (csrf, cookie) = (page.field("csrf"), page.cookie("cs_form").unwrap());
        let fields = [("csrf", csrf.as_str()), ("mail", mail), ("password", password), ("to", "/approvals")];
        self.post("/sign-in", &cookie, &fields).await.cookie("cs_session").unwrap()
    }

    /// The token of this session's forms.
    pub(crate) async fn csrf(&self, cookie: &str) -> String {
        self.get("/connected", &[("cookie", cookie)]).await.field("csrf")
    }
}

/// The fields of the first set-up.
pub(crate) fn set_up<'a>(code: &'a str, csrf: &'a str) -> [(&'a str, &'a str); 7] {
    [
        ("csrf", csrf),
        ("token", code),
        ("workspace_name", "Analytical Engines"),
        ("workspace_slug", "engines"),
        ("name", "Ada Lovelace"),
        ("mail", MAIL),
        ("password", PASSWORD),
    ]
}

pub(crate) fn request(method: &str, path: &str, headers: &[(&str, &str)], body: Body) -> Request<Body> {
    let mut builder = Request::builder().method(method).uri(path).header("host", "localhost:8420");
    for (name, value) in headers {
        builder = builder.header(*name, *value);
    }
    builder.body(body).unwrap()
}

fn encoded(fields: &[(&str, &str)]) -> String {
    let byte =
        |b: u8| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") };
    let word = |text: &str| text.bytes().map(byte).collect::<String>();
    fields.iter().map(|(name, value)| format!("{}={}", word(name), word(value))).collect::<Vec<_>>().join("&")
}
