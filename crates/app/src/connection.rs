//! Approved OAuth clients and what they were granted: made pending or at consent, active, revoked for good.

mod create;
mod list;
mod own;
mod project;
mod read;
mod revoke;
mod switch;
pub mod view;

pub use create::{NewConnection, create};
pub(crate) use create::{fresh_row, kind_of};
pub use list::{list, page};
pub use project::{add_project, remove_project};
pub use read::read;
pub use revoke::{Revoked, revoke};
pub use switch::{Switch, switch_all_on, switch_tool};

/// The topic on which pages with connections wait.
pub const TOPIC: &str = "connections";
