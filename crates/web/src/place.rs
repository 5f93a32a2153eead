//! Where a person goes on after signing in: one of our own pages, read into a type, never an address.

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::{ConnectionId, ProposalId, ResourceId};

/// A page that a sign-in may lead to. What is none of them leads to the start, so there is no open redirect.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) enum Place {
    /// The queue.
    #[default]
    Approvals,
    /// One proposal.
    Approval(ProposalId),
    /// The assistants.
    Connected,
    /// One of them.
    Connection(ConnectionId),
    /// One commit.
    Commit(ResourceId, Oid),
    /// Consent, by its handle.
    Consent(String),
}

/// The longest handle that is carried along.
const HANDLE: usize = 64;

impl Place {
    /// Reads the path and query of one of our pages.
    pub(crate) fn parse(text: &str) -> Self {
        Self::find(text).unwrap_or_default()
    }

    fn find(text: &str) -> Option<Self> {
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        match parts.as_slice() {
            ["approvals", id] => ProposalId::parse(id).ok().map(Self::Approval),
            ["connected"] => Some(Self::Connected),
            ["connected", id] => ConnectionId::parse(id).ok().map(Self::Connection),
            ["repositories", id, "commits", oid] => {
                Some(Self::Commit(ResourceId::parse(id).ok()?, Oid::parse(oid).ok()?))
            }
            ["external-assistant-authorize"] => {
                let handle = query.split('&').find_map(|pair| pair.strip_prefix("h="))?;
                let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
                (handle.len() <= HANDLE && handle.bytes().all(plain))
                    .then(|| Self::Consent(handle.to_owned()))
            }
            _ => None,
        }
    }

    /// The address of the page on this server.
    pub(crate) fn path(&self) -> String {
        match self {
            Self::Approvals => "/approvals".to_owned(),
            Self::Approval(id) => format!("/approvals/{id}"),
            Self::Connected => "/connected".to_owned(),
            Self::Connection(id) => format!("/connected/{id}"),
            Self::Commit(repository, oid) => format!("/repositories/{repository}/commits/{oid}"),
            Self::Consent(handle) => format!("/external-assistant-authorize?h={handle}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_pages_are_kept() {
        let id = "0190f0f0-0000-7000-8000-000000000001";
        for path in [
            "/approvals".to_owned(),
            format!("/approvals/{id}"),
            "/connected".to_owned(),
            format!("/connected/{id}"),
            format!("/repositories/{id}/commits/{}", "a".repeat(40)),
            "/external-assistant-authorize?h=Ab-_9".to_owned(),
        ] {
            assert_eq!(Place::parse(&path).path(), path);
        }
    }

    #[test]
    fn any_other_address_leads_to_the_start() {
        for text in [
            "",
            "/",
            "//evil.example",
            "https://evil.example/approvals",
            "/\\evil.example",
            "/approvals/../..",
            "/sign-out",
            "/approvals/%2e%2e",
            "/external-assistant-authorize?h=a%0d%0aLocation:x",
            "javascript:alert(1)",
        ] {
            assert_eq!(Place::parse(text), Place::Approvals, "{text}");
        }
    }
}
