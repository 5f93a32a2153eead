//! Configuration, routes, run: everything of one server put together.

pub mod backup;
pub mod config;
mod door;
mod edge;
mod keys;
pub mod log;
pub mod look;
pub mod proxy;
mod room;
pub mod routes;
mod run;
mod timer;

pub use countersign_git_http::hook;
pub use edge::{OsEntropy, SystemClock, now};
pub use run::{Extras, Running, StartError, run, start};
