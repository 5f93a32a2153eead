//! Repositories: made, imported, moved, switched on, and read by agents and people.

mod claim;
pub mod commit;
pub mod create;
pub mod door;
mod head;
mod ids;
pub mod list;
mod member;
mod open;
pub mod read;
mod rules;
pub mod search;
pub mod settings;
mod upkeep;

pub use commit::commit;
pub use create::{Made, NewRepository, create, import};
pub(crate) use head::ensure as ensure_head;
pub(crate) use ids::every;
pub use list::{RepositoryLine, get, list};
pub use member::{RepositoryMemberView, members, set_member};
pub use read::{Contents, ReadRequest, read};
pub use rules::{RuleChange, RulesView, rules};
pub use search::{CodeMatches, SearchRequest, search};
pub use settings::{Change, change};
pub use upkeep::upkeep;
