//! The tools and the connector.
