//! The audit log as its owners see it.

use countersign_core::audit::{Fault, Head};
use countersign_core::id::ResourceId;
use countersign_core::time::Timestamp;

use super::{Filter, Mark};

/// Somebody or something that a record names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its id, as it stands in the record.
    pub id: String,
    /// Its name now, where it is still known.
    pub name: Option<String>,
}

impl Named {
    /// The name, or the id where there is none.
    pub fn told(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.id)
    }
}

/// One record. Words and ids are shown as they stand in the store: a log that was tampered with must still be
/// readable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordView {
    /// Its id.
    pub id: String,
    /// When.
    pub at: Timestamp,
    /// `anonymous`, `connection`, `user` or `server`.
    pub actor_kind: String,
    /// The person behind the call.
    pub actor: Option<Named>,
    /// The connection that called.
    pub connection: Option<Named>,
    /// The tool, or `noun.verb`.
    pub action: String,
    /// What it acted on.
    pub resource: Option<Named>,
    /// The resource, when it is a repository.
    pub repository: Option<ResourceId>,
    /// `done`, `refused` or `cancelled`.
    pub outcome: String,
    /// The code of a refusal.
    pub code: Option<String>,
    /// More facts, a JSON object.
    pub detail: String,
    /// The number of its seal.
    pub seal: Option<i64>,
}

/// A page of records, the newest on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageView {
    /// The records.
    pub records: Vec<RecordView>,
    /// Behind which older ones follow.
    pub older: Option<Mark>,
    /// Before which newer ones stand.
    pub newer: Option<Mark>,
    /// How far back was looked, where the filter let too little through to fill the page and the log goes on.
    pub looked_back_to: Option<Timestamp>,
}

/// Where the seals stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SealView {
    /// The number of the last seal, and when it was made.
    pub last: Option<(i64, Timestamp)>,
    /// How many records wait for theirs.
    pub unsealed: i64,
    /// How the last verification on this server went, since it started.
    pub checked: Option<Checked>,
}

/// How a verification ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// When.
    pub at: Timestamp,
    /// The last seal that was found good.
    pub seal: i64,
    /// What was found wrong.
    pub fault: Option<Fault>,
}

/// The page of the log.
#[derive(Clone, Debug)]
pub struct AuditView {
    /// What was asked for.
    pub filter: Filter,
    /// The records.
    pub page: PageView,
    /// Where the seals stand.
    pub seals: SealView,
    /// Whom the filter may name, by id and name.
    pub people: Vec<(String, String)>,
    /// Which connections.
    pub connections: Vec<(String, String)>,
    /// Which resources.
    pub resources: Vec<(String, String)>,
}

/// What a step of a verification came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The verdict so far.
    pub verdict: Verdict,
    /// The last seal that was found good: where the next step begins, and a head worth noting elsewhere.
    pub at: Head,
    /// How many seals this step found good.
    pub seals: u64,
    /// How many records they cover.
    pub rows: u64,
    /// How many records of the server have no seal yet.
    pub unsealed: i64,
}

/// A verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Good so far, and there is more.
    GoesOn,
    /// Every seal and every sealed record is as it was.
    Intact,
    /// The first fault.
    Broken(Fault),
}
