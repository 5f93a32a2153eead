//! Approved OAuth clients and what they were granted.

pub mod view;
