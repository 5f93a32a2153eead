//! Repositories: made, imported, moved, switched on, and read by agents and people.

pub mod create;
pub mod door;
pub mod list;
pub mod settings;

pub use create::{Made, NewRepository, create, import};
pub use list::{RepositoryLine, get, list};
pub use settings::{Change, change};
#[expect(missing_docs, clippy::unused_async, clippy::todo, unused_variables, reason = "SHIM")]
pub async fn commit(app: &crate::App, caller: &countersign_core::caller::Caller, id: countersign_core::id::ResourceId, oid: &str) -> Result<crate::commit::view::CommitView, countersign_core::problem::Problem> { todo!() }
