//! Use cases behind one gate: `<noun>::<verb>(&App, &Caller, …)`.

pub(crate) mod actor;
mod app;
pub mod audit;
pub mod backup;
pub mod catalogue;
pub mod commit;
pub mod connection;
pub mod consent;
pub mod diff;
pub mod edge;
pub mod fault;
pub mod gate;
pub(crate) mod git_problem;
pub mod home;
pub mod invitation;
pub mod live;
pub mod member;
pub mod name;
pub mod oauth;
pub(crate) mod page;
pub mod passkey;
pub mod person;
pub mod project;
pub mod proposal;
pub mod push;
pub mod readiness;
pub mod repository;
pub mod resource;
pub mod restore;
pub mod secret;
pub mod session;
pub mod settings;
pub mod setup;
#[cfg(feature = "testing")]
pub mod testing;
pub mod token;
pub mod workspace;

pub use app::{App, Parts};
