//! One value of any column, in the store's own terms: the same on both engines.

use tokio_postgres::types::{ToSql as PostgresValue, Type};

use crate::param::Param;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number of 64 bits.
    Integer,
    /// Text in UTF-8.
    Text,
    /// Bytes.
    Blob,
}

impl Kind {
    /// As it is told outside of either engine.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Text => "text",
            Self::Blob => "blob",
        }
    }

    /// From the word of an engine's schema; `None` for one that no column of ours has.
    pub(crate) fn of_engine(word: &str) -> Option<Self> {
        match word {
            "INTEGER" | "bigint" => Some(Self::Integer),
            "TEXT" | "text" => Some(Self::Text),
            "BLOB" | "bytea" => Some(Self::Blob),
            _ => None,
        }
    }
}

/// A value as it stands in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// NULL, in a column of this kind.
    Null(Kind),
    /// A number.
    Integer(i64),
    /// Text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

impl Cell {
    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        match self {
            Self::Null(_) | Self::Integer(_) => 8,
            Self::Text(text) => text.len(),
            Self::Blob(bytes) => bytes.len(),
        }
    }
}

impl Param for Cell {
    fn sqlite(&self) -> &dyn rusqlite::ToSql {
        match self {
            Self::Null(_) => &rusqlite::types::Null,
            Self::Integer(number) => number,
            Self::Text(text) => text,
            Self::Blob(bytes) => bytes,
        }
    }

    fn postgres(&self) -> &(dyn PostgresValue + Sync) {
        match self {
            Self::Null(Kind::Integer) => &None::<i64>,
            Self::Null(Kind::Text) => &None::<&str>,
            Self::Null(Kind::Blob) => &None::<&[u8]>,
            Self::Integer(number) => number,
            Self::Text(text) => text,
            Self::Blob(bytes) => bytes,
        }
    }

    fn kind(&self) -> Type {
        match self {
            Self::Null(Kind::Integer) | Self::Integer(_) => Type::INT8,
            Self::Null(Kind::Text) | Self::Text(_) => Type::TEXT,
            Self::Null(Kind::Blob) | Self::Blob(_) => Type::BYTEA,
        }
    }
}
