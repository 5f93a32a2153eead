//! Propose a file import: everything is frozen at once, Git is untouched.

use countersign_core::caller::Caller;
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_core::id::{AuditId, ConnectionId, ProposalId, ResourceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::proposal::ProposalState;
use countersign_core::role::MemberRole;
use countersign_core::scope::Scope;
use countersign_core::text::clean_name;
use countersign_core::time::Timestamp;
use countersign_store::Inserted;
use countersign_store::proposal::{Proposal, ProposalFile};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::body;
use super::row::Loaded;
use crate::App;
use crate::actor::Actor;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};
use crate::git_problem::git_problem;

/// The action, named as its tool.
pub const PROPOSE_FILE_IMPORT: Action =
    Action { name: "propose_gitnest_file_import", need: Need::Agent(Scope::Write), effect: Effect::Write };

/// The role that the person behind an agent must have where it proposes, and still when that is approved.
pub(super) const PROPOSES: MemberRole = MemberRole::Editor;

/// What a file import would put on a branch.
#[derive(Clone, Debug)]
pub struct FileImport {
    /// The repository.
    pub repository: ResourceId,
    /// The branch, which must exist.
    pub branch: String,
    /// The commit message.
    pub message: String,
    /// One to twenty files, whole.
    pub files: Vec<ProposedFile>,
    /// The key under which the same call may be sent again, 8–128 characters.
    pub idempotency_key: String,
    /// The tip that the agent read; another one is refused as `stale_base`.
    pub expected_base_oid: Option<String>,
    /// The arguments as sent, for the hash of the body (RFC 8785).
    pub arguments: Value,
}

/// The receipt of a proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Receipt {
    /// The proposal.
    pub proposal_id: ProposalId,
    /// Where it stands.
    pub status: ProposalState,
    /// The commit that the reviewer compares with.
    pub base_oid: String,
    /// When it expires if nobody decides.
    pub expires_at: Timestamp,
    /// Whether this key was answered before.
    pub replayed: bool,
}

/// Freezes a file import for a person to decide. The same key and body give the first receipt again.
pub async fn propose_file_import(app: &App, caller: &Caller, import: FileImport) -> Result<Receipt, Problem> {
    let repository = import.repository;
    if !import.idempotency_key.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return Err(Problem::invalid("idempotency_key", "printable ASCII characters"));
    }
    gate::through(
        app,
        caller,
        PROPOSE_FILE_IMPORT,
        move |_| Box::pin(async move { Ok(Found::resource(import, repository, PROPOSES)) }),
        |permit| run(app, permit),
    )
    .await
}

async fn run(app: &App, permit: Permit<FileImport>) -> Result<Receipt, Problem> {
    let connection = permit
        .caller()
        .connection()
        .ok_or_else(|| Problem::new(Code::Unauthenticated, "Only a connection proposes."))?;
    let import = permit.target();
    let hash = body_hash(&import.arguments)?;
    if let Some(receipt) = replay(app, connection, &import.idempotency_key, &hash).await? {
        app.journal.later(permit.record(Outcome::Done).detail("replayed", true)).await;
        return Ok(receipt);
    }
    let branch =
        BranchName::parse(&import.branch).map_err(|rule| Problem::invalid("branch", rule.to_string()))?;
    let tip = tip(app, import.repository, &branch).await?;
    let base = base(import, tip)?;
    body::message(&import.message)?;
    body::check(app, import.repository, base, import.files.clone()).await?;
    freeze(app, &permit, connection, (branch, base, hash)).await
}

async fn tip(app: &App, repository: ResourceId, branch: &BranchName) -> Result<Oid, Problem> {
    let name = branch.clone();
    app.git.with_refs(repository, move |refs| refs.tip(&name)).await.map_err(git_problem)?.ok_or_else(|| {
        Problem::new(Code::BranchNotFound, format!("There is no branch `{}`.", branch.as_str()))
            .fact("branch", branch.as_str())
    })
}

fn base(import: &FileImport, tip: Oid) -> Result<Oid, Problem> {
    let Some(expected) = &import.expected_base_oid else { return Ok(tip) };
    let expected = Oid::parse(expected)
        .map_err(|_| Problem::invalid("expected_base_oid", "40 lower-case hexadecimal digits"))?;
    if expected == tip {
        return Ok(tip);
    }
    Err(Problem::new(Code::StaleBase, format!("`{}` is not at the commit that you read.", import.branch))
        .fact("expected_base_oid", expected.to_string())
        .fact("branch_head", tip.to_string()))
}

