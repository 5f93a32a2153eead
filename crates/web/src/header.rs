//! Headers that every answer of a page carries, and the policy of what it may load.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use countersign_app::gate::Rate;
use http::header::{self, HeaderName};
use http::{HeaderMap, HeaderValue};

use crate::state::Web;

/// Nothing but our own files; no style and no script in the page; nobody frames it (CSP3).
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
);

/// The same without `form-action`, which browsers hold against every hop of the answer to a form: consent ends
/// at the client, and a client may send the browser on (CSP3 §6.5.1).
pub(crate) const CONSENT_POLICY: (HeaderName, HeaderValue) = (
    header::CONTENT_SECURITY_POLICY,
    HeaderValue::from_static(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; frame-ancestors 'none'",
    ),
);

/// What a handler did not set itself.
const DEFAULTS: [(HeaderName, HeaderValue); 8] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    // Not `no-referrer`: under that, browsers send `Origin: null` with our own forms (Fetch §3.2).
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ),
];

/// Sets them.
pub(crate) async fn set(State(web): State<Web>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in DEFAULTS {
        headers.entry(name).or_insert(value);
    }
    if web.app.settings.is_https() {
        headers
            .entry(header::STRICT_TRANSPORT_SECURITY)
            .or_insert(HeaderValue::from_static("max-age=31536000"));
    }
    response
}

/// Tells how many calls are left.
pub(crate) fn tell_rate(headers: &mut HeaderMap, rate: Rate) {
    headers.insert("x-ratelimit-limit", HeaderValue::from(rate.limit));
    headers.insert("x-ratelimit-remaining", HeaderValue::from(rate.remaining));
    headers.insert("x-ratelimit-reset", HeaderValue::from(rate.reset_s));
    if !rate.admitted {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(rate.reset_s));
    }
}
