//! Import a repository from a URL: begun by a request, done by the server on its own, looked at meanwhile.
//!
//! The row is the intent. Whoever finds it unfinished goes on with it: the server that began it, another one when that
//! died, or the next start.

mod begin;
mod look;
mod run;

pub use begin::{NewImport, begin};
pub use look::{ImportState, ImportView, discard, imports, look};
pub use run::resume;

/// What a waiting page listens for.
const TOPIC: &str = "repositories";
