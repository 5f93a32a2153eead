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
use countersign_app::App;
use countersign_core::route::Route;
use countersign_core::routes;

pub use limits::Limits;

use state::State;

routes! { ROUTES, router(State):
    GET GitToken "/git/{workspace}/{name}/info/refs" => advertise::refs;
    POST GitToken "/git/{workspace}/{name}/git-upload-pack" => exchange::fetch;
    POST Nobody "/git/{workspace}/{name}/git-receive-pack" => push::refuse;
}

/// Every route of this crate.
pub fn list() -> Vec<Route> {
    ROUTES.to_vec()
}

/// The routes, within the limits that ship.
pub fn routes(app: &App) -> Router {
    routes_within(app, Limits::SHIPPED)
}

/// The routes, within other limits.
pub fn routes_within(app: &App, limits: Limits) -> Router {
    router().with_state(State::new(app, limits))
}
