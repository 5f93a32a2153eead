//! Repositories: made, imported, moved, switched on, and read by agents and people.

mod claim;
pub mod commit;
pub mod create;
pub mod door;
mod ids;
pub mod list;
mod open;
pub mod read;
pub mod search;
pub mod settings;
mod upkeep;

pub use commit::commit;
pub use create::{Made, NewRepository, create, import};
pub(crate) use ids::every;
pub use list::{RepositoryLine, get, list};
pub use read::{Contents, ReadRequest, read};
pub use search::{CodeMatches, SearchRequest, search};
pub use settings::{Change, change};
pub use upkeep::upkeep;
