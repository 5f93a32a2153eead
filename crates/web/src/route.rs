//! Every route of this crate in one list: method, path, who may call it, and what answers.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use countersign_app::App;
use countersign_core::problem::{Code, Problem};
use http::Method;
use tower_http::csrf::CsrfLayer;

use crate::answer::PageProblem;
use crate::credential::{api_door, page_door};
use crate::state::Web;
use crate::{api, asset, handler, header, live};

/// The credential that opens a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// None: files of the pages, sign-in, set-up; the last two answer for themselves.
    Anyone,
    /// A browser session.
    Session,
    /// A mail address and a password in the body.
    Password,
    /// A personal access token with the scope `api`.
    Token,
    /// A personal access token with the scope `proposals:decide`.
    DecidingToken,
}

/// One route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, with its parameters in braces.
    pub path: &'static str,
    /// Who may call it.
    pub who: Who,
}

macro_rules! routes {
    ($list:ident, $router:ident: $($method:ident $path:literal $who:ident $handler:path;)+) => {
        const $list: &[Route] = &[$(Route { method: Method::$method, path: $path, who: Who::$who }),+];

        fn $router() -> Router<Web> {
            Router::new()$(.route($path, on(MethodFilter::$method, $handler)))+
        }
    };
}

routes! { PAGES, pages:
    GET "/" Anyone handler::start::start;
    GET "/static/{version}/{name}" Anyone asset::show;
    GET "/setup" Anyone handler::set_up::show;
    POST "/setup" Anyone handler::set_up::submit;
    GET "/sign-in" Anyone handler::sign_in::show;
    POST "/sign-in" Anyone handler::sign_in::submit;
    POST "/sign-out" Session handler::sign_in::sign_out;
    GET "/sudo" Session handler::sudo::show;
    POST "/sudo" Session handler::sudo::submit;
    GET "/external-assistant-authorize" Session handler::consent::show;
    POST "/external-assistant-authorize" Session handler::consent::submit;
    GET "/approvals" Session handler::approvals::show;
    GET "/approvals/{id}" Session handler::approval::show;
    POST "/approvals/{id}/approve" Session handler::approval::approve;
    POST "/approvals/{id}/decline" Session handler::approval::decline;
    GET "/connected" Session handler::connected::show;
    POST "/connected" Session handler::connected::create;
    GET "/connected/{id}" Session handler::connection::show;
    POST "/connected/{id}/projects" Session handler::connection::add_project;
    POST "/connected/{id}/projects/{project}/remove" Session handler::connection::remove_project;
    POST "/connected/{id}/revoke" Session handler::connection::revoke;
    GET "/repositories/{id}/commits/{oid}" Session handler::commit::show;
    GET "/live" Session live::open;
}

routes! { API, api_routes:
    POST "/api/v1/tokens" Password api::token::create;
    GET "/api/v1/tokens" Token api::token::list;
    DELETE "/api/v1/tokens/{id}" Token api::token::revoke;
    GET "/api/v1/me" Token api::person::me;
    GET "/api/v1/projects" Token api::project::list;
    POST "/api/v1/projects" Token api::project::create;
    POST "/api/v1/projects/{id}/members" Token api::member::add;
    PATCH "/api/v1/projects/{id}/members/{user}" Token api::member::set_role;
    GET "/api/v1/repositories" Token api::repository::list;
    POST "/api/v1/repositories" Token api::repository::create;
    POST "/api/v1/repositories/import" Token api::repository::import;
    PATCH "/api/v1/repositories/{id}" Token api::repository::change;
    GET "/api/v1/repositories/{id}/commits/{oid}" Token api::commit::show;
    GET "/api/v1/proposals" Token api::proposal::list;
    GET "/api/v1/proposals/{id}" Token api::proposal::show;
    POST "/api/v1/proposals/{id}/approve" DecidingToken api::proposal::approve;
    POST "/api/v1/proposals/{id}/decline" DecidingToken api::proposal::decline;
}

/// Every route of this crate, for the matrix of routes and credentials.
pub fn list() -> Vec<Route> {
    [PAGES, API].concat()
}

/// The longest form, in bytes.
const FORM: usize = 64 * 1024;
/// The longest body of the API, in bytes.
const BODY: usize = 64 * 1024;

/// The router: pages behind the door of pages, the API behind its own, and what is nowhere.
pub fn routes(app: &App) -> Router {
    let web = Web::new(app);
    let pages = pages()
        .layer(DefaultBodyLimit::max(FORM))
        .layer(from_fn_with_state(web.clone(), page_door))
        .layer(same_origin(app));
    let api =
        api_routes().layer(DefaultBodyLimit::max(BODY)).layer(from_fn_with_state(web.clone(), api_door));
    Router::new()
        .merge(pages)
        .merge(api)
        .fallback(handler::start::nothing)
        .layer(from_fn_with_state(web.clone(), header::set))
        .with_state(web)
}

/// Refuses a form that another site sent, by what the browser says of it (Fetch Metadata, RFC 6454).
fn same_origin(app: &App) -> CsrfLayer<fn(tower_http::csrf::ProtectionError) -> Response> {
    let layer = CsrfLayer::new();
    // Behind a proxy that rewrites `Host`, the public address is still ours.
    let layer = layer.add_trusted_origin(&app.settings.public_url).unwrap_or_else(|error| {
        tracing::warn!(%error, "the public address is no origin of a browser; check public_url");
        CsrfLayer::new()
    });
    layer.with_rejection_response(foreign as fn(_) -> _)
}

fn foreign(_: tower_http::csrf::ProtectionError) -> Response {
    PageProblem(Problem::new(Code::CsrfRefused, "This form came from another site.")).into_response()
}
