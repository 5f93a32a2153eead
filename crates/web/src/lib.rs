//! Pages, live parts and the REST API.

pub mod address;
mod answer;
mod api;
pub mod asset;
mod cookie;
mod credential;
mod export;
mod form;
pub mod frame;
mod handler;
mod header;
pub mod highlight;
mod live;
mod openapi;
pub mod page;
pub mod part;
mod place;
mod query;
pub mod route;
mod state;

use countersign_core::problem::Problem;

pub use route::routes;

/// A problem as a whole page, for surfaces that end in a browser.
pub fn problem_page(problem: &Problem) -> String {
    page::problem::page(problem).into_string()
}
