//! The tools and the connector.

pub mod connector;
pub mod registry;
pub mod schema;
pub mod text;
pub mod tool;
pub mod tools;

pub use connector::Connector;
pub use registry::Registry;
