//! Smart HTTP for ordinary git clients: clone and fetch with a personal access token.
//!
//! The protocol is git's own (gitprotocol-http, gitprotocol-v2): this crate checks who asks, starts
//! `git upload-pack`, and carries bytes both ways. Who may read is decided in `app::repository::door`.

mod advertise;
mod answer;
mod body;
mod conversation;
mod credential;
mod door;
mod exchange;
mod limits;
mod protocol;
mod push;
mod state;

use axum::Router;
use axum::routing::{get, post};
use countersign_app::App;

pub use limits::Limits;

use state::State;

/// Every route of this crate: method and path.
pub const ROUTES: &[(&str, &str)] = &[("GET", REFS), ("POST", FETCH), ("POST", PUSH)];

const REFS: &str = "/git/{workspace}/{name}/info/refs";
const FETCH: &str = "/git/{workspace}/{name}/git-upload-pack";
const PUSH: &str = "/git/{workspace}/{name}/git-receive-pack";

/// The routes, within the limits that ship.
pub fn routes(app: &App) -> Router {
    routes_within(app, Limits::SHIPPED)
}

/// The routes, within other limits.
pub fn routes_within(app: &App, limits: Limits) -> Router {
    Router::new()
        .route(REFS, get(advertise::refs))
        .route(FETCH, post(exchange::fetch))
        .route(PUSH, post(push::refuse))
        .with_state(State::new(app, limits))
}
