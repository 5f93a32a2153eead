//! Repositories: made, imported, moved, switched on, and read by agents and people.

pub mod commit;
pub mod create;
pub mod door;
pub mod list;
pub mod read;
pub mod search;
pub mod settings;

pub use create::{Made, NewRepository, create, import};
pub use list::{RepositoryLine, list};
pub use read::{ReadRequest, Reading, read};
pub use search::{Found as SearchFound, SearchRequest, search};
pub use settings::{Change, change};
