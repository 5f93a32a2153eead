//! The start page as a person sees it.

use countersign_core::id::{ConnectionId, TokenId};
use countersign_core::time::Timestamp;

/// What needs a person now, beside the queue of proposals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HomeView {
    /// What is open or runs out, the most pressing first; a bounded number.
    pub needs: Vec<Needed>,
    /// How far the workspace is set up.
    pub steps: Steps,
}

/// One thing that needs the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needed {
    /// An import failed, and stands there until it is tried again or taken back.
    Import {
        /// The repository that was to be.
        name: String,
        /// Why it failed.
        reason: String,
    },
    /// A token of theirs ends soon.
    Token {
        /// The token.
        id: TokenId,
        /// What they call it.
        name: String,
        /// When it ends.
        expires_at: Timestamp,
    },
    /// A connection was named and no assistant has signed in to it yet.
    Assistant {
        /// The connection.
        id: ConnectionId,
        /// Its name.
        name: String,
        /// Since when.
        since: Timestamp,
    },
    /// An assistant is connected and was given no project: it sees nothing.
    Blind {
        /// The connection.
        id: ConnectionId,
        /// Its name.
        name: String,
    },
}

/// The way from a fresh workspace to the first proposal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// There is a repository that agents may see.
    pub repository: bool,
    /// An assistant has signed in.
    pub assistant: bool,
    /// An assistant was given a project.
    pub project: bool,
}

impl Steps {
    /// Whether nothing of it is left.
    pub const fn done(self) -> bool {
        self.repository && self.assistant && self.project
    }
}
