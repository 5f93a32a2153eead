//! Tests of repositories on disk against the real git.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod create;
mod lock;
mod place;
mod plan;
mod transaction;
