//! Members: who has which role in a project.

mod add;
mod list;
mod password;
mod person;
mod remove;
mod role;
pub mod view;

pub use add::{NewMember, NewPerson, add};
pub use list::{get, list, page};
pub use password::{NewPassword, set_password};
pub use remove::remove;
pub use role::{ChangedRole, set_role, set_role_of};

/// What streams are woken by when the members of a project change.
const TOPIC: &str = "members";
