//! Repositories: made, imported, moved, switched on, and read by agents and people.

pub mod create;
pub mod door;
pub mod list;
pub mod settings;

pub use create::{Made, NewRepository, create, import};
pub use list::{RepositoryLine, list};
pub use settings::{Change, change};
