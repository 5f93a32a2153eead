//! Proposals from the freeze to the landing, against the real store and the real git, on both engines.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test runs the git that strangers run")]

mod approve;
mod backup;
mod begin;
mod close;
mod decide;
mod floor;
mod making;
mod names;
mod propose;
mod push;
mod queue;
mod resume;
mod role;
mod rules;
mod upkeep;
