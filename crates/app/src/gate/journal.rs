//! The journal: audit records, and when connections were last in use. The record of a change goes into its
//! transaction; those of reads and refusals follow behind, within a second, bounded, flushed at a graceful stop.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{AuditId, ConnectionId, ResourceId, WorkspaceId};
use countersign_core::problem::Code;
use countersign_core::time::Timestamp;
use countersign_store::audit::Audit;
use countersign_store::{Db, Tx, oauth_access};
use serde_json::{Map, Value};
use tokio::sync::{Notify, mpsc, oneshot};

use super::Action;
use crate::edge::Entropy;

/// How many records may wait; then callers wait too.
const WAITING: usize = 4096;
/// How many go into one transaction.
const BATCH: usize = 256;
/// How long a record waits for company: the writer sleeps meanwhile, and is not woken for each.
const LINGER: Duration = Duration::from_millis(200);

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what was asked.
    Done,
    /// It was refused.
    Refused(Code),
    /// Its caller hung up before it came to its end. A change may have been made all the same; then that has a record
    /// of its own.
    Cancelled,
}

/// One audit record, before it has an id.
#[derive(Clone, Debug)]
pub struct Record {
    workspace: Option<WorkspaceId>,
    at: Timestamp,
    actor_kind: &'static str,
    actor: Option<String>,
    connection: Option<String>,
    action: String,
    resource: Option<ResourceId>,
    outcome: Outcome,
    detail: Map<String, Value>,
}

impl Record {
    /// The record of a call.
    pub fn new(caller: &Caller, action: Action, at: Timestamp, outcome: Outcome) -> Self {
        Self {
            workspace: caller.workspace,
            at,
            actor_kind: caller.kind().as_str(),
            actor: match &caller.principal {
                Principal::Anonymous { .. } => None,
                Principal::Connection { owner, .. } => Some(owner.to_string()),
                Principal::Session { user, .. } | Principal::Token { user, .. } => Some(user.to_string()),
            },
            connection: caller.connection().map(|id| id.to_string()),
            action: action.name.to_owned(),
            resource: None,
            outcome,
            detail: Map::new(),
        }
    }

    /// The record of something that the server did by itself.
    pub fn by_server(action: &str, at: Timestamp) -> Self {
        Self {
            workspace: None,
            at,
            actor_kind: "server",
            actor: None,
            connection: None,
            action: action.to_owned(),
            resource: None,
            outcome: Outcome::Done,
            detail: Map::new(),
        }
    }

    /// Names the tenant.
    #[must_use]
    pub fn in_workspace(mut self, workspace: Option<WorkspaceId>) -> Self {
        self.workspace = workspace;
        self
    }

    /// Names the resource.
    #[must_use]
    pub fn on(mut self, resource: Option<ResourceId>) -> Self {
        self.resource = resource;
        self
    }

    /// Turns it into the record of a refusal.
    #[must_use]
    pub fn refused(mut self, code: Code) -> Self {
        self.outcome = Outcome::Refused(code);
        self
    }

    /// Turns it into the record of a call whose caller hung up.
    #[must_use]
    pub(super) fn cancelled(mut self) -> Self {
        self.outcome = Outcome::Cancelled;
        self
    }

    /// Adds a fact; never a secret.
    #[must_use]
    pub fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.detail.insert(name.to_owned(), value.into());
        self
    }

    /// Appends it in the caller's transaction.
    pub async fn append(self, t: &Tx<'_>, id: AuditId) -> Result<(), countersign_store::Error> {
        self.row(id).insert(t).await
    }

    fn row(self, id: AuditId) -> Audit {
        let (outcome, code) = match self.outcome {
            Outcome::Done => ("done", None),
            Outcome::Refused(code) => ("refused", Some(code.as_str().to_owned())),
            Outcome::Cancelled => ("cancelled", None),
        };
        Audit {
            id: id.to_string(),
            workspace_id: self.workspace.map(|id| id.to_string()),
            at: self.at.millis(),
            actor_kind: self.actor_kind.to_owned(),
            actor_id: self.actor,
            connection_id: self.connection,
            action: self.action,
            resource_id: self.resource.map(|id| id.to_string()),
            outcome: outcome.to_owned(),
            code,
            detail: Value::Object(self.detail).to_string(),
            seal_id: None,
        }
    }
}

enum Entry {
    Record(Box<Audit>),
    Use(ConnectionId, Timestamp),
    Flush(oneshot::Sender<()>),
}

/// The way of records behind their calls.
pub struct Journal {
    entries: mpsc::Sender<Entry>,
    /// Ends the writer's sleep: a batch is full, or somebody waits for it.
    hurry: Arc<Notify>,
    entropy: Arc<dyn Entropy>,
}

