//! The connector: one URL, two eras of MCP, plain JSON, no session.
//!
//! This layer stands before the SDK: it checks names, tells who calls, counts, reads the envelope, and puts
//! onto the answer what only HTTP can say. Every decision about a call is the gate's.

mod answer;
mod handler;
mod message;
mod names;
mod outline;
mod refusal;
mod site;
mod slot;
mod straight;
mod word;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use countersign_app::gate::{self, Rate};
use countersign_app::{App, oauth};
use countersign_core::caller::{Caller, CallerKind};
use countersign_core::problem::Problem;
use countersign_core::scope::Scopes;
use http::header::{ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use rmcp::model::{ErrorCode, ProtocolVersion};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};

use self::answer::{accepted, forbidden, json_response, not_a_message, not_allowed, plain, too_large};
use self::handler::{Handler, Shared};
use self::message::{Malformed, Message, Read};
use self::refusal::Challenger;
use self::site::Site;
use self::slot::Slot;
use self::straight::Call;
use crate::registry::{Registry, unauthenticated};
use crate::tool::show_schemes;

/// Where the connector is, below the public address.
pub const PATH: &str = "/api/v1/external-mcp";

/// The largest body that is read: a proposal of the largest size, escaped as JSON at its worst.
const BODY_LIMIT: usize = 12 * 1024 * 1024;
/// The largest body of somebody without a token: the handshake and the lists, which is all that they are served, take
/// some hundred bytes.
const ANONYMOUS_BODY_LIMIT: usize = 64 * 1024;

const BOTH_TYPES: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// Serves the connector.
#[derive(Clone)]
pub struct Connector {
    shared: Arc<Shared>,
    site: Arc<Site>,
    sdk: StreamableHttpService<Handler, NeverSessionManager>,
}

impl Connector {
    /// A connector for the tools of `registry`.
    pub fn new(app: App, registry: Registry) -> Self {
        let public_url = &app.settings.public_url;
        let site = Site::of(public_url);
        let challenger = Challenger::new(public_url, PATH, registry.scopes());
        let shared = Arc::new(Shared { app, registry, challenger });
        // Host and Origin are checked by `site`, before anything else is answered.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(BODY_LIMIT)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let handler = Handler(Arc::clone(&shared));
        let sdk = StreamableHttpService::new(move || Ok(handler.clone()), Arc::default(), config);
        Self { shared, site: Arc::new(site), sdk }
    }

