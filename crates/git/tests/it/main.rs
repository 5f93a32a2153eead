//! Tests of repositories on disk against the real git.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test runs the git that strangers run, also a named one")]

mod backup;
mod browse;
mod crash;
mod create;
mod desk;
mod environment;
mod history;
mod import;
mod large;
mod lock;
mod maintain;
mod net;
mod place;
mod plan;
mod read;
mod search;
mod sign;
mod sweep;
mod transaction;
mod work;
