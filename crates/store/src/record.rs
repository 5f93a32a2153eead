//! `record!` declares a table's row once: the struct, its columns, its insert and how it is read.

/// Did an insert that yields to an existing row make a new one?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Inserted {
    /// This call made the row.
    New,
    /// A row with the same key was there before; nothing changed.
    Existed,
}

/// Declares a record.
///
/// ```
/// countersign_store::record! {
///     /// A badge.
///     pub struct Badge in "badge" {
///         /// Its id.
///         id: String,
///         /// When it was given, in milliseconds.
///         given_at: Option<i64>,
///     }
/// }
/// assert_eq!(Badge::COLS, "id, given_at");
/// ```
///
/// gives `Badge::COLS` for SELECT and RETURNING (`{cols}` in a statement), `badge.insert(t)`, which refuses a
/// second row with the same key as [`Error::Unique`](crate::Error::Unique), `badge.insert_once(t)`, which leaves
/// an existing row alone and tells, and [`FromRow`](crate::FromRow).
#[macro_export]
macro_rules! record {
    (
        $(#[$outer:meta])*
        $vis:vis struct $name:ident in $table:literal {
            $($(#[$inner:meta])* $field:ident : $kind:ty),+ $(,)?
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        $vis struct $name { $($(#[$inner])* pub $field: $kind),+ }

        impl $name {
            /// The columns, in the order of the fields.
            pub const COLS: &'static str = $crate::record!(@cols $($field)+);
            const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),+];

            /// Inserts the row; one with the same key is [`Error::Unique`]($crate::Error::Unique) and ends the
            /// transaction.
            pub async fn insert(&self, t: &$crate::Tx<'_>) -> $crate::Result<()> {
                static SQL: std::sync::LazyLock<String> =
                    std::sync::LazyLock::new(|| $crate::record::insert_sql($table, $name::COLUMNS));
                t.exec(&SQL, &[$(&self.$field),+]).await.map(|_| ())
            }

            /// Inserts the row unless one with the same key exists.
            pub async fn insert_once(&self, t: &$crate::Tx<'_>) -> $crate::Result<$crate::Inserted> {
                static SQL: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
                    $crate::record::insert_sql($table, $name::COLUMNS) + " ON CONFLICT DO NOTHING"
                });
                Ok(match t.exec(&SQL, &[$(&self.$field),+]).await? {
                    0 => $crate::Inserted::Existed,
                    _ => $crate::Inserted::New,
                })
            }
        }

        impl $crate::FromRow for $name {
            const COLS: &'static str = $name::COLS;
            fn from_row(row: &mut $crate::Row<'_>) -> $crate::Result<Self> {
                Ok(Self { $($field: row.take()?),+ })
            }
        }
    };
    (@cols $first:ident $($more:ident)*) => { concat!(stringify!($first) $(, ", ", stringify!($more))*) };
}

/// `INSERT INTO table (columns) VALUES ($1, …)`; for the macro.
#[doc(hidden)]
pub fn insert_sql(table: &str, columns: &[&str]) -> String {
    let marks: Vec<_> = (1..=columns.len()).map(|n| format!("${n}")).collect();
    format!("INSERT INTO {table} ({}) VALUES ({})", columns.join(", "), marks.join(", "))
}
