//! Why a measurement could not be taken.

use std::fmt::Display;

/// One sentence that says what went wrong and, where there is one, the way on.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);

impl Failure {
    /// A failure in these words.
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }

    /// What was being done when the system or the product refused.
    pub fn while_doing<E: Display>(what: &str) -> impl FnOnce(E) -> Self {
        move |error| Self(format!("{what}: {error}"))
    }
}
