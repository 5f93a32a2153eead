//! The tools and the connector.

pub mod schema;
pub mod text;
