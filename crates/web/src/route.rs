//! Every route of this crate in one list: method, path, who may call it, and what answers.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use countersign_app::App;
use countersign_core::problem::{Code, Problem};
use countersign_core::route::Route;
use countersign_core::routes;
use tower_http::csrf::CsrfLayer;

use crate::answer::PageProblem;
use crate::credential::{api_door, page_door};
use crate::state::Web;
use crate::{api, asset, handler, header, live};

routes! { PAGES, pages(Web):
    GET Session "/" => handler::home::show;
    GET Session "/go" => handler::go::show;
    GET Visitor "/static/{version}/{name}" => asset::show;
    GET Visitor "/setup" => handler::set_up::show;
    POST Visitor "/setup" => handler::set_up::submit;
    GET Visitor "/join" => handler::join::show;
    POST Visitor "/join" => handler::join::accept;
    POST Visitor "/join/look" => handler::join::look;
    GET Visitor "/sign-in" => handler::sign_in::show;
    POST Visitor "/sign-in" => handler::sign_in::submit;
    POST Visitor "/sign-in/passkey" => handler::sign_in::ask_passkey;
    POST Session "/sign-out" => handler::sign_in::sign_out;
    GET Session "/sudo" => handler::sudo::show;
    POST Session "/sudo" => handler::sudo::submit;
    POST Session "/sudo/passkey" => handler::sudo::ask_passkey;
    GET Session "/settings" => handler::settings::show;
    POST Session "/settings/passkeys" => handler::settings::add_passkey;
    POST Session "/settings/passkeys/ask" => handler::settings::ask_passkey;
    POST Session "/settings/passkeys/{id}/remove" => handler::settings::remove_passkey;
    POST Session "/settings/password" => handler::settings::change_password;
    POST Session "/settings/sign-out-elsewhere" => handler::settings::sign_out_elsewhere;
    GET Session "/tokens" => handler::tokens::show;
    POST Session "/tokens" => handler::tokens::create;
    POST Session "/tokens/{id}/revoke" => handler::tokens::revoke;
    GET Session "/projects" => handler::projects::show;
    POST Session "/projects" => handler::projects::create;
    GET Session "/projects/{id}" => handler::project::show;
    POST Session "/projects/{id}/members" => handler::project::add;
    POST Session "/projects/{id}/members/{user}/role" => handler::project::set_role;
    POST Session "/projects/{id}/members/{user}/remove" => handler::project::remove;
    GET Session "/people" => handler::people::show;
    POST Session "/people/invitations" => handler::people::invite;
    POST Session "/people/invitations/{id}/withdraw" => handler::people::withdraw;
    POST Session "/people/{user}/role" => handler::people::set_role;
    POST Session "/people/{user}/disable" => handler::people::disable;
    POST Session "/people/{user}/enable" => handler::people::enable;
    GET Session "/external-assistant-authorize" => handler::consent::show;
    POST Session "/external-assistant-authorize" => handler::consent::submit;
    GET Session "/approvals" => handler::approvals::show;
    GET Session "/approvals/several" => handler::several::show;
    POST Session "/approvals/several/approve" => handler::several::approve;
    POST Session "/approvals/several/decline" => handler::several::decline;
    GET Session "/approvals/{id}" => handler::approval::show;
    POST Session "/approvals/{id}/approve" => handler::approval::approve;
    POST Session "/approvals/{id}/decline" => handler::approval::decline;
    GET Session "/connected" => handler::connected::show;
    POST Session "/connected" => handler::connected::create;
    GET Session "/connected/{id}" => handler::connection::show;
    POST Session "/connected/{id}/projects" => handler::connection::add_project;
    POST Session "/connected/{id}/projects/{project}/remove" => handler::connection::remove_project;
    POST Session "/connected/{id}/tools" => handler::connection::switch_tool;
    POST Session "/connected/{id}/tools/all-on" => handler::connection::switch_all_on;
    POST Session "/connected/{id}/revoke" => handler::connection::revoke;
    GET Session "/repositories" => handler::repositories::show;
    GET Session "/repositories/new" => handler::new_repository::show;
    POST Session "/repositories/new" => handler::new_repository::create;
    POST Session "/repositories/import" => handler::import::begin;
    POST Session "/repositories/{id}/import/discard" => handler::import::discard;
    GET Session "/repositories/{id}" => handler::repository::files;
    GET Session "/repositories/{id}/files/{*path}" => handler::repository::files;
    GET Session "/repositories/{id}/raw/{*path}" => handler::raw::show;
    GET Session "/repositories/{id}/blame/{*path}" => handler::repository::blame;
    GET Session "/repositories/{id}/history" => handler::repository::history;
    GET Session "/repositories/{id}/history/{*path}" => handler::repository::history;
    GET Session "/repositories/{id}/branches" => handler::repository::branches;
    GET Session "/repositories/{id}/search" => handler::repository::search;
    GET Session "/repositories/{id}/settings" => handler::repository_settings::show;
    POST Session "/repositories/{id}/settings" => handler::repository_settings::save;
    POST Session "/repositories/{id}/project" => handler::repository_settings::relocate;
    POST Session "/repositories/{id}/members" => handler::repository_settings::set_member;
    GET Session "/repositories/{id}/commits/{oid}" => handler::commit::show;
    GET Session "/audit" => handler::audit::show;
    POST Session "/audit/verification" => handler::audit::verify;
    GET Session "/audit/export" => handler::audit::export;
    GET Session "/live" => live::open;
}

