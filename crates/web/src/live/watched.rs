//! What a page watches, as its address says it.

use countersign_app::proposal::view::Reach;
use countersign_core::id::{ConnectionId, ProposalId};
use serde::Deserialize;

/// What a stream is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watched {
    /// How many proposals wait; every stream tells that.
    Count,
    /// What needs the person.
    Home,
    /// The queue.
    Approvals,
    /// One proposal, shown so far. The stream renders no file: it asks for the changes alone.
    Approval(ProposalId, Reach),
    /// The assistants.
    Connected,
    /// One of them.
    Connection(ConnectionId),
    /// The imports, beside a list of so many repositories.
    Imports(usize),
}

/// The query of the address.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    of: String,
    #[serde(default)]
    id: String,
    /// The digest of what the page shows already.
    #[serde(default)]
    pub(super) seen: String,
}

impl Asked {
    pub(super) fn watched(&self) -> Option<Watched> {
        match self.of.as_str() {
            "count" => Some(Watched::Count),
            "home" => Some(Watched::Home),
            "approvals" => Some(Watched::Approvals),
            "approval" => ProposalId::parse(&self.id).ok().map(|id| Watched::Approval(id, Reach::Changes)),
            "connected" => Some(Watched::Connected),
            "connection" => ConnectionId::parse(&self.id).ok().map(Watched::Connection),
            "imports" => self.id.parse().ok().map(Watched::Imports),
            _ => None,
        }
    }
}

impl Watched {
    /// The address of the stream for a page that shows `seen`.
    pub(super) fn address(self, seen: &str) -> String {
        let of = match self {
            Self::Count => "count".to_owned(),
            Self::Home => "home".to_owned(),
            Self::Approvals => "approvals".to_owned(),
            Self::Approval(id, _) => format!("approval&id={id}"),
            Self::Connected => "connected".to_owned(),
            Self::Connection(id) => format!("connection&id={id}"),
            Self::Imports(listed) => format!("imports&id={listed}"),
        };
        format!("/live?of={of}&seen={seen}")
    }
}
