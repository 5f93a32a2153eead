//! What a request carries: for pages the session cookie and nothing else, for the REST API a person's token and
//! nothing else. An agent's token is refused on both before anything is looked up.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use countersign_app::gate::admit;
use countersign_app::secret::SecretKind;
use countersign_app::session::{self, SessionView};
use countersign_app::token;
use countersign_core::caller::Caller;
use countersign_core::problem::{Code, Problem};
use http::request::Parts;
use http::{HeaderMap, Method, header};

use crate::address;
use crate::answer::{PageProblem, go_to};
use crate::api::ApiProblem;
use crate::cookie::Cookie;
use crate::header::tell_rate;
use crate::place::Place;
use crate::state::Web;

/// Who visits a page.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// Where the bytes came from.
    pub(crate) address: IpAddr,
    /// Who is signed in.
    pub(crate) session: Option<SessionCaller>,
}

/// A person in a browser: the caller that their cookie makes.
#[derive(Clone)]
pub(crate) struct SessionCaller {
    /// The session.
    pub(crate) view: SessionView,
    /// The token of the cookie.
    pub(crate) cookie: String,
}

impl std::fmt::Debug for SessionCaller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SessionCaller").field(&self.view.viewer.user).finish()
    }
}

/// Stands before every page: refuses agents, finds the session, counts the call.
pub(crate) async fn page_door(State(web): State<Web>, mut request: Request, next: Next) -> Response {
    if let Err(problem) = refuse_tokens(request.headers()) {
        return PageProblem(problem).into_response();
    }
    let address = address(&request);
    let session = match session(&web, request.headers()).await {
        Ok(session) => session,
        Err(problem) => return PageProblem(problem).into_response(),
    };
    let caller =
        session.as_ref().map_or_else(|| Caller::anonymous(address), |session| session.view.caller.clone());
    let (rate, within) = admit(&web.app, &caller);
    let mut response = match within {
        Ok(()) => {
            request.extensions_mut().insert(Visitor { address, session });
            next.run(request).await
        }
        Err(problem) => PageProblem(problem).into_response(),
    };
    tell_rate(response.headers_mut(), rate);
    response
}

async fn session(web: &Web, headers: &HeaderMap) -> Result<Option<SessionCaller>, Problem> {
    let Some(cookie) = Cookie::Session.read(&web.app.settings, headers) else { return Ok(None) };
    let view = session::authenticate(&web.app, cookie).await?;
    Ok(view.map(|view| SessionCaller { view, cookie: cookie.to_owned() }))
}

/// A page takes no bearer. An agent is told so in its own words; whatever else a proxy adds is no concern of ours.
fn refuse_tokens(headers: &HeaderMap) -> Result<(), Problem> {
    match bearer(headers).and_then(SecretKind::of) {
        Some(SecretKind::Access | SecretKind::Refresh | SecretKind::Code) => Err(agent_denied()),
        Some(SecretKind::Token | SecretKind::Session | SecretKind::SetUp | SecretKind::Invitation) => {
            Err(Problem::new(Code::TokenScopeDenied, "Pages take a browser session, not a token.")
                .next("Sign in to the app in a browser, or call the REST API under /api/v1."))
        }
        None => Ok(()),
    }
}

fn agent_denied() -> Problem {
    Problem::new(Code::AgentScopeDenied, "An agent's token cannot do this, whatever its scopes.")
}

/// Stands before the REST API: refuses agents, finds the token's person, counts the call.
pub(crate) async fn api_door(State(web): State<Web>, mut request: Request, next: Next) -> Response {
    let address = address(&request);
    let (known, refused) = match token_caller(&web, request.headers()).await {
        Ok(caller) => (caller, None),
        Err(problem) => (None, Some(problem)),
    };
    let caller = known.clone().unwrap_or_else(|| Caller::anonymous(address));
    let (rate, within) = admit(&web.app, &caller);
    let mut response = match (within, refused) {
        (Err(problem), _) | (Ok(()), Some(problem)) => ApiProblem(problem).into_response(),
        (Ok(()), None) => {
            request.extensions_mut().insert(ApiVisitor { address, caller: known });
            next.run(request).await
        }
    };
    tell_rate(response.headers_mut(), rate);
    response
}

