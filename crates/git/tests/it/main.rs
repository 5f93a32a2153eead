//! Tests of repositories on disk against the real git.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod create;
mod history;
mod lock;
mod place;
mod read;
mod search;
mod transaction;
mod work;
