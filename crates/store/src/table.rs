//! The tables of the store as an engine tells them: columns, kinds, keys; parents before what refers to them.

use crate::cell::Kind;
use crate::error::{Error, Result};
use crate::migrate;
use crate::tx::Tx;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, in the order in which they were made.
    pub columns: Vec<Column>,
    /// The names of the columns of its primary key.
    pub(crate) key: Vec<String>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
}

/// The number of the newest step of the schema that this program knows.
pub fn schema() -> i64 {
    migrate::MIGRATIONS.iter().map(migrate::Migration::version).max().unwrap_or(0)
}

/// Name, kind and place in the primary key (from 1; 0 for none) of each column.
const SQLITE: &str = "SELECT name, type, pk FROM pragma_table_info($1) ORDER BY cid";
// The catalogue itself: the views of the information schema take a hundred times as long.
const POSTGRES: &str = "SELECT CAST(a.attname AS TEXT), format_type(a.atttypid, NULL), \
    CAST(COALESCE(array_position(CAST(i.indkey AS int2[]), a.attnum) + 1, 0) AS BIGINT) FROM pg_attribute a \
    LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary \
    WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";

/// Every table that the migrations make, but for their own: a table stands behind those that it refers to, since it
/// could not have been made before them.
pub async fn all(t: &Tx<'_>) -> Result<Vec<Table>> {
    let mut tables = Vec::new();
    for name in migrate::tables() {
        let told: Vec<(String, String, i64)> = t.all(t.pick(SQLITE, POSTGRES), &[&name]).await?;
        tables.push(table(name, told)?);
    }
    Ok(tables)
}

fn table(name: &str, told: Vec<(String, String, i64)>) -> Result<Table> {
    let mut key: Vec<_> =
        told.iter().filter(|(.., at)| *at > 0).map(|(name, _, at)| (*at, name.clone())).collect();
    key.sort();
    let column = |(column, word, _): (String, String, i64)| {
        let kind = Kind::of_engine(&word);
        let kind =
            kind.ok_or_else(|| Error::Sql(format!("{name}.{column} is of an unknown type, {word}")))?;
        Ok(Column { name: column, kind })
    };
    let columns = told.into_iter().map(column).collect::<Result<Vec<_>>>()?;
    if key.is_empty() {
        return Err(Error::Sql(format!("the table {name} is missing, or has no primary key")));
    }
    Ok(Table { name: name.to_owned(), columns, key: key.into_iter().map(|(_, name)| name).collect() })
}

impl Table {
    /// `SELECT` of every row in the order of its key, which is the same on both engines.
    pub(crate) fn select(&self) -> String {
        format!("SELECT {} FROM {} ORDER BY {}", self.names(), self.name, self.key.join(", "))
    }

    /// The columns' names with commas between them.
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        names.join(", ")
    }

    /// How many rows it has.
    pub async fn count(&self, t: &Tx<'_>) -> Result<u64> {
        let sql = format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {}", self.name);
        let (count,): (i64,) = t.one(&sql, &[]).await?;
        Ok(u64::try_from(count).unwrap_or_default())
    }
}
