//! A backup as a file: what stands in it, under which names, and which refs of a repository belong to its moment. Pure.

mod entry;
mod refs;

pub use entry::{EntryName, NEEDED_KEYS};
pub use refs::{RefList, refs_of_moment};

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// The number of the format that this program writes, and the only one that it reads.
pub const FORMAT: u32 = 1;

/// The first entry: what kind of file it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// See [`FORMAT`].
    pub format: u32,
    /// The version of the program that wrote it.
    pub program: String,
    /// The last step of the schema of its store.
    pub schema: i64,
    /// The engine that it was taken from; it can be restored into either.
    pub engine: String,
    /// When it was begun.
    pub made_at: Timestamp,
}

/// The last entry: every other one, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What is in the file.
    pub entries: Vec<Entry>,
}

/// What is known of one entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name.
    pub name: EntryName,
    /// How many bytes it has.
    pub size: u64,
    /// The SHA-256 of these, in hexadecimal digits.
    pub sha256: String,
    /// How many rows, where it is a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
}
