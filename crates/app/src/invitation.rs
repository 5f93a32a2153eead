//! Invitations: an owner lets somebody make their own account, by a link that works once.

mod accept;
mod create;
mod list;
mod look;
pub mod view;
mod withdraw;

pub use accept::{Acceptance, accept};
pub use create::{Created, NewInvitation, create};
pub use list::{list, page};
pub use look::look;
pub use withdraw::withdraw;

use countersign_core::problem::{Code, Problem};

/// What streams are woken by when the invitations of a workspace change.
const TOPIC: &str = "people";

/// The one answer to a link that opens nothing: never made, used, taken back, over, or of who is no owner any more.
fn gone() -> Problem {
    Problem::new(Code::NotFound, "This invitation is not open.")
        .next("Copy the whole link again. If it stays so, ask who invited you for a new one.")
        .fact("field", "token")
        .fact("rule", "the code of an open invitation")
}
