//! What tests share.
pub mod suite;
