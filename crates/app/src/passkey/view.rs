//! Passkeys as their person sees them.

use countersign_core::id::PasskeyId;
use countersign_core::time::Timestamp;

/// One passkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyView {
    /// Its id here.
    pub id: PasskeyId,
    /// What its person calls it.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used.
    pub used_at: Option<Timestamp>,
    /// Where it lies.
    pub kept: Kept,
    /// When it was last refused because its count of signatures went back: somebody may have a copy.
    pub refused_at: Option<Timestamp>,
}

/// Where a passkey lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// On one device.
    Device,
    /// With a provider that brings it to other devices.
    Provider,
}