async fn token_caller(web: &Web, headers: &HeaderMap) -> Result<Option<Caller>, Problem> {
    if !headers.contains_key(header::AUTHORIZATION) {
        return Ok(None);
    }
    let unknown =
        || Problem::new(Code::Unauthenticated, "This token is not one of ours, is over, or was revoked.");
    let given = bearer(headers).ok_or_else(unknown)?;
    match SecretKind::of(given) {
        Some(SecretKind::Access | SecretKind::Refresh | SecretKind::Code) => Err(agent_denied()),
        Some(SecretKind::Token) => token::authenticate(&web.app, given).await?.map(Some).ok_or_else(unknown),
        Some(SecretKind::Session | SecretKind::SetUp | SecretKind::Invitation) | None => Err(unknown()),
    }
}

/// The token of `Authorization: Bearer` (RFC 6750 §2.1); two such headers are none.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (values.next()?, values.next());
    let (scheme, token) = first.to_str().ok().filter(|_| second.is_none())?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn address(request: &Request) -> IpAddr {
    let info = request.extensions().get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip())
}

impl FromRequestParts<Web> for Visitor {
    type Rejection = PageProblem;
    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Self::Rejection> {
        let visitor = parts.extensions.get::<Self>().cloned();
        visitor.ok_or_else(|| PageProblem(Problem::internal("a page outside the door of pages")))
    }
}

impl FromRequestParts<Web> for SessionCaller {
    type Rejection = Response;
    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Self::Rejection> {
        let visitor = Visitor::from_request_parts(parts, web).await.map_err(IntoResponse::into_response)?;
        visitor.session.ok_or_else(|| sign_in_first(parts))
    }
}

/// A page sends to sign-in and back; a form or a stream that has lost its session says so.
fn sign_in_first(parts: &Parts) -> Response {
    let wants_page = parts.method == Method::GET && parts.uri.path() != "/live";
    if wants_page {
        let to = Place::parse(parts.uri.path_and_query().map_or("/", |path| path.as_str()));
        return go_to(&sign_in_address(&to));
    }
    let problem = Problem::new(Code::Unauthenticated, "Nobody is signed in any more.");
    PageProblem(problem.next("Sign in and repeat the step.")).into_response()
}

/// The sign-in page that leads on to `to`.
pub(crate) fn sign_in_address(to: &Place) -> String {
    if *to == Place::default() { "/sign-in".to_owned() } else { address::with("/sign-in", "to", &to.path()) }
}

/// Who calls the REST API.
#[derive(Clone, Debug)]
pub(crate) struct ApiVisitor {
    /// Where the bytes came from.
    pub(crate) address: IpAddr,
    /// The token's person.
    pub(crate) caller: Option<Caller>,
}

/// The caller that a person's token makes.
#[derive(Clone, Debug)]
pub(crate) struct ApiCaller(pub(crate) Caller);

impl FromRequestParts<Web> for ApiVisitor {
    type Rejection = ApiProblem;
    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Self::Rejection> {
        let visitor = parts.extensions.get::<Self>().cloned();
        visitor.ok_or_else(|| ApiProblem(Problem::internal("a call outside the door of the API")))
    }
}

impl FromRequestParts<Web> for ApiCaller {
    type Rejection = ApiProblem;
    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Self::Rejection> {
        let visitor = ApiVisitor::from_request_parts(parts, web).await?;
        let missing = || {
            Problem::new(Code::Unauthenticated, "This call needs a personal access token.")
                .next("Make one with `countersign token create` and send it as `Authorization: Bearer`.")
        };
        visitor.caller.map(Self).ok_or_else(|| ApiProblem(missing()))
    }
}
