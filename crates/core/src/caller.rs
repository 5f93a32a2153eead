//! Who calls: built by the transport from the credential alone, never from arguments.

use std::collections::BTreeSet;
use std::net::IpAddr;

use crate::id::{ConnectionId, TokenId, UserId, WorkspaceId};
use crate::scope::{Scopes, TokenScopes};
use crate::time::Timestamp;

/// What the store knows a session by: the SHA-256 of its token. It has no visible `Debug`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SessionKey(pub [u8; 32]);

impl std::fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionKey(…)")
    }
}

/// The one who acts, established by the transport.
#[derive(Clone, Debug)]
pub enum Principal {
    /// Nobody who signed in; the address is for rate limits alone.
    Anonymous {
        /// Where the bytes came from.
        address: IpAddr,
    },
    /// An approved OAuth client, bounded by the person who approved it.
    Connection {
        /// The connection.
        id: ConnectionId,
        /// The connection owner.
        owner: UserId,
    },
    /// A person in a browser.
    Session {
        /// The person.
        user: UserId,
        /// When they last proved who they are; the sudo window counts from here.
        proved_at: Timestamp,
        /// The session; `None` for who proved who they are for this one call.
        session: Option<SessionKey>,
    },
    /// A person's token, for git and the REST API.
    Token {
        /// The token.
        id: TokenId,
        /// Its person.
        user: UserId,
        /// What it may do.
        scopes: TokenScopes,
    },
}

/// Which kind of caller this is, for audit records and refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallerKind {
    /// Nobody signed in.
    Anonymous,
    /// An OAuth client.
    Connection,
    /// A person, by session or by token.
    User,
}

impl CallerKind {
    /// The word in the audit log.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Anonymous => "anonymous",
            Self::Connection => "connection",
            Self::User => "user",
        }
    }
}

/// The caller of one call: principal, tenant, scopes and toolbox.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who acts.
    pub principal: Principal,
    /// The tenant that the credential belongs to; a person in a browser has theirs too.
    pub workspace: Option<WorkspaceId>,
    /// The scopes of a connection; empty for everyone else.
    pub scopes: Scopes,
    /// Tools switched off for this caller, by name; scopes never hide a tool.
    pub switched_off: BTreeSet<String>,
}

impl Caller {
    /// A caller without a credential.
    pub fn anonymous(address: IpAddr) -> Self {
        Self {
            principal: Principal::Anonymous { address },
            workspace: None,
            scopes: Scopes::default(),
            switched_off: BTreeSet::new(),
        }
    }

    /// Which kind of caller this is.
    pub const fn kind(&self) -> CallerKind {
        match self.principal {
            Principal::Anonymous { .. } => CallerKind::Anonymous,
            Principal::Connection { .. } => CallerKind::Connection,
            Principal::Session { .. } | Principal::Token { .. } => CallerKind::User,
        }
    }

    /// The person behind the call: themselves, or the owner of the connection.
    pub const fn person(&self) -> Option<UserId> {
        match self.principal {
            Principal::Anonymous { .. } => None,
            Principal::Connection { owner, .. } => Some(owner),
            Principal::Session { user, .. } | Principal::Token { user, .. } => Some(user),
        }
    }

    /// The connection, when the caller is one.
    pub const fn connection(&self) -> Option<ConnectionId> {
        match self.principal {
            Principal::Connection { id, .. } => Some(id),
            Principal::Anonymous { .. } | Principal::Session { .. } | Principal::Token { .. } => None,
        }
    }
}
