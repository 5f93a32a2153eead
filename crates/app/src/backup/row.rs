//! The rows of a table as lines of JSON: first the table with its columns, then an array each. Bytes are in base64.

use std::io::{BufRead as _, BufReader, Lines};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use countersign_core::problem::Problem;
use countersign_store::table::Table;
use countersign_store::{Cell, Kind};
use serde_json::{Value, json};

use super::read::{Archive, Content};
use countersign_core::backup::EntryName;

/// The first line: which columns the values belong to.
pub(super) fn heading(table: &Table) -> Vec<u8> {
    let columns: Vec<_> =
        table.columns.iter().map(|column| json!([column.name, column.kind.as_str()])).collect();
    line(&json!({ "table": table.name, "columns": columns }))
}

/// One row.
pub(super) fn row(cells: Vec<Cell>) -> Vec<u8> {
    let value = |cell| match cell {
        Cell::Null(_) => Value::Null,
        Cell::Integer(number) => number.into(),
        Cell::Text(text) => text.into(),
        Cell::Blob(bytes) => STANDARD.encode(bytes).into(),
    };
    line(&cells.into_iter().map(value).collect())
}

fn line(value: &Value) -> Vec<u8> {
    format!("{value}\n").into_bytes()
}

/// The rows of a table in a backup.
pub(crate) struct Rows<'a> {
    archive: &'a Archive,
    table: &'a Table,
    lines: Lines<BufReader<Content>>,
}

impl<'a> Rows<'a> {
    /// Reads the heading, which must fit the table.
    pub(crate) fn open(archive: &'a Archive, table: &'a Table) -> Result<Self, Problem> {
        let name = EntryName::Table(table.name.clone());
        let content = archive.content(&name).ok_or_else(|| archive.wrong(format!("{name} is missing")))?;
        let mut rows = Self { archive, table, lines: BufReader::with_capacity(1 << 20, content).lines() };
        let first = rows.line()?.unwrap_or_default();
        if format!("{first}\n").into_bytes() != heading(table) {
            return Err(rows.wrong("the columns are other ones"));
        }
        Ok(rows)
    }

    fn line(&mut self) -> Result<Option<String>, Problem> {
        let line = self.lines.next().transpose();
        line.map_err(|error| self.wrong(&error.to_string()))
    }

    fn cells(&self, line: &str) -> Option<Vec<Cell>> {
        let values: Vec<Value> = serde_json::from_str(line).ok()?;
        if values.len() != self.table.columns.len() {
            return None;
        }
        let cell = |(value, kind)| match (value, kind) {
            (Value::Null, kind) => Some(Cell::Null(kind)),
            (Value::Number(number), Kind::Integer) => number.as_i64().map(Cell::Integer),
            (Value::String(text), Kind::Text) => Some(Cell::Text(text)),
            (Value::String(text), Kind::Blob) => STANDARD.decode(text).ok().map(Cell::Blob),
            _ => None,
        };
        values.into_iter().zip(self.table.columns.iter().map(|column| column.kind)).map(cell).collect()
    }

    fn wrong(&self, why: &str) -> Problem {
        self.archive.wrong(format!("table {}: {why}", self.table.name))
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Vec<Cell>, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = match self.line() {
            Ok(line) => line?,
            Err(problem) => return Some(Err(problem)),
        };
        Some(self.cells(&line).ok_or_else(|| self.wrong("a row cannot be read")))
    }
}
