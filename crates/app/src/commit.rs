//! One commit, with its signature.

pub mod view;
