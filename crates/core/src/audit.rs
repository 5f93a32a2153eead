//! The audit log's seals: what is hashed, in which order, and how a seal is held against its rows. Pure.
//!
//! Why seals, and what they show and cannot: docs/decisions/10-audit-seals.md.

pub mod csv;
mod digest;
mod fault;
mod judge;
mod row;
mod seal;

pub use digest::{Digest, Head};
pub use fault::Fault;
pub use judge::{Flaw, flaw};
pub use row::Row;
pub use seal::{Entry, NotEntries, SEAL_ID_WIDTH, Seal, read_entries, seal_id, statement, write_entries};