    /// Answers one HTTP request.
    pub async fn answer(&self, request: Request) -> Response {
        let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let anonymous = Caller::anonymous(address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)));
        if let Err(stranger) = self.site.admit(request.uri(), request.headers()) {
            let (mut response, (rate, _)) = (forbidden(stranger), gate::admit(&self.shared.app, &anonymous));
            tell_rate(response.headers_mut(), rate);
            return response;
        }
        let (caller, known) = match self.identify(request.headers()).await {
            Ok(caller) => (caller.unwrap_or(anonymous), Ok(())),
            Err(problem) => (anonymous, Err(problem)),
        };
        let (rate, within) = gate::admit(&self.shared.app, &caller);
        let mut response = match within.and(known) {
            Ok(()) if request.method() != Method::POST => not_allowed(),
            Ok(()) if !is_json(request.headers()) => plain(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Send JSON: the content type must be application/json.",
            ),
            Ok(()) if caller.kind() == CallerKind::Anonymous => self.introduce(request, caller).await,
            Ok(()) => self.post(request, caller).await,
            Err(problem) => {
                let (parts, body) = request.into_parts();
                let taken = outline::take(body, 0, BODY_LIMIT).await;
                self.refuse(&parts.headers, message::read(&taken.outline), &problem)
            }
        };
        tell_rate(response.headers_mut(), rate);
        response
    }

    /// Who calls: nobody without a token; with one that is not good, a refusal.
    async fn identify(&self, headers: &HeaderMap) -> Result<Option<Caller>, Problem> {
        let Some(value) = headers.get(AUTHORIZATION) else { return Ok(None) };
        let bearer = value.to_str().ok().and_then(bearer).unwrap_or_default();
        oauth::authenticate(&self.shared.app, bearer).await.map(Some)
    }

    /// Answers somebody without a token, who is served little and is not trusted with memory.
    async fn introduce(&self, request: Request, caller: Caller) -> Response {
        let (parts, body) = request.into_parts();
        let taken = outline::take(body, ANONYMOUS_BODY_LIMIT, BODY_LIMIT).await;
        let read = message::read(taken.whole.as_deref().unwrap_or(&taken.outline));
        if matches!(read, Ok(Message::Request { call: true, .. })) {
            return self.refuse(&parts.headers, read, &unauthenticated());
        }
        match taken.whole {
            Some(body) => self.serve(parts, body, read, caller).await,
            None => too_large("Without a token at most 64 KiB are read, or the body was cut short."),
        }
    }

    async fn post(&self, request: Request, caller: Caller) -> Response {
        let (parts, body) = request.into_parts();
        let Ok(body) = to_bytes(body, BODY_LIMIT).await else {
            return too_large("The body is over 12 MiB, or was cut short.");
        };
        let read = message::read(&body);
        self.serve(parts, body, read, caller).await
    }

    async fn serve(&self, mut parts: Parts, body: Bytes, read: Read, caller: Caller) -> Response {
        match read {
            Ok(Message::Notification) => return accepted(),
            Ok(Message::Request { id, call: true }) => {
                let call = Call::read(&parts.headers, &id, &body);
                if let Some(call) = call.filter(|call| self.shared.registry.raw(call.name()).is_none()) {
                    return call.answer(&self.shared, &caller).await;
                }
            }
            Ok(Message::Request { call: false, .. }) => {}
            Err(malformed) => return not_a_message(&malformed),
        }
        let slot = Arc::new(Slot::default());
        // Both kinds of answer are asked for whatever the client says: the answer is plain JSON anyway.
        parts.headers.insert(ACCEPT, BOTH_TYPES);
        parts.headers.remove(AUTHORIZATION);
        parts.extensions.insert(caller);
        parts.extensions.insert(Arc::clone(&slot));
        let answer = self.sdk.handle(Request::from_parts(parts, Body::from(body))).await;
        finish(answer.map(Body::new), &slot).await
    }

    /// Answers what is refused whatever it says: under its id, as a tool result where a tool was called.
    fn refuse(&self, headers: &HeaderMap, read: Read, problem: &Problem) -> Response {
        let verdict = self.shared.challenger.verdict(problem, &Scopes::default());
        let is_modern = headers
            .get("mcp-protocol-version")
            .is_some_and(|version| version.as_bytes() >= ProtocolVersion::V_2026_07_28.as_str().as_bytes());
        let body = match read {
            Ok(Message::Request { id, call: true }) => {
                let mut result = refusal::result(problem, verdict.as_ref());
                result.result_type = result.result_type.filter(|_| is_modern);
                json!({ "jsonrpc": "2.0", "id": id, "result": result })
            }
            Ok(Message::Request { id, call: false }) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": refusal::error(problem) })
            }
            Ok(Message::Notification) | Err(_) => {
                json!({ "jsonrpc": "2.0", "id": null, "error": refusal::error(problem) })
            }
        };
        let mut response = json_response(refusal::status_of(problem), &body);
        if response.status() == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("2"));
        }
        if let Some(verdict) = verdict {
            mark(&mut response, verdict);
        }
        response
    }
}

/// The token of RFC 6750 §2.1; the scheme in either case (RFC 9110 §11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn is_json(headers: &HeaderMap) -> bool {
    let essence = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// Puts onto the answer of the SDK what the handler left in the slot.
async fn finish(mut response: Response, slot: &Slot) -> Response {
    if let Some(verdict) = slot.verdict() {
        mark(&mut response, verdict.clone());
    }
    if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        // The type was checked before: what the SDK means is that the message is none.
        return not_a_message(&Malformed {
            code: ErrorCode::INVALID_REQUEST,
            message: "The body is not a message of MCP.",
            id: Value::Null,
        });
    }
    if slot.is_list() { with_schemes(response).await } else { response }
}

fn mark(response: &mut Response, verdict: refusal::Verdict) {
    let (name, value) = verdict.header;
    *response.status_mut() = verdict.status;
    response.headers_mut().insert(name, value);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
}

/// Shows the `securitySchemes` of each listed tool.
async fn with_schemes(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, BODY_LIMIT).await.unwrap_or_default();
    let Ok(mut message) = serde_json::from_slice::<Value>(&bytes) else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    let tools = message.pointer_mut("/result/tools").and_then(Value::as_array_mut);
    tools.into_iter().flatten().filter_map(Value::as_object_mut).for_each(show_schemes);
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(message.to_string()))
}

fn tell_rate(headers: &mut HeaderMap, rate: Rate) {
    for (name, value) in rate.headers() {
        headers.insert(HeaderName::from_static(name), HeaderValue::from(value));
    }
}
