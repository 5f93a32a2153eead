//! Frozen changes: proposed by an agent, decided by a person, executed once.

pub mod approve;
mod begin;
mod body;
pub mod close;
mod decider;
mod execute;
mod finish;
pub mod list;
pub mod propose;
pub mod queue;
pub mod read;
pub mod recover;
mod row;
pub mod show;
pub mod view;

pub use approve::{Decided, approve};
pub use close::{Closed, decline, expire_due, withdraw};
pub use list::list_mine;
pub use propose::{FileImport, Receipt, propose_file_import};
pub use queue::{page, queue};
pub use read::read_mine;
pub use recover::recover;
pub(crate) use row::TOPIC;
pub use show::show;
