//! Repositories on disk: objects read and written by gix, refs moved by git itself.
//!
//! Why two engines: docs/decisions/02-git-engine.md.

pub mod ahead;
mod ancestry;
pub mod backup;
pub mod blame;
mod bounded;
pub mod commit;
pub mod complaint;
pub mod create;
pub mod desk;
pub mod diff;
pub mod error;
pub mod file;
pub mod folder;
mod head;
pub mod history;
pub mod host;
pub mod import;
pub mod last;
pub mod listing;
pub mod lock;
pub mod log;
pub mod maintain;
pub mod named;
mod net;
pub mod objects;
pub mod plan;
pub mod process;
pub mod quarantine;
pub mod raw;
pub mod receive;
pub mod ref_list;
pub mod refs;
pub mod repo;
pub mod restore;
pub mod revision;
pub mod running;
pub mod search;
pub mod share;
pub mod sign;
pub mod size;
pub mod ssh;
pub mod sweep;
pub mod tag;
mod timed;
pub mod transaction;
pub mod tree;
pub mod version;
mod walk;

pub use error::{GitError, Result};
pub use host::GitHost;
pub use repo::Repo;
