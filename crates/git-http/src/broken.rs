//! Why a conversation with git broke off, and what is said of it to a client that has heard nothing yet.

use axum::response::Response;
use http::StatusCode;

use crate::answer;
use crate::preamble::Odd;

/// What a conversation is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Service {
    Fetch,
    Push,
}

/// Why a conversation broke off.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Broken {
    #[error("it took too long")]
    TooLong,
    #[error("the client sent nothing for too long")]
    Idle,
    #[error("the client sent more than is taken")]
    TooMuch,
    #[error("a push with a certificate")]
    Signed,
    #[error("unpacked, it takes more of the disk than there is room for")]
    Grown,
    #[error("the body of the request could not be read")]
    Body(#[source] std::io::Error),
    #[error("git could not be read")]
    Output(#[source] std::io::Error),
    #[error("git failed: {0}")]
    Git(String),
}

impl From<Odd> for Broken {
    fn from(odd: Odd) -> Self {
        match odd {
            Odd::TooMuch => Self::TooMuch,
            Odd::Signed => Self::Signed,
        }
    }
}

impl Broken {
    /// The answer to a client that has heard nothing yet.
    pub(crate) fn answer(&self, service: Service) -> Response {
        tracing::warn!(broken = %self, service = ?service, "a conversation with git came to nothing");
        let (too_much, refused) = match service {
            Service::Fetch => (
                "The request is larger than a fetch needs. Clone anew instead of fetching.",
                "Git refused the request. Fetch again; if it fails again, run `git fsck` on both sides.",
            ),
            Service::Push => (
                "The push is larger than is taken here. Push fewer commits at a time.",
                "Git refused the request. Push again; if it fails again, run `git fsck` on your side.",
            ),
        };
        match self {
            Self::TooLong => answer::plain(
                StatusCode::GATEWAY_TIMEOUT,
                "This took too long and was stopped. Try again later.",
            ),
            Self::Idle => answer::plain(
                StatusCode::REQUEST_TIMEOUT,
                "Nothing more came, so this was stopped. Try again over a better line.",
            ),
            Self::TooMuch => answer::plain(StatusCode::PAYLOAD_TOO_LARGE, too_much),
            Self::Signed => answer::plain(
                StatusCode::BAD_REQUEST,
                "Pushes are not signed here. Push without `--signed`, and sign the commits.",
            ),
            Self::Grown => answer::plain(
                StatusCode::PAYLOAD_TOO_LARGE,
                "Unpacked, this push is larger than the repository may become. Push fewer or smaller files.",
            ),
            Self::Body(_) => answer::plain(
                StatusCode::BAD_REQUEST,
                "The body of the request could not be read. Try again.",
            ),
            // git may name what it was asked for, and where it looked: the first is the client's, the second ours.
            Self::Git(_) => answer::plain(StatusCode::BAD_REQUEST, refused),
            Self::Output(_) => answer::plain(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Git could not be read here. Tell the operator.",
            ),
        }
    }
}
