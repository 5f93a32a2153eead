//! Outgoing HTTP: the one owner of the HTTP client. JSON calls of our own REST API, pages for the demo, and documents
//! of strangers behind a guard.

mod browser;
mod client;
mod error;
pub mod guard;
pub mod guarded;
mod origin;
mod resolver;
#[cfg(feature = "testing")]
pub mod testing;
pub mod tls;

pub use browser::{Browser, Page};
pub use client::{Client, Method};
pub use error::FetchError;
pub use origin::Origin;
pub use resolver::{Lookup, Resolver, SystemResolver};

/// The plain client, for a library that brings its own protocol and takes a client.
pub fn plain() -> reqwest::Client {
    tls::install();
    reqwest::Client::default()
}
