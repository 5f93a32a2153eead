//! What comes in from the edge: the clock and randomness.

use countersign_core::time::Timestamp;

/// Tells the time. Tests bring their own.
pub trait Clock: Send + Sync + 'static {
    /// This moment.
    fn now(&self) -> Timestamp;
}

/// Gives random bytes. Tests bring their own.
pub trait Entropy: Send + Sync + 'static {
    /// Fills `bytes` from a cryptographic source.
    fn fill(&self, bytes: &mut [u8]);
}
