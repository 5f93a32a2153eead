//! The first set-up: a one-time link makes the first person, their workspace and a project, once.

mod claim;
mod offer;

pub use claim::{Claim, claim};
pub use offer::{Link, is_open, offer};
