//! Every route of every surface, behind the layers that all of them share.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use countersign_app::App;
use countersign_core::oauth::metadata::NotAnOrigin;
use countersign_mcp::RawTool;

/// The routes of this server's own, beside those of its surfaces: method and path.
pub const OWN: &[(&str, &str)] = &[("GET", "/healthz"), ("GET", "/readyz")];

/// Every route. `tools` are offered beside the catalogue.
pub(crate) fn all(app: &App, tools: Vec<RawTool>) -> Result<Router, NotAnOrigin> {
    let oauth = countersign_oauth::routes(app, countersign_web::problem_page)?;
    let router = Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .with_state(app.clone())
        .merge(countersign_web::routes(app))
        .merge(oauth)
        .merge(countersign_mcp::routes(app, tools))
        .merge(countersign_git_http::routes(app))
        .layer(middleware::from_fn_with_state(Names::of(&app.settings.public_url), known_host));
    Ok(router)
}

/// Whether the store answers.
async fn ready(State(app): State<App>) -> Response {
    match countersign_app::setup::is_open(&app).await {
        Ok(_) => "ready\n".into_response(),
        Err(problem) => {
            tracing::warn!(%problem, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n").into_response()
        }
    }
}

/// The names under which this server may be asked for: its public one, and those of the loopback interface. Any
/// other one is a foreign name that was made to lead here (DNS rebinding).
#[derive(Clone, Debug)]
struct Names {
    public: String,
}

impl Names {
    fn of(public_url: &str) -> Self {
        let uri: Option<axum::http::Uri> = public_url.parse().ok();
        let public = uri.and_then(|uri| uri.host().map(str::to_lowercase)).unwrap_or_default();
        Self { public }
    }

    fn know(&self, authority: &str) -> bool {
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
            Some(_) | None => authority,
        };
        let host = host.to_lowercase();
        host == self.public || matches!(host.as_str(), "localhost" | "127.0.0.1" | "[::1]")
    }
}

async fn known_host(State(names): State<Names>, request: Request, next: Next) -> Response {
    let host = request
        .uri()
        .authority()
        .map(axum::http::uri::Authority::as_str)
        .or_else(|| request.headers().get(header::HOST).and_then(|value| value.to_str().ok()));
    if host.is_some_and(|host| names.know(host)) {
        return next.run(request).await;
    }
    (StatusCode::MISDIRECTED_REQUEST, "This server is not known under that name; check public_url.\n")
        .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_name_and_loopback_are_known() {
        let names = Names::of("https://Sign.Example");
        for good in [
            "sign.example",
            "sign.example:443",
            "SIGN.example:8420",
            "localhost:8420",
            "127.0.0.1",
            "[::1]:8420",
        ] {
            assert!(names.know(good), "{good}");
        }
        for bad in
            ["evil.example", "sign.example.evil.example", "127.0.0.1.evil.example:8420", "", "192.168.0.1"]
        {
            assert!(!names.know(bad), "{bad}");
        }
    }
}
