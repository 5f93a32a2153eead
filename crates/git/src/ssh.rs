//! The two formats of OpenSSH that signed commits need: key files and detached signatures.
//!
//! Written by hand, since both are a few length-prefixed strings and one kind of key is
//! enough: docs/decisions/02-git-engine.md.

mod armor;
pub(crate) mod key;
pub(crate) mod signature;
mod wire;

pub use key::PublicKey;
