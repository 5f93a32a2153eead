//! Repositories, commits and proposals as agents and people read them, on both engines, with real git.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test makes commits with git, as its users do")]

mod branches;
mod browse;
mod commit;
mod import;
mod large;
mod read;
mod search;
mod show;
mod stranger;
mod work;
