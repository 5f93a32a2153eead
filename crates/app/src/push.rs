//! Pushes of people: who may push what, and how the repository's log learns of it.
//!
//! A push asks four times: [`open()`] before git is started, [`decide()`] when all of it is there and nothing has moved
//! (role and token are asked again, at last under the lock of the refs), [`keep()`] before each ref, and [`record()`] once
//! git moved refs. What no `record` told of, [`settle`] finds.

mod accept;
mod decide;
mod keep;
mod open;
mod record;
pub mod recover;
mod tell;

pub use accept::{Accepted, Asked, lines};
pub use decide::decide;
pub use keep::keep;
pub use open::{PUSH, open, room};
pub use record::{Recorded, record};
pub use recover::{Push, recover, settle};
pub(crate) use tell::{Sight, Told, follow_approval};
