//! Addresses of strangers: which of them this server may go to, and for how long an answer of theirs holds. Pure.

pub mod freshness;
pub mod https_url;
pub mod network;
pub mod public;
