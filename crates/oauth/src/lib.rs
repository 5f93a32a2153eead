//! Machine endpoints of the authorization server: documents, registration, authorize, token, revocation.
//!
//! What a person sees and answers (sign-in, consent) is the web's; every decision is `countersign_app::oauth`'s.

mod answer;
mod authorize;
mod cors;
mod limit;
mod register;
mod revoke;
mod token;
mod well_known;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::middleware::{from_fn, from_fn_with_state};
use countersign_app::{App, oauth};
use countersign_core::oauth::metadata::{
    AUTHORIZATION_SERVER, AUTHORIZE, NotAnOrigin, PROTECTED_CONNECTOR, PROTECTED_RESOURCE, REGISTER, REVOKE,
    TOKEN, Urls,
};
use countersign_core::problem::Problem;
use countersign_core::route::Route;
use countersign_core::routes;

use crate::limit::Limits;

/// Draws a refusal as a page; the look is the web's.
pub type ProblemPage = fn(&Problem) -> String;

/// What the endpoints share.
struct Shared {
    app: App,
    limits: Limits,
    page: ProblemPage,
    protected_resource: Bytes,
    authorization_server: Bytes,
}

routes! { MACHINE, machine(Arc<Shared>):
    GET Anyone PROTECTED_RESOURCE => well_known::protected_resource;
    GET Anyone PROTECTED_CONNECTOR => well_known::protected_resource;
    GET Anyone AUTHORIZATION_SERVER => well_known::authorization_server;
    ANY Anyone "/.well-known" => well_known::missing;
    ANY Anyone "/.well-known/" => well_known::missing;
    ANY Anyone "/.well-known/{*rest}" => well_known::missing;
    ANY Anyone "/api/v1/external-mcp/.well-known/{*rest}" => well_known::missing;
    POST Client REGISTER => register::register;
    POST Client TOKEN => token::token;
    POST Client REVOKE => revoke::revoke;
}

routes! { PERSON, person(Arc<Shared>):
    GET Client AUTHORIZE => authorize::authorize;
}

/// Every route of this crate.
pub fn list() -> Vec<Route> {
    [MACHINE, PERSON].concat()
}

/// The routes. The public URL is checked here, once: every document and audience derives from it.
pub fn routes(app: &App, page: ProblemPage) -> Result<Router, NotAnOrigin> {
    let urls = Urls::new(&app.settings.public_url)?;
    let shared = Arc::new(Shared {
        app: app.clone(),
        limits: Limits::new(),
        page,
        protected_resource: urls.protected_resource().to_string().into(),
        authorization_server: urls.authorization_server(oauth::offer(app)).to_string().into(),
    });
    // What a browser may read is said of every answer, of a refusal by the limits too; so that stands outermost.
    let machine = machine()
        .method_not_allowed_fallback(answer::no_method)
        .layer(from_fn(cors::preflight))
        .layer(from_fn_with_state(Arc::clone(&shared), limit::machine))
        .layer(from_fn(cors::open));
    let person = person()
        .method_not_allowed_fallback(authorize::no_method)
        .layer(from_fn_with_state(Arc::clone(&shared), limit::person));
    Ok(machine.merge(person).with_state(shared))
}
