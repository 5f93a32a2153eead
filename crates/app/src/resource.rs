//! Anything with an event log, as agents find it.

pub mod list;

pub use list::{
    Granted, GrantedProject, GrantedResource, Listed, ListedItem, ProjectListing, ResourceKind, list_granted,
    list_in_project,
};
