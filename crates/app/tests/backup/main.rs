//! What a backup shows: the moment of the store, whatever git does a moment later.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test runs the git that strangers run")]

mod moment;
