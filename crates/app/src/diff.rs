//! What changed in files, as lines.

pub mod view;
