//! Outgoing HTTP: the one owner of the HTTP client. Plain JSON calls of our own REST API.

mod client;
mod error;
mod origin;
pub mod tls;

pub use client::{Client, Method};
pub use error::FetchError;
pub use origin::Origin;
