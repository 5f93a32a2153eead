//! Rules of repositories and proposed files: names, paths, contents, messages. Pure.

pub mod branch;
pub mod identity;
pub mod message;
pub mod oid;
