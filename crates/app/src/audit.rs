//! The audit log: sealed, verified, read and exported. What writes it is the gate's journal.

mod export;
mod filter;
mod list;
mod seal;
mod show;
mod verify;
pub mod view;

pub use export::{Export, export};
pub use filter::{Filter, Mark, Turn};
pub use list::{Listing, PAGE, list};
pub use seal::seal;
pub use show::show;
pub(crate) use verify::whole;
pub use verify::{Ask, Checks, verify};
