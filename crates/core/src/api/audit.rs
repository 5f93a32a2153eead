//! The audit log over the REST API: `GET /api/v1/audit`, `/export` and `/verification` below it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::audit::Head;
use crate::time::Timestamp;

/// One record. Words and ids stand as they were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditItem {
    /// Its id.
    pub id: String,
    /// When.
    pub at: Timestamp,
    /// `anonymous`, `connection`, `user` or `server`.
    pub actor_kind: String,
    /// The person behind the call.
    pub actor: Option<AuditParty>,
    /// The connection that called.
    pub connection: Option<AuditParty>,
    /// The tool, or `noun.verb`.
    pub action: String,
    /// What it acted on.
    pub resource: Option<AuditParty>,
    /// `done`, `refused` or `cancelled`.
    pub outcome: String,
    /// The code of a refusal.
    pub code: Option<String>,
    /// More facts, as an object; others may have written what they hold.
    pub detail: Value,
    /// The number of its seal; none while it waits for it.
    pub seal: Option<i64>,
}

/// Somebody or something that a record names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditParty {
    /// Its id.
    pub id: String,
    /// Its name now, where it is still known.
    pub name: Option<String>,
}

/// A page, the newest record first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditPage {
    /// The records.
    pub items: Vec<AuditItem>,
    /// What to pass as `before` for older ones; none at the end. A page may be short, or empty, and still have it:
    /// only so many records are looked through at once.
    pub next: Option<String>,
}

/// A step of a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditVerification {
    /// What is known so far.
    pub verdict: AuditVerdict,
    /// The last seal that was found good, `NUMBER:DIGEST`: pass it as `after` to go on, and note it elsewhere to know
    /// later that the log still leads through it.
    pub head: Head,
    /// How many seals this step found good.
    pub seals: u64,
    /// How many records they cover.
    pub rows: u64,
    /// How many records have no seal yet.
    pub unsealed: i64,
    /// What is wrong, when something is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<AuditFault>,
}

/// What is known of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditVerdict {
    /// Good so far, and not at its end: go on.
    GoesOn,
    /// Every seal and every sealed record is as it was.
    Intact,
    /// Something was changed, dropped, added or put elsewhere.
    Broken,
}

/// The first fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditFault {
    /// Its kind: `row_changed`, `row_dropped`, `row_added`, `rows_swapped`, `row_moved`, `seal_dropped`, `seal_moved`,
    /// `chain_broken`, `seal_changed`, `seal_forged`, `key_unknown`, `tail_cut` or `head_differs`.
    pub kind: String,
    /// One sentence.
    pub message: String,
    /// The record that it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
}

impl From<&crate::audit::Fault> for AuditFault {
    fn from(fault: &crate::audit::Fault) -> Self {
        Self {
            kind: fault.kind().to_owned(),
            message: fault.to_string(),
            row: fault.row().map(str::to_owned),
        }
    }
}
