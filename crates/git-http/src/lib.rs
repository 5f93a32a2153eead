//! Smart HTTP for ordinary git clients: clone, fetch and push with a personal access token.
//!
//! The protocol is git's own (gitprotocol-http, gitprotocol-v2): this crate checks who asks, starts
//! `git upload-pack` or `git receive-pack`, and carries bytes both ways. Who may read is decided in
//! `app::repository::door`, who may push what in `app::push`, which git's hooks ask over a socket of their push.

mod advertise;
mod answer;
mod body;
mod broken;
mod carried;
mod conversation;
mod credential;
mod desk;
mod door;
mod exchange;
mod hearing;
pub mod hook;
mod limits;
mod places;
mod preamble;
mod protocol;
mod push;
mod question;
mod state;
mod watch;

use std::path::Path;

use axum::Router;
use countersign_app::App;
use countersign_core::route::Route;
use countersign_core::routes;

pub use limits::Limits;

use state::State;

routes! { ROUTES, router(State):
    GET GitToken "/git/{workspace}/{name}/info/refs" => advertise::refs;
    POST GitToken "/git/{workspace}/{name}/git-upload-pack" => exchange::fetch;
    POST GitWriteToken "/git/{workspace}/{name}/git-receive-pack" => push::receive;
}

/// Every route of this crate.
pub fn list() -> Vec<Route> {
    ROUTES.to_vec()
}

/// Whether a request for this path brings what a git client sends. That may take as long as [`Limits::longest`], while
/// the body of any other request is there in a moment.
pub fn takes_long(path: &str) -> bool {
    let services = ["/git-upload-pack", "/git-receive-pack"];
    path.starts_with("/git/") && services.iter().any(|service| path.ends_with(service))
}

/// The routes, within the limits that ship. The hooks of a push start the program that runs here, with `hook` and
/// the name of the hook as its arguments.
pub fn routes(app: &App) -> Router {
    // Without a name for itself it starts nothing, and a push is refused.
    let program = std::env::current_exe().unwrap_or_default();
    routes_within(app, Limits::SHIPPED, &program)
}

/// The routes, within other limits, and with another program for the hooks.
pub fn routes_within(app: &App, limits: Limits, program: &Path) -> Router {
    router().with_state(State::new(app, limits, program))
}
