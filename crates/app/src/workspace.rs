//! Workspaces, the tenants: their slug, and the people in them.

mod owner;
mod people;
mod role;
mod shut_out;
mod slug;
pub mod view;

/// What streams are woken by when the people of a workspace change.
const TOPIC: &str = "people";

pub use people::{page_of_people, people, person};
pub use role::set_role;
pub use shut_out::{disable, enable};
pub use slug::Slug;
