//! Cross-origin access for clients that run in a browser: any origin, no credentials, machine endpoints alone.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
};
use http::{HeaderName, HeaderValue, Method, StatusCode};

const ANY: (HeaderName, HeaderValue) = (ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
const EXPOSED: (HeaderName, HeaderValue) = (
    ACCESS_CONTROL_EXPOSE_HEADERS,
    HeaderValue::from_static(
        "WWW-Authenticate, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset",
    ),
);
const PREFLIGHT: [(HeaderName, HeaderValue); 3] = [
    (ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, OPTIONS")),
    (
        ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static(
            "Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id",
        ),
    ),
    (ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400")),
];

/// Opens every answer.
pub(crate) async fn open(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in [ANY, EXPOSED] {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Answers a preflight by itself.
pub(crate) async fn preflight(request: Request, next: Next) -> Response {
    let asks =
        request.method() == Method::OPTIONS && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    if asks { (StatusCode::NO_CONTENT, PREFLIGHT).into_response() } else { next.run(request).await }
}
