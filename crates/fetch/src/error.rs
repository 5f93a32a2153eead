//! What can go wrong with a call, and what to do next.

use countersign_core::api::Refusal;

/// A call that brought no answer, or one that refuses.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// What should be the address of a server is none.
    #[error("`{address}` is not the address of a server: {why}")]
    Address {
        /// What was given.
        address: String,
        /// The rule that it breaks.
        why: &'static str,
    },
    /// The token holds characters that no token has.
    #[error("the token holds characters that cannot be sent")]
    Token,
    /// The client could not be made.
    #[error("the HTTP client cannot start")]
    Client(#[source] reqwest::Error),
    /// Nobody answered.
    #[error("cannot reach {origin}")]
    Unreachable {
        /// The server.
        origin: String,
        /// Why.
        #[source]
        cause: reqwest::Error,
    },
    /// The answer did not come in time.
    #[error("{origin} did not answer in time")]
    TimedOut {
        /// The server.
        origin: String,
    },
    /// The answer is not what was asked for.
    #[error("{origin} answered with something else: {what}")]
    Unreadable {
        /// The server.
        origin: String,
        /// What it was.
        what: String,
    },
    /// The server refuses.
    #[error("{}", .0.detail)]
    Refused(Box<Refusal>),
}

impl FetchError {
    /// The stable code.
    pub fn code(&self) -> &str {
        match self {
            Self::Address { .. } => "server_address_invalid",
            Self::Token => "token_invalid",
            Self::Client(_) => "client_failed",
            Self::Unreachable { .. } => "server_unreachable",
            Self::TimedOut { .. } => "server_timed_out",
            Self::Unreadable { .. } => "answer_unreadable",
            Self::Refused(refusal) => &refusal.code,
        }
    }

    /// One sentence that the caller can carry out.
    pub fn next_action(&self) -> &str {
        match self {
            Self::Address { .. } => "Give an address such as http://localhost:8420.",
            Self::Token => "Make a new token and pass it unchanged.",
            Self::Client(_) => "Check the system's certificates.",
            Self::Unreachable { .. } => "Check the address, and that the server runs.",
            Self::TimedOut { .. } => "Look whether it was done, then call again.",
            Self::Unreadable { .. } => "Check that the address is a Countersign server of this version.",
            Self::Refused(refusal) => &refusal.next_action,
        }
    }

    /// Whether the same call may succeed later.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::TimedOut { .. } => true,
            Self::Refused(refusal) => refusal.status == 429 || refusal.status >= 500,
            Self::Address { .. } | Self::Token | Self::Client(_) | Self::Unreadable { .. } => false,
        }
    }
}
