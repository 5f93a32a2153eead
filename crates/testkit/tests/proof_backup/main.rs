//! Must show: a backup is taken while two servers serve, holds whatever was answered before, and is restored into an
//! empty place of either engine, with the proof; what is not whole is refused, and what is killed begins anew.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod broken;
mod killed;
mod load;
mod place;
mod refused;
mod ways;
