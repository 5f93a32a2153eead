//! Every route of every surface, behind the layers that all of them share.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use countersign_app::App;
use countersign_core::oauth::metadata::NotAnOrigin;
use countersign_core::route::Route;
use countersign_core::routes;
use countersign_mcp::RawTool;
use countersign_web::problem_page;

/// A surface: its routes as a list and as a router.
struct Surface {
    list: fn() -> Vec<Route>,
    router: fn(&App, &[RawTool]) -> Result<Router, NotAnOrigin>,
}

/// Every surface, once: what is served is what is listed.
const SURFACES: [Surface; 5] = [
    Surface { list: || OWN.to_vec(), router: |app, _| Ok(own().with_state(app.clone())) },
    Surface { list: countersign_web::route::list, router: |app, _| Ok(countersign_web::routes(app)) },
    Surface { list: countersign_oauth::list, router: |app, _| countersign_oauth::routes(app, problem_page) },
    Surface {
        list: countersign_mcp::list,
        router: |app, tools| Ok(countersign_mcp::routes(app, tools.iter().cloned())),
    },
    Surface { list: countersign_git_http::list, router: |app, _| Ok(countersign_git_http::routes(app)) },
];

routes! { OWN, own(App):
    GET Anyone "/healthz" => async || "ok\n";
    GET Anyone "/readyz" => ready;
}

/// Every route that this server serves.
pub fn list() -> Vec<Route> {
    SURFACES.iter().flat_map(|surface| (surface.list)()).collect()
}

/// The router of all of them. `tools` are offered beside the catalogue.
pub(crate) fn all(app: &App, tools: &[RawTool]) -> Result<Router, NotAnOrigin> {
    let mut router = Router::new();
    for surface in &SURFACES {
        router = router.merge((surface.router)(app, tools)?);
    }
    let names = Names::of(&app.settings.public_url);
    Ok(router.layer(middleware::from_fn_with_state(names, known_host)))
}

/// Whether the store takes writes.
async fn ready(State(app): State<App>) -> Response {
    match countersign_app::readiness::check(&app).await {
        Ok(()) => "ready\n".into_response(),
        Err(problem) => {
            tracing::warn!(%problem, cause = problem.cause.as_deref().map(tracing::field::display), "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "the database takes no writes\n").into_response()
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
    // RFC 9112 §3.2.
    if request.headers().get_all(header::HOST).iter().nth(1).is_some() {
        return (StatusCode::BAD_REQUEST, "Send one Host header.\n").into_response();
    }
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
