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
use axum::routing::{any, get, post};
use countersign_app::App;
use countersign_core::oauth::metadata::{
    AUTHORIZATION_SERVER, AUTHORIZE, CONNECTOR, IssInAnswers, NotAnOrigin, PROTECTED_RESOURCE, REGISTER,
    REVOKE, TOKEN, Urls,
};
use countersign_core::problem::Problem;

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

/// The routes. The public URL is checked here, once: every document and audience derives from it.
pub fn routes(app: &App, page: ProblemPage) -> Result<Router, NotAnOrigin> {
    let urls = Urls::new(&app.settings.public_url)?;
    let iss = if app.settings.send_issuer { IssInAnswers::Sent } else { IssInAnswers::LeftOut };
    let shared = Arc::new(Shared {
        app: app.clone(),
        limits: Limits::new(),
        page,
        protected_resource: urls.protected_resource().to_string().into(),
        authorization_server: urls.authorization_server(iss).to_string().into(),
    });
    let machine = Router::new()
        .route(PROTECTED_RESOURCE, get(well_known::protected_resource))
        .route(&format!("{PROTECTED_RESOURCE}{CONNECTOR}"), get(well_known::protected_resource))
        .route(AUTHORIZATION_SERVER, get(well_known::authorization_server))
        .route("/.well-known", any(well_known::missing))
        .route("/.well-known/", any(well_known::missing))
        .route("/.well-known/{*rest}", any(well_known::missing))
        .route(&format!("{CONNECTOR}/.well-known/{{*rest}}"), any(well_known::missing))
        .route(REGISTER, post(register::register))
        .route(TOKEN, post(token::token))
        .route(REVOKE, post(revoke::revoke))
        .layer(axum::middleware::from_fn(cors::open));
    let person = Router::new().route(AUTHORIZE, get(authorize::authorize));
    Ok(machine.merge(person).with_state(shared))
}