/// SHA-256 over the canonical JSON (RFC 8785) of tool name and arguments as sent.
fn body_hash(arguments: &Value) -> Result<Vec<u8>, Problem> {
    let call = serde_json::json!({ "name": PROPOSE_FILE_IMPORT.name, "arguments": arguments });
    let text = serde_json_canonicalizer::to_vec(&call).map_err(Problem::internal)?;
    Ok(Sha256::digest(&text).to_vec())
}

async fn replay(
    app: &App,
    connection: ConnectionId,
    key: &str,
    hash: &[u8],
) -> Result<Option<Receipt>, Problem> {
    let wanted = key.to_owned();
    let found = app
        .db
        .read(move |t| {
            Box::pin(async move {
                Ok::<_, Problem>(countersign_store::proposal::find_by_key(t, connection, &wanted).await?)
            })
        })
        .await?;
    let Some(row) = found else { return Ok(None) };
    if row.body_hash != hash {
        return Err(Problem::new(
            Code::IdempotencyReused,
            "This idempotency key was used before with a different body.",
        )
        .fact("proposal_id", row.id));
    }
    Ok(Some(receipt(&Loaded::of(row)?, true)))
}

fn receipt(loaded: &Loaded, replayed: bool) -> Receipt {
    Receipt {
        proposal_id: loaded.id,
        status: loaded.state,
        base_oid: loaded.row.base_oid.clone(),
        expires_at: loaded.expires_at,
        replayed,
    }
}

async fn freeze(
    app: &App,
    permit: &Permit<FileImport>,
    connection: ConnectionId,
    (branch, base, hash): (BranchName, Oid, Vec<u8>),
) -> Result<Receipt, Problem> {
    let import = permit.target();
    let (now, id) = (app.now(), ProposalId::new(app.uuid()));
    let lifetime = i64::try_from(app.settings.proposal_lifetime.as_secs()).unwrap_or(i64::MAX / 1000);
    let mut row = Proposal {
        id: id.to_string(),
        workspace_id: permit.workspace().to_string(),
        repository_id: import.repository.to_string(),
        connection_id: connection.to_string(),
        kind: "gitnest_file_import".to_owned(),
        title: title(&import.message),
        status: ProposalState::Pending.as_str().to_owned(),
        idempotency_key: import.idempotency_key.clone(),
        body_hash: hash.clone(),
        branch: branch.as_str().to_owned(),
        base_oid: base.to_string(),
        message: import.message.clone(),
        author_name: String::new(),
        created_at: now.millis(),
        expires_at: now.plus_seconds(lifetime).millis(),
        attempt: 0,
        decided_by: None,
        decided_at: None,
        reason: None,
        commit_bytes: None,
        commit_oid: None,
        branch_head: None,
        finished_at: None,
    };
    let files = rows(&row.id, &import.files);
    let record = permit.record(Outcome::Done).detail("proposal_id", id.to_string());
    let audit = AuditId::new(app.uuid());
    let key = import.idempotency_key.clone();
    let made = permit
        .write(app, move |t| {
            Box::pin(async move {
                row.author_name = body::author_name(t, connection).await?;
                if row.insert_once(t).await? == Inserted::Existed {
                    return Ok::<_, Problem>(None);
                }
                for file in &files {
                    file.insert(t).await?;
                }
                record.append(t, audit).await?;
                let loaded = Loaded::of(row)?;
                loaded.tell(t, "proposal.created", Actor::Connection(connection), now).await?;
                Ok(Some(loaded))
            })
        })
        .await?;
    match made {
        Some(loaded) => Ok(receipt(&loaded, false)),
        // The same key arrived twice at once; the other one was first.
        None => replay(app, connection, &key, &hash)
            .await?
            .ok_or_else(|| Problem::internal("a proposal with this key exists and cannot be read")),
    }
}

fn rows(id: &str, files: &[ProposedFile]) -> Vec<ProposalFile> {
    let row = |(position, file): (i64, &ProposedFile)| ProposalFile {
        proposal_id: id.to_owned(),
        position,
        path: file.path.clone(),
        content: file.content.clone(),
    };
    (0..).zip(files).map(row).collect()
}

/// The first line of the message, for lists.
fn title(message: &str) -> String {
    let line = message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("(no message)");
    clean_name(line, 120)
}
