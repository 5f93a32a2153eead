//! Projects: groups of resources with members.

mod create;
mod list;
mod read;
pub mod view;

pub use create::{NewProject, create};
pub use list::{Page, all, list, page};
pub use read::read;
