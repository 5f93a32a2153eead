//! Ids: one type a noun, each a checked UUID; text is parsed once, at the door.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// Text that is not a UUID where an id was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a UUID")]
pub struct NotAnId;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps a fresh UUID; the edge makes it (version 7, RFC 9562 §5.7).
            pub const fn new(uuid: Uuid) -> Self { Self(uuid) }

            /// Reads the hyphenated form of RFC 9562 §4, in either case.
            pub fn parse(text: &str) -> Result<Self, NotAnId> {
                if text.len() != 36 { return Err(NotAnId); }
                Uuid::try_parse(text).map(Self).map_err(|_| NotAnId)
            }

            /// The bare UUID.
            pub const fn uuid(self) -> Uuid { self.0 }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0.hyphenated(), f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = NotAnId;
            fn from_str(text: &str) -> Result<Self, NotAnId> { Self::parse(text) }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> { s.collect_str(self) }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
                Self::parse(&text).map_err(serde::de::Error::custom)
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool { true }
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "format": "uuid" })
            }
        }
    )+ };
}

ids! {
    /// Names a person's account.
    UserId;
    /// Names a tenant.
    WorkspaceId;
    /// Names a group of resources with members.
    ProjectId;
    /// Names anything that has an event log.
    ResourceId;
    /// Names an approved OAuth client of one person in one workspace.
    ConnectionId;
    /// Names a frozen change that waits for a person, or was decided.
    ProposalId;
    /// Names a personal access token (never its secret).
    TokenId;
    /// Names a passkey (never its key).
    PasskeyId;
    /// Names an invitation (never its secret).
    InvitationId;
    /// Names one line of refresh tokens that descend from one consent.
    FamilyId;
    /// Names one record of the audit log.
    AuditId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_back_as_it_was_written() {
        let id = ProjectId::new(Uuid::from_u128(0x0190_f0f0_0000_7000_8000_0000_0000_0001));
        assert_eq!(ProjectId::parse(&id.to_string()), Ok(id));
    }

    #[test]
    fn other_spellings_of_a_uuid_are_refused() {
        for text in ["", "0190f0f0000070008000000000000001", "{0190f0f0-0000-7000-8000-000000000001}", "x"] {
            assert_eq!(ProjectId::parse(text), Err(NotAnId), "{text}");
        }
    }
}
