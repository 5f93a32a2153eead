//! The answers of writes: of a conditional one done, changed meanwhile, or missing; of a removal, whether there was one.

use crate::{Args, Result, Tx};

/// What became of a write that named the state or version which it saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Saved<T = ()> {
    /// The row was as seen and is now as wished.
    Done(T),
    /// The row exists, but not as seen; nothing changed.
    Changed,
    /// There is no such row.
    Missing,
}

impl<T> Saved<T> {
    /// Sorts the outcome of `UPDATE … WHERE key AND seen RETURNING …`: without a row, `find` (a SELECT by the
    /// key alone, whatever it selects first) tells a changed row from a missing one.
    pub async fn sort(t: &Tx<'_>, updated: Option<T>, find: &str, key: Args<'_>) -> Result<Self> {
        match updated {
            Some(row) => Ok(Self::Done(row)),
            None if t.any(find, key).await? => Ok(Self::Changed),
            None => Ok(Self::Missing),
        }
    }
}

/// What the removal of one row came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Removed {
    /// It is gone now.
    One,
    /// There was none.
    Nothing,
}

impl Removed {
    /// By the number of rows that a DELETE by a whole key took.
    pub(crate) const fn of(rows: u64) -> Self {
        if rows == 0 { Self::Nothing } else { Self::One }
    }
}