routes! { API, api(Web):
    POST Password "/api/v1/tokens" => api::token::create;
    GET Token "/api/v1/tokens" => api::token::list;
    DELETE Token "/api/v1/tokens/{id}" => api::token::revoke;
    GET Token "/api/v1/me" => api::person::me;
    GET Token "/api/v1/projects" => api::project::list;
    POST Token "/api/v1/projects" => api::project::create;
    GET Token "/api/v1/projects/{id}/members" => api::member::list;
    POST Token "/api/v1/projects/{id}/members" => api::member::add;
    PATCH Token "/api/v1/projects/{id}/members/{user}" => api::member::set_role;
    DELETE Token "/api/v1/projects/{id}/members/{user}" => api::member::remove;
    POST Token "/api/v1/projects/{id}/members/{user}/password" => api::member::set_password;
    GET Token "/api/v1/repositories" => api::repository::list;
    POST Token "/api/v1/repositories" => api::repository::create;
    POST Token "/api/v1/repositories/import" => api::repository::import;
    POST Token "/api/v1/repositories/import-url" => api::import::begin;
    GET Token "/api/v1/repositories/{id}/import" => api::import::show;
    DELETE Token "/api/v1/repositories/{id}/import" => api::import::discard;
    PATCH Token "/api/v1/repositories/{id}" => api::repository::change;
    GET Token "/api/v1/repositories/{id}/settings" => api::repository::settings;
    GET Token "/api/v1/repositories/{id}/members" => api::repository::members;
    PATCH Token "/api/v1/repositories/{id}/members/{user}" => api::repository::set_member;
    GET Token "/api/v1/repositories/{id}/commits/{oid}" => api::commit::show;
    GET Token "/api/v1/proposals" => api::proposal::list;
    GET Token "/api/v1/proposals/{id}" => api::proposal::show;
    POST DecidingToken "/api/v1/proposals/{id}/approve" => api::proposal::approve;
    POST DecidingToken "/api/v1/proposals/{id}/decline" => api::proposal::decline;
    GET Token "/api/v1/audit" => api::audit::list;
    GET Token "/api/v1/audit/export" => api::audit::export;
    GET Token "/api/v1/audit/verification" => api::audit::verify;
}

/// Every route of this crate.
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
        .method_not_allowed_fallback(handler::start::no_method)
        .layer(DefaultBodyLimit::max(FORM))
        .layer(from_fn_with_state(web.clone(), page_door))
        .layer(same_origin(app));
    let api = api()
        .method_not_allowed_fallback(handler::start::no_api_method)
        .layer(DefaultBodyLimit::max(BODY))
        .layer(from_fn_with_state(web.clone(), api_door));
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
