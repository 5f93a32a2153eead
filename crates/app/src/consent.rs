//! The question that a person answers before a client becomes a connection.

pub mod view;
