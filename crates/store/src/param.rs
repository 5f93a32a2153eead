//! The values that a statement may bind: the types which both engines share.

use tokio_postgres::types::{ToSql as PostgresValue, Type};

/// A value for `$1`, `$2`, … in a statement.
pub trait Param: Sync {
    /// The value for SQLite.
    fn sqlite(&self) -> &dyn rusqlite::ToSql;
    /// The value for PostgreSQL.
    fn postgres(&self) -> &(dyn PostgresValue + Sync);
    /// The type that PostgreSQL is told, so that it infers none of its own (`$1 + 1` would be a 32-bit number).
    fn kind(&self) -> Type;
}

/// The values of one statement, in the order of their numbers.
pub type Args<'a> = &'a [&'a dyn Param];

macro_rules! param {
    ($($rust:ty => $kind:ident),+ $(,)?) => { $(param!(@one $rust, $kind); param!(@one Option<$rust>, $kind);)+ };
    (@one $rust:ty, $kind:ident) => {
        impl Param for $rust {
            fn sqlite(&self) -> &dyn rusqlite::ToSql {
                self
            }
            fn postgres(&self) -> &(dyn PostgresValue + Sync) {
                self
            }
            fn kind(&self) -> Type {
                Type::$kind
            }
        }
    };
}

param!(i64 => INT8, String => TEXT, &str => TEXT, Vec<u8> => BYTEA, &[u8] => BYTEA);
