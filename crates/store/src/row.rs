//! One row of an answer, read column by column in the order of the SELECT.

use crate::error::{Error, Result, chain};

/// A type that both engines can read from a column: `i64`, `String`, `Vec<u8>`, and `Option` of these.
pub trait Field: rusqlite::types::FromSql + for<'a> tokio_postgres::types::FromSql<'a> {}

impl<T: rusqlite::types::FromSql + for<'a> tokio_postgres::types::FromSql<'a>> Field for T {}

/// A row of either engine.
#[derive(Debug)]
pub struct Row<'r> {
    source: Source<'r>,
    next: usize,
}

#[derive(Debug)]
enum Source<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r tokio_postgres::Row),
}

impl<'r> Row<'r> {
    pub(crate) fn sqlite(row: &'r rusqlite::Row<'r>) -> Self {
        Self { source: Source::Sqlite(row), next: 0 }
    }

    pub(crate) fn postgres(row: &'r tokio_postgres::Row) -> Self {
        Self { source: Source::Postgres(row), next: 0 }
    }

    /// The value of the next column.
    pub fn take<T: Field>(&mut self) -> Result<T> {
        let at = self.next;
        self.next += 1;
        match self.source {
            Source::Sqlite(row) => row.get(at).map_err(|e| unreadable(at, &e)),
            Source::Postgres(row) => row.try_get(at).map_err(|e| unreadable(at, &e)),
        }
    }
}

fn unreadable(at: usize, cause: &dyn std::error::Error) -> Error {
    Error::Sql(format!("column {at} does not fit the type it is read as: {}", chain(cause)))
}

/// What can be read from a row: a record, or a tuple of columns.
pub trait FromRow: Sized {
    /// The columns that `{cols}` in a statement stands for; empty for tuples, whose statements name their columns.
    const COLS: &'static str;

    /// Reads the columns in their order.
    fn from_row(row: &mut Row<'_>) -> Result<Self>;
}

macro_rules! tuple {
    ($($name:ident)+) => {
        impl<$($name: Field),+> FromRow for ($($name,)+) {
            const COLS: &'static str = "";
            fn from_row(row: &mut Row<'_>) -> Result<Self> {
                Ok(($(row.take::<$name>()?,)+))
            }
        }
    };
}

tuple!(A);
tuple!(A B);
tuple!(A B C);
tuple!(A B C D);
tuple!(A B C D E);
tuple!(A B C D E F);