impl Journal {
    /// Starts the writer; it ends when the journal is dropped.
    pub(crate) fn start(db: Db, entropy: Arc<dyn Entropy>) -> Self {
        let (entries, waiting) = mpsc::channel(WAITING);
        let hurry = Arc::new(Notify::new());
        tokio::spawn(write(db, waiting, Arc::clone(&hurry)));
        Self { entries, hurry, entropy }
    }

    /// Keeps a record that belongs to no change.
    pub async fn later(&self, record: Record) {
        let id = AuditId::new(crate::app::uuid_at(record.at, &*self.entropy));
        if self.entries.send(Entry::Record(Box::new(record.row(id)))).await.is_err() {
            tracing::error!("the audit writer has ended; a record is lost");
        }
        if self.entries.capacity() <= WAITING - BATCH {
            self.hurry.notify_one();
        }
    }

    /// Keeps a record where nothing can wait; it is lost, and said to be, when the queue is full.
    pub(super) fn at_once(&self, record: Record) {
        let id = AuditId::new(crate::app::uuid_at(record.at, &*self.entropy));
        if let Err(error) = self.entries.try_send(Entry::Record(Box::new(record.row(id)))) {
            tracing::error!(%error, "the record of a call that was hung up on is lost");
        }
    }

    /// Notes that a connection is in use. That is for its owner to read: no call waits for it, and what is lost the
    /// next call notes.
    pub(crate) fn used(&self, connection: ConnectionId, at: Timestamp) {
        if let Err(error) = self.entries.try_send(Entry::Use(connection, at)) {
            tracing::warn!(%error, "the use of a connection is not noted");
        }
    }

    /// Waits until everything kept so far is in the store.
    pub async fn flush(&self) {
        let (done, wait) = oneshot::channel();
        if self.entries.send(Entry::Flush(done)).await.is_ok() {
            self.hurry.notify_one();
            let _ = wait.await;
        }
    }
}

async fn write(db: Db, mut waiting: mpsc::Receiver<Entry>, hurry: Arc<Notify>) {
    let mut more = false;
    while let Some(first) = waiting.recv().await {
        // What is sent while nobody receives wakes nobody. Behind a full batch there may be others, and no order
        // to hurry for each.
        if !more {
            let _ = tokio::time::timeout(LINGER, hurry.notified()).await;
        }
        let batch = gather(first, &mut waiting);
        more = batch.records.len() == BATCH;
        save(&db, batch.records, batch.uses).await;
        for done in batch.flushed {
            let _ = done.send(());
        }
    }
}

/// What goes into one transaction, and who waits for it.
#[derive(Default)]
struct Batch {
    records: Vec<Audit>,
    /// The latest use of each connection.
    uses: BTreeMap<ConnectionId, Timestamp>,
    flushed: Vec<oneshot::Sender<()>>,
}

/// Takes what waits, no more than a batch.
fn gather(first: Entry, waiting: &mut mpsc::Receiver<Entry>) -> Batch {
    let mut batch = Batch::default();
    let mut next = Some(first);
    while let Some(entry) = next {
        match entry {
            Entry::Record(row) => batch.records.push(*row),
            Entry::Use(connection, at) => drop(batch.uses.insert(connection, at)),
            Entry::Flush(done) => batch.flushed.push(done),
        }
        next = if batch.records.len() < BATCH { waiting.try_recv().ok() } else { None };
    }
    batch
}

/// Tries until the store takes the batch, for at most a minute: the queue behind it is bounded.
async fn save(db: &Db, rows: Vec<Audit>, uses: BTreeMap<ConnectionId, Timestamp>) {
    if rows.is_empty() && uses.is_empty() {
        return;
    }
    let (rows, uses) = (Arc::new(rows), Arc::new(uses));
    for pause_s in [0, 1, 2, 4, 8, 16, 30] {
        tokio::time::sleep(Duration::from_secs(pause_s)).await;
        let (batch, uses) = (Arc::clone(&rows), Arc::clone(&uses));
        let saved = db
            .write(move |t| {
                Box::pin(async move {
                    for row in batch.iter() {
                        let _ = row.insert_once(t).await?;
                    }
                    for (connection, at) in uses.iter() {
                        oauth_access::use_connection(t, &connection.to_string(), *at).await?;
                    }
                    Ok::<_, countersign_store::Error>(())
                })
            })
            .await;
        match saved {
            Ok(()) => return,
            Err(error) => tracing::warn!(%error, records = rows.len(), "audit records wait for the store"),
        }
    }
    tracing::error!(records = rows.len(), "the store took no audit records for a minute; they are dropped");
}
