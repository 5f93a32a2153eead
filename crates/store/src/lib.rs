//! Every line of SQL, for SQLite and PostgreSQL.

mod behind;
mod cell;
pub mod client_document;
pub mod connection;
pub mod connection_page;
mod db;
mod error;
pub mod invitation;
pub mod load;
pub mod look;
mod migrate;
pub mod oauth_access;
pub mod oauth_code;
pub mod oauth_family;
pub mod oauth_refresh;
pub mod oauth_request;
mod param;
pub mod passkey;
pub mod passkey_challenge;
pub mod person;
mod postgres;
pub mod project;
pub mod pulse;
pub mod record;
pub mod restored;
mod row;
mod saved;
pub mod session;
pub mod setup;
pub mod snapshot;
mod sqlite;
pub mod standing;
pub mod table;
#[cfg(feature = "testing")]
pub mod testing;
pub mod token;
mod tx;
mod wake;
pub mod workspace;

pub mod access;
pub mod audit;
pub mod audit_page;
pub mod audit_seal;
pub mod grant;
pub mod proposal;
pub mod proposal_queue;
pub mod repository;
pub mod repository_making;
pub mod repository_member;
pub mod repository_page;
pub mod repository_ref;

pub mod event;
pub mod resource;

pub use behind::{ByName, ByTime};
pub use cell::{Cell, Kind};
pub use db::{Db, Job};
pub use error::{Error, Result};
pub use param::{Args, Param};
pub use record::Inserted;
pub use row::{Field, FromRow, Row};
pub use saved::{Removed, Saved};
pub use snapshot::Snapshot;
pub use tx::Tx;
pub use wake::{Heard, Listener, Wake};
