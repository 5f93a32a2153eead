//! Pages, live parts and the REST API.

pub mod asset;
pub mod frame;
pub mod highlight;
pub mod page;
pub mod part;
