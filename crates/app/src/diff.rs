//! What changed in files, as lines.

pub(crate) mod convert;
pub mod view;
