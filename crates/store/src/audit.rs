//! The audit log: rows are only added.

use crate::record;

record! {
    /// Who did what, to what, and how it ended.
    pub struct Audit in "audit" {
        /// Its id.
        id: String,
        /// The tenant.
        workspace_id: Option<String>,
        /// When, in milliseconds.
        at: i64,
        /// `anonymous`, `connection`, `user` or `server`.
        actor_kind: String,
        /// The person behind the call.
        actor_id: Option<String>,
        /// The connection that called.
        connection_id: Option<String>,
        /// The tool, or `noun.verb`.
        action: String,
        /// What it acted on.
        resource_id: Option<String>,
        /// `done` or `refused`.
        outcome: String,
        /// The code of a refusal.
        code: Option<String>,
        /// More facts, a JSON object.
        detail: String,
        /// The seal that covers this row.
        seal_id: Option<String>,
    }
}
