//! The tools and the connector.

pub mod connector;
pub mod cost;
pub mod registry;
pub mod schema;
pub mod text;
pub mod tool;
pub mod tools;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use countersign_app::App;
use countersign_app::catalogue::{Catalogue, NameTwice};
use countersign_core::route::Route;
use countersign_core::routes;

pub use connector::{Connector, PATH};
pub use registry::{RawTool, Registry};
pub use tool::ToolEntry;

routes! { ROUTES, router(Connector):
    ANY Agent PATH => answer;
}

/// Every route of this crate.
pub fn list() -> Vec<Route> {
    ROUTES.to_vec()
}

/// Every tool as owners see it, with those that tests bring. Refused when two claim one name.
pub fn catalogue(extra: impl IntoIterator<Item = RawTool>) -> Result<Catalogue, NameTwice> {
    tools::catalogue().with_raw(extra).catalogue()
}

/// The connector's route. `extra` are tools beside the catalogue: tests bring those of the conformance suites.
pub fn routes(app: &App, extra: impl IntoIterator<Item = RawTool>) -> Router {
    router().with_state(Connector::new(app.clone(), tools::catalogue().with_raw(extra)))
}

async fn answer(State(connector): State<Connector>, request: Request) -> Response {
    connector.answer(request).await
}
