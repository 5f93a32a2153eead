//! Configuration, routes, run: everything of one server put together.

pub mod config;
mod edge;
mod keys;
pub mod log;
mod routes;
mod run;
mod timer;

pub use edge::{OsEntropy, SystemClock};
pub use routes::OWN as OWN_ROUTES;
pub use run::{Extras, Running, StartError, run, start};
