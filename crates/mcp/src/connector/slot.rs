//! What a handler leaves for the HTTP layer, which alone can set a status and a header.
//!
//! The SDK carries the parts of the HTTP request to the handler, with what the layer put into its extensions;
//! with plain JSON answers and no sessions the handler has ended before the status line leaves (rmcp 3.11.0).

use std::sync::OnceLock;

use super::refusal::Verdict;

/// One for each request.
#[derive(Debug, Default)]
pub(super) struct Slot {
    verdict: OnceLock<Verdict>,
    is_list: OnceLock<()>,
}

impl Slot {
    /// Has the answer carry the status and the header of a refusal.
    pub(super) fn refuse(&self, verdict: Verdict) {
        let _ = self.verdict.set(verdict);
    }

    /// Tells that the answer is a list of tools.
    pub(super) fn list(&self) {
        let _ = self.is_list.set(());
    }

    pub(super) fn verdict(&self) -> Option<&Verdict> {
        self.verdict.get()
    }

    pub(super) fn is_list(&self) -> bool {
        self.is_list.get().is_some()
    }
}
