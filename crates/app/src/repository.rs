//! Repositories: made, imported, moved, switched on, and read by agents and people.

pub mod blame;
pub mod branches;
pub mod browse;
mod claim;
pub mod commit;
pub mod create;
pub mod door;
pub mod grep;
mod heading;
pub mod history;
pub mod image;
pub mod list;
mod open;
pub mod overview;
pub mod raw;
pub mod read;
pub mod search;
pub mod settings;
pub mod view;

pub use blame::blame;
pub use branches::branches;
pub use browse::{BrowseRequest, browse};
pub use commit::commit;
pub use create::{Made, NewRepository, create, import};
pub use grep::{GrepRequest, grep};
pub use history::history;
pub use list::{RepositoryLine, get, list};
pub use overview::overview;
pub use raw::raw;
pub use read::{Contents, ReadRequest, read};
pub use search::{CodeMatches, SearchRequest, search};
pub use settings::{Change, change};
