//! Rules of repositories and proposed files: names, paths, contents, messages. Pure.

pub mod alike;
pub mod branch;
pub mod content;
pub mod fold;
pub mod identity;
pub mod message;
pub mod names;
pub mod oid;
pub mod path;
pub mod proposed;
pub mod protected;
pub mod push;
pub mod push_log;
pub mod push_policy;
pub mod submodules;
pub mod tree_path;
