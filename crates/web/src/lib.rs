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
