//! Frozen changes: proposed by an agent, decided by a person, executed once.

pub mod list;
pub mod read;
mod row;
pub mod view;

pub use list::list_mine;
pub use read::read_mine;
