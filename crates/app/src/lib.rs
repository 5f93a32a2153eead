//! Use cases behind one gate.

pub mod commit;
pub mod connection;
pub mod consent;
pub mod diff;
pub mod proposal;
pub mod secret;
pub mod session;
