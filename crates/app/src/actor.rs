//! Who a resource's log names as the one who did it.

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{ConnectionId, UserId};
use serde_json::json;

/// The one who did something to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Actor {
    /// A person.
    Person(UserId),
    /// A connection.
    Connection(ConnectionId),
    /// The server by itself: a timer, a recovery.
    Server,
}

impl Actor {
    /// The one behind a call.
    pub(crate) const fn of(caller: &Caller) -> Self {
        match caller.principal {
            Principal::Anonymous { .. } => Self::Server,
            Principal::Connection { id, .. } => Self::Connection(id),
            Principal::Session { user, .. } | Principal::Token { user, .. } => Self::Person(user),
        }
    }

    /// As it stands in the log: a JSON object with `kind` and, but for the server, `id`.
    pub(crate) fn json(self) -> String {
        match self {
            Self::Person(id) => json!({ "kind": "user", "id": id }),
            Self::Connection(id) => json!({ "kind": "connection", "id": id }),
            Self::Server => json!({ "kind": "server" }),
        }
        .to_string()
    }
}
