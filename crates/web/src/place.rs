//! Where a person goes on after signing in: one of our own pages, read into a type, never an address.

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::{ConnectionId, ProposalId, ResourceId};

use crate::address::Leaf;

/// A page that a sign-in may lead to. What is none of them leads to the start, so there is no open redirect.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) enum Place {
    /// The start.
    #[default]
    Home,
    /// The queue.
    Approvals,
    /// The way to everything.
    Go,
    /// One proposal.
    Approval(ProposalId),
    /// The assistants.
    Connected,
    /// One of them.
    Connection(ConnectionId),
    /// The repositories.
    Repositories,
    /// A new one.
    NewRepository,
    /// A page of one of them: its id, and the rest of the address as it was asked for.
    Repository(ResourceId, String),
    /// One commit.
    Commit(ResourceId, Oid),
    /// The audit log.
    Audit,
    /// Consent, by its handle.
    Consent(String),
}

/// The longest handle that is carried along.
const HANDLE: usize = 64;
/// The longest rest of an address of a repository.
const REST: usize = 4_096;

impl Place {
    /// Reads the path and query of one of our pages.
    pub(crate) fn parse(text: &str) -> Self {
        Self::find(text).unwrap_or_default()
    }

    fn find(text: &str) -> Option<Self> {
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        match parts.as_slice() {
            ["approvals"] => Some(Self::Approvals),
            ["go"] => Some(Self::Go),
            ["approvals", id] => ProposalId::parse(id).ok().map(Self::Approval),
            ["audit"] => Some(Self::Audit),
            ["connected"] => Some(Self::Connected),
            ["connected", id] => ConnectionId::parse(id).ok().map(Self::Connection),
            ["repositories", id, "commits", oid] => {
                Some(Self::Commit(ResourceId::parse(id).ok()?, Oid::parse(oid).ok()?))
            }
            ["repositories"] => Some(Self::Repositories),
            ["repositories", "new"] => Some(Self::NewRepository),
            ["repositories", id, rest @ ..] => {
                let id = ResourceId::parse(id).ok()?;
                let known = rest.first().is_none_or(|word| Leaf::parse(word).is_some());
                let rest = text.get("/repositories/".len() + id.to_string().len()..)?;
                (known && rest.len() <= REST && rest.bytes().all(of_address))
                    .then(|| Self::Repository(id, rest.to_owned()))
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
            Self::Home => "/".to_owned(),
            Self::Approvals => "/approvals".to_owned(),
            Self::Go => "/go".to_owned(),
            Self::Approval(id) => format!("/approvals/{id}"),
            Self::Audit => "/audit".to_owned(),
            Self::Connected => "/connected".to_owned(),
            Self::Connection(id) => format!("/connected/{id}"),
            Self::Repositories => "/repositories".to_owned(),
            Self::NewRepository => "/repositories/new".to_owned(),
            Self::Repository(id, rest) => format!("/repositories/{id}{rest}"),
            Self::Commit(repository, oid) => format!("/repositories/{repository}/commits/{oid}"),
            Self::Consent(handle) => format!("/external-assistant-authorize?h={handle}"),
        }
    }
}

/// Whether a byte stands in the path or the query of an address (RFC 3986 §3.3, §3.4), coded or not.
const fn of_address(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/' | b'%' | b'?' | b':' | b'@')
        || matches!(byte, b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_pages_are_kept() {
        let id = "0190f0f0-0000-7000-8000-000000000001";
        for path in [
            "/".to_owned(),
            "/go".to_owned(),
            "/approvals".to_owned(),
            format!("/approvals/{id}"),
            "/audit".to_owned(),
            "/connected".to_owned(),
            format!("/connected/{id}"),
            format!("/repositories/{id}/commits/{}", "a".repeat(40)),
            "/repositories".to_owned(),
            "/repositories/new".to_owned(),
            format!("/repositories/{id}/settings"),
            format!("/repositories/{id}"),
            format!("/repositories/{id}?ref=feature/x"),
            format!("/repositories/{id}/files/src/a%20b%3Fc.rs?ref=refs/tags/v1&from=10"),
            format!("/repositories/{id}/search?q=a%26b"),
            // As forms write it: a space is a plus, and an asterisk stands for itself.
            format!("/repositories/{id}/search?q=let+x+*+y&path=src%2F"),
            format!("/repositories/{id}/files/a(1),b@2:3!.txt"),
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
            "/repositories/x",
            "/repositories/0190f0f0-0000-7000-8000-000000000001/members",
            "/repositories/0190f0f0-0000-7000-8000-000000000001/files/a\r\nb",
            "/repositories/0190f0f0-0000-7000-8000-000000000001/files/a#b",
        ] {
            assert_eq!(Place::parse(text), Place::Home, "{text}");
        }
    }
}
