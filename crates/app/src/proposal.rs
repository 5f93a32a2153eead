//! Frozen changes that a person decides.

pub mod view;
