//! What the verbs of a transaction speak to: a transaction, or a connection for reading.

use deadpool_postgres as pool;
use tokio_postgres::types::{ToSql, Type};

use crate::error::Result;
use crate::param::Args;
use crate::row::{FromRow, Row};

/// One of the two.
pub(crate) enum Session<'c> {
    Write(&'c pool::Transaction<'c>),
    Read(&'c pool::Client),
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Write(_) => "Write",
            Self::Read(_) => "Read",
        })
    }
}

impl Session<'_> {
    pub(crate) async fn exec(&self, sql: &str, args: Args<'_>) -> Result<u64> {
        let (values, kinds) = values(args);
        Ok(match self {
            Self::Write(t) => t.execute(&t.prepare_typed_cached(sql, &kinds).await?, &values).await?,
            Self::Read(c) => c.execute(&c.prepare_typed_cached(sql, &kinds).await?, &values).await?,
        })
    }

    pub(crate) async fn all<T: FromRow>(&self, sql: &str, args: Args<'_>) -> Result<Vec<T>> {
        let (values, kinds) = values(args);
        let rows = match self {
            Self::Write(t) => t.query(&t.prepare_typed_cached(sql, &kinds).await?, &values).await?,
            Self::Read(c) => c.query(&c.prepare_typed_cached(sql, &kinds).await?, &values).await?,
        };
        rows.iter().map(|row| T::from_row(&mut Row::postgres(row))).collect()
    }
}

fn values(args: Args<'_>) -> (Vec<&(dyn ToSql + Sync)>, Vec<Type>) {
    args.iter().map(|arg| (arg.postgres(), arg.kind())).unzip()
}
