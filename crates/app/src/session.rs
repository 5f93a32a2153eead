//! Who is signed in.

pub mod view;
