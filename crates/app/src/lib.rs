//! Use cases behind one gate.

pub mod secret;
