//! The bytes of one record of the audit log: every column, none of them to be mistaken for another.

use sha2::{Digest as _, Sha256};

use super::Digest;

/// Stands before the columns, so that these bytes are good for nothing else; another order or another column is
/// another version.
const KIND: &[u8] = b"countersign-audit-row-v1\0";

/// A column without a value.
const NULL: u8 = 0;
/// A text: eight bytes of length, then UTF-8.
const TEXT: u8 = 1;
/// A whole number in eight bytes, the most significant first.
const NUMBER: u8 = 2;

/// Every column of a record but the seal that covers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'r> {
    /// Its id.
    pub id: &'r str,
    /// The tenant.
    pub workspace_id: Option<&'r str>,
    /// When, in milliseconds.
    pub at: i64,
    /// What kind of caller.
    pub actor_kind: &'r str,
    /// The person behind the call.
    pub actor_id: Option<&'r str>,
    /// The connection that called.
    pub connection_id: Option<&'r str>,
    /// What was asked.
    pub action: &'r str,
    /// What it acted on.
    pub resource_id: Option<&'r str>,
    /// How it ended.
    pub outcome: &'r str,
    /// The code of a refusal.
    pub code: Option<&'r str>,
    /// More facts, a JSON object, byte for byte as it stands in the store.
    pub detail: &'r str,
}

impl Row<'_> {
    /// The SHA-256 of its bytes.
    pub fn digest(&self) -> Digest {
        Digest::new(Sha256::digest(self.bytes()).into())
    }

    /// Its bytes. No two records that differ in any column have the same: each value is marked with its kind, and
    /// a text is preceded by its length.
    pub fn bytes(&self) -> Vec<u8> {
        let Self {
            id,
            workspace_id,
            at,
            actor_kind,
            actor_id,
            connection_id,
            action,
            resource_id,
            outcome,
            code,
            detail,
        } = *self;
        let mut bytes = Vec::with_capacity(256 + detail.len());
        bytes.extend_from_slice(KIND);
        text(&mut bytes, Some(id));
        text(&mut bytes, workspace_id);
        number(&mut bytes, at);
        text(&mut bytes, Some(actor_kind));
        text(&mut bytes, actor_id);
        text(&mut bytes, connection_id);
        text(&mut bytes, Some(action));
        text(&mut bytes, resource_id);
        text(&mut bytes, Some(outcome));
        text(&mut bytes, code);
        text(&mut bytes, Some(detail));
        bytes
    }
}

fn text(bytes: &mut Vec<u8>, value: Option<&str>) {
    let Some(value) = value else {
        bytes.push(NULL);
        return;
    };
    bytes.push(TEXT);
    bytes.extend_from_slice(&(value.len() as u64).to_be_bytes());
    bytes.extend_from_slice(value.as_bytes());
}

fn number(bytes: &mut Vec<u8>, value: i64) {
    bytes.push(NUMBER);
    bytes.extend_from_slice(&value.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) const ROW: Row<'static> = Row {
        id: "01900000-0000-7000-8000-000000000001",
        workspace_id: Some("01900000-0000-7000-8000-000000000002"),
        at: 1_796_000_000_123,
        actor_kind: "connection",
        actor_id: Some("01900000-0000-7000-8000-000000000003"),
        connection_id: None,
        action: "proposal.approve",
        resource_id: Some("01900000-0000-7000-8000-000000000004"),
        outcome: "refused",
        code: Some("stale_base"),
        detail: "{\"path\":\"é\"}",
    };

    /// Computed from the description above alone, by another program; every seal of every server depends on it.
    #[test]
    fn the_digest_of_a_record_never_changes() {
        assert_eq!(
            ROW.digest().to_string(),
            "3c32e6a7b2ae1dca9874c190669363a8f33e9f853ff9a962857cbe83b7b40b7d"
        );
    }

    type Owned = (String, Option<String>, i64, Option<String>, String, Option<String>, String);

    fn row((id, workspace, at, actor, action, code, detail): &Owned) -> Row<'_> {
        Row {
            id,
            workspace_id: workspace.as_deref(),
            at: *at,
            actor_id: actor.as_deref(),
            action,
            code: code.as_deref(),
            detail,
            ..ROW
        }
    }

    fn owned() -> impl Strategy<Value = Owned> {
        let word = || "[ab]{0,2}";
        let maybe = || proptest::option::of("[ab]{0,2}");
        (word(), maybe(), 0..2_i64, maybe(), word(), maybe(), word())
    }

    proptest! {
        #[test]
        fn records_that_differ_have_different_bytes(one in owned(), other in owned()) {
            prop_assert_eq!(row(&one) == row(&other), row(&one).bytes() == row(&other).bytes());
        }
    }
}
