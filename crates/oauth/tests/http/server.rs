//! The routes over an application for tests, and a browser of the owner's where one is needed.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use countersign_app::oauth::{self, Answer, Approval, Choice};
use countersign_app::session::{self, SessionView};
use countersign_app::settings::Settings;
use countersign_app::setup::{self, Claim};
use countersign_app::testing::{Db, TestApp};
use countersign_core::scope::Scopes;
use http::{HeaderMap, Method, Request, StatusCode};
use serde_json::{Value, json};
use tower::ServiceExt as _;

pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const REGISTER: &str = "/api/v1/external-oauth/register";
pub(crate) const AUTHORIZE: &str = "/api/v1/external-oauth/authorize";
pub(crate) const TOKEN: &str = "/api/v1/external-oauth/token";
pub(crate) const REVOKE: &str = "/api/v1/external-oauth/revoke";
pub(crate) const REDIRECT: &str = "https://host.example/cb";

pub(crate) struct Server {
    pub(crate) t: TestApp,
    pub(crate) routes: Router,
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json");
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The code of an OAuth error, which nobody may keep.
    pub(crate) fn error(&self) -> (u16, String) {
        assert_eq!(self.header("cache-control"), "no-store");
        let body = self.json();
        assert!(body["error_description"].as_str().is_some_and(|text| text.ends_with('.')), "{body}");
        (self.status.as_u16(), body["error"].as_str().unwrap().to_owned())
    }
}

impl Server {
    pub(crate) async fn over(db: Db) -> Self {
        Self::with(db, |_| {}).await
    }

    pub(crate) async fn with(db: Db, change: impl FnOnce(&mut Settings)) -> Self {
        let t = TestApp::with(db, change).await;
        let routes =
            countersign_oauth::routes(&t.app, |problem| format!("<p>{}</p>", problem.message)).unwrap();
        Self { t, routes }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        self.send_from(request, Ipv4Addr::LOCALHOST).await
    }

    pub(crate) async fn send_from(&self, mut request: Request<Body>, address: impl Into<IpAddr>) -> Reply {
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(address.into(), 1)));
        let (parts, body) = self.routes.clone().oneshot(request).await.unwrap().into_parts();
        let body = axum::body::to_bytes(body, 1 << 20).await.unwrap().to_vec();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) async fn get(&self, uri: &str) -> Reply {
        self.send(Request::get(uri).body(Body::empty()).unwrap()).await
    }

    /// The same in the browser of a person who is signed in.
    pub(crate) async fn get_as(&self, session: &str, uri: &str) -> Reply {
        let request = Request::get(uri).header("cookie", format!("cs_session={session}"));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn method(&self, method: Method, uri: &str) -> Reply {
        self.send(Request::builder().method(method).uri(uri).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, uri: &str, kind: &str, body: impl Into<Body>) -> Reply {
        self.send(Request::post(uri).header("content-type", kind).body(body.into()).unwrap()).await
    }

    pub(crate) async fn form(&self, uri: &str, pairs: &[(&str, &str)]) -> Reply {
        self.post(uri, "application/x-www-form-urlencoded", encode(pairs)).await
    }

    pub(crate) async fn register(&self, uris: &[&str]) -> String {
        let body = json!({ "client_name": "Agent", "redirect_uris": uris }).to_string();
        let reply = self.post(REGISTER, "application/json", body).await;
        assert_eq!(reply.status, StatusCode::CREATED);
        reply.json()["client_id"].as_str().unwrap().to_owned()
    }

    /// Makes the first person and signs them in.
    pub(crate) async fn owner(&self) -> (SessionView, String) {
        let file = self.t.folder.path().join("setup-token");
        let link = setup::offer(&self.t.app, &file).await.unwrap().unwrap();
        let claim = Claim {
            token: link.address().split_once('#').unwrap().1.to_owned(),
            mail: "ann@acme.example".to_owned(),
            name: "Ann".to_owned(),
            password: "correct horse battery".to_owned(),
            workspace_name: "Acme".to_owned(),
            workspace_slug: "acme".to_owned(),
        };
        let session = setup::claim(&self.t.app, claim).await.unwrap().session.reveal().to_owned();
        (session::authenticate(&self.t.app, &session).await.unwrap().unwrap(), session)
    }

    /// The owner says yes to everything that is asked, and the client hears this.
    pub(crate) async fn approve(&self, (view, session): &(SessionView, String), consent: &str) -> String {
        let handle = consent.split_once("?h=").unwrap().1;
        let hash = || countersign_app::secret::SecretHash::of(session);
        let question = oauth::consent_view(&self.t.app, &view.caller, hash(), handle).await.unwrap();
        let yes = Answer::Approve(Approval {
            workspace: view.viewer.workspace,
            scopes: Scopes::new(question.scopes),
            connection: Choice::New { name: "Agent".to_owned() },
        });
        oauth::consent_decide(&self.t.app, &view.caller, hash(), handle, yes).await.unwrap()
    }
}

/// The request of a good client.
pub(crate) fn request(client: &str) -> Vec<(&'static str, String)> {
    vec![
        ("client_id", client.to_owned()),
        ("redirect_uri", REDIRECT.to_owned()),
        ("response_type", "code".to_owned()),
        ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".to_owned()),
        ("code_challenge_method", "S256".to_owned()),
        ("scope", "countersign:read countersign:write".to_owned()),
        ("state", "xyz".to_owned()),
    ]
}

/// The address of an authorization request.
pub(crate) fn authorize(pairs: &[(&'static str, String)]) -> String {
    let pairs: Vec<_> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
    format!("{AUTHORIZE}?{}", encode(&pairs))
}

pub(crate) fn encode(pairs: &[(&str, &str)]) -> String {
    let one = |text: &str| -> String {
        text.bytes()
            .map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") })
            .collect()
    };
    let pairs: Vec<_> = pairs.iter().map(|(name, value)| format!("{}={}", one(name), one(value))).collect();
    pairs.join("&")
}

/// The value of a query parameter that needs no decoding.
pub(crate) fn parameter(url: &str, name: &str) -> Option<String> {
    let prefix = format!("{name}=");
    url.split_once('?')?.1.split('&').find_map(|pair| pair.strip_prefix(&prefix)).map(str::to_owned)
}
