//! Ordinary git clients against the served routes.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test runs the git that strangers run")]

mod broken;
mod clone;
mod credential;
mod cut;
mod drip;
mod hook;
mod limit;
mod odd;
mod push;
mod push_limit;
mod raw;
mod rule;
mod served;
