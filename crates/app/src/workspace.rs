//! Workspaces: the tenants.

mod slug;

pub use slug::Slug;
