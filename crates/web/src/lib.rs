//! Pages, live parts and the REST API.

mod answer;
mod api;
pub mod asset;
mod cookie;
mod credential;
mod form;
pub mod frame;
mod handler;
mod header;
pub mod highlight;
mod live;
pub mod page;
pub mod part;
mod place;
pub mod route;
mod state;

pub use route::routes;

/// A refusal as a whole page, for surfaces that have no pages of their own.
pub fn problem_page(problem: &countersign_core::problem::Problem) -> String {
    page::problem::page(problem).into_string()
}
