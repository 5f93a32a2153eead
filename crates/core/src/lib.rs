//! Ids, states, moves and refusals: pure. No I/O, no runtime, no clock, no randomness.

pub mod api;
pub mod audit;
pub mod backup;
pub mod caller;
pub mod connection;
pub mod gitnest;
pub mod host;
pub mod id;
pub mod limit;
pub mod net;
pub mod oauth;
pub mod page;
pub mod passkey;
pub mod problem;
pub mod proposal;
pub mod role;
pub mod route;
pub mod scope;
pub mod text;
pub mod time;
