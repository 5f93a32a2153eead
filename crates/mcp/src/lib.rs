//! The tools and the connector.

pub mod connector;
pub mod registry;
pub mod schema;
pub mod text;
pub mod tool;
pub mod tools;

use axum::Router;
use axum::extract::Request;
use axum::routing::any;
use countersign_app::App;

pub use connector::{Connector, PATH};
pub use registry::{RawTool, Registry};
pub use tool::ToolEntry;

/// The connector's route. `extra` are tools beside the catalogue: tests bring those of the conformance suites.
pub fn routes(app: &App, extra: impl IntoIterator<Item = RawTool>) -> Router {
    let connector = Connector::new(app.clone(), tools::catalogue().with_raw(extra));
    let answer = move |request: Request| async move { connector.answer(request).await };
    Router::new().route(PATH, any(answer))
}
