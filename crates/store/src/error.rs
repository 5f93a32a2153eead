//! What can go wrong in the store, sorted by what the caller can do about it.

use countersign_core::problem::{Code, Problem};
use deadpool_postgres::{CreatePoolError, PoolError};
use tokio_postgres::error::SqlState;

/// A failure of the store. Cheap to clone: all members of a failed batch get the same one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// `one` found no row.
    #[error("the row that must exist does not")]
    NotFound,
    /// A row with the same key exists already.
    #[error("a row with the same key exists already: {0}")]
    Unique(String),
    /// Another writer was in the way for too long, or the engine broke a deadlock; the same call may succeed.
    #[error("the database is busy: {0}")]
    Busy(String),
    /// The database cannot be reached or cannot store; nothing was answered.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// There is no space left where the database is.
    #[error("the disk of the database is full: {0}")]
    Full(String),
    /// A statement is wrong, or broke a constraint of the schema.
    #[error("the database refused a statement: {0}")]
    Sql(String),
    /// The database cannot be opened as it is; the sentence says what to do.
    #[error("{0}")]
    Setup(String),
    /// A job panicked; its transaction was rolled back.
    #[error("a store job panicked: {0}")]
    Panicked(String),
    /// A job awaited something besides the verbs of its transaction.
    #[error("a store job waited for something outside its transaction; fetch it before the job")]
    Waited,
}

/// What store functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Kind;
        const UNIQUE: [i32; 2] =
            [rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE, rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY];
        const BUSY: [Kind; 2] = [Kind::DatabaseBusy, Kind::DatabaseLocked];
        const UNAVAILABLE: [Kind; 4] =
            [Kind::SystemIoFailure, Kind::CannotOpen, Kind::ReadOnly, Kind::PermissionDenied];
        let text = error.to_string();
        let extended = error.sqlite_error().map(|inner| inner.extended_code);
        match error.sqlite_error_code() {
            _ if extended.is_some_and(|code| UNIQUE.contains(&code)) => Self::Unique(text),
            Some(Kind::DiskFull) => Self::Full(text),
            Some(kind) if BUSY.contains(&kind) => Self::Busy(text),
            Some(kind) if UNAVAILABLE.contains(&kind) => Self::Unavailable(text),
            Some(_) | None => Self::Sql(text),
        }
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        const BUSY: [SqlState; 3] = [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::LOCK_NOT_AVAILABLE,
        ];
        // Without a state of the server it is the connection that failed.
        let Some(inner) = error.as_db_error() else {
            return Self::Unavailable(chain(&error));
        };
        let (state, text) = (inner.code(), inner.to_string());
        // 08 connection, 53 out of resources, 57P administrator; published in the appendix of error codes.
        let away = ["08", "53", "57P"].iter().any(|class| state.code().starts_with(class));
        if *state == SqlState::UNIQUE_VIOLATION {
            Self::Unique(text)
        } else if BUSY.contains(state) {
            Self::Busy(text)
        } else if *state == SqlState::DISK_FULL {
            Self::Full(text)
        } else if away {
            Self::Unavailable(text)
        } else {
            Self::Sql(text)
        }
    }
}

impl From<PoolError> for Error {
    fn from(error: PoolError) -> Self {
        Self::Unavailable(chain(&error))
    }
}

impl From<CreatePoolError> for Error {
    fn from(error: CreatePoolError) -> Self {
        Self::Setup(chain(&error))
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Busy(_) | Error::Unavailable(_) => {
                Self::new(Code::StoreUnavailable, "The database does not answer now.").because(error)
            }
            Error::Full(_) => {
                Self::new(Code::DiskFull, "The disk of the database is full; nothing was changed.")
                    .because(error)
            }
            Error::NotFound
            | Error::Unique(_)
            | Error::Sql(_)
            | Error::Setup(_)
            | Error::Panicked(_)
            | Error::Waited => Self::internal(error),
        }
    }
}

/// The message and those of its causes: a clone cannot carry the causes themselves.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = inner.source();
    }
    text
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".to_owned())
}
