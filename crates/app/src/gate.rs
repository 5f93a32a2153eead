//! The gate: one door for every call. No use case runs without a [`Permit`], and only this makes one.

mod action;
mod again;
mod journal;
mod pass;
mod permit;
mod rate;

pub use action::{Action, Effect, Found, Need, Subject};
pub use journal::{Journal, Outcome, Record};
pub use pass::{admit, enter, may_try, through};
pub use permit::{Permit, Place};
pub use rate::{Rate, RateKey, RateLimit};
