//! Proposals from the freeze to the landing, against the real store and the real git, on both engines.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod approve;
mod close;
mod floor;
mod names;
mod propose;
