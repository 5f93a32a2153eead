//! Outgoing HTTP: the one owner of the HTTP client. JSON calls of our own REST API, and pages for the demo.

mod browser;
mod client;
mod error;
mod origin;
pub mod tls;

pub use browser::{Browser, Page};
pub use client::{Client, Method};
pub use error::FetchError;
pub use origin::Origin;

/// The plain client, for a library that brings its own protocol and takes a client.
pub fn plain() -> reqwest::Client {
    tls::install();
    reqwest::Client::default()
}
