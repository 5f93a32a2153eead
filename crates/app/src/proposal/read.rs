//! One proposal as its own connection reads it: every frozen fact, and where it stands.

use countersign_core::caller::Caller;
use countersign_core::id::ProposalId;
use countersign_core::problem::Problem;
use countersign_core::proposal::ProposalState;
use countersign_core::role::MemberRole;
use countersign_core::scope::Scope;
use countersign_core::time::Timestamp;
use serde::Serialize;

use super::row::Loaded;
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};

/// The action, named as its tool.
pub const READ_MINE: Action =
    Action { name: "read_proposal", need: Need::Agent(Scope::Read), effect: Effect::Read };

/// Every frozen fact and where the proposal stands.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Facts {
    /// Its id.
    pub id: ProposalId,
    /// What it would do.
    pub kind: String,
    /// Where it stands.
    pub status: ProposalState,
    /// The repository.
    pub repository_id: String,
    /// The branch.
    pub branch: String,
    /// The commit that the reviewer compares with.
    pub base_oid: String,
    /// The commit message.
    pub message: String,
    /// The files, whole.
    pub files: Vec<FrozenFile>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it expires if nobody decides.
    pub expires_at: Timestamp,
    /// When it was decided.
    pub decided_at: Option<Timestamp>,
    /// The commit that landed.
    pub commit: Option<String>,
    /// Where the branch was instead, when stale.
    pub branch_head: Option<String>,
    /// Why it was declined, withdrawn or failed.
    pub reason: Option<String>,
}

/// One frozen file.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct FrozenFile {
    /// Where it goes.
    pub path: String,
    /// What it holds.
    pub content: String,
}

/// Reads a proposal of the calling connection.
pub async fn read_mine(app: &App, caller: &Caller, id: ProposalId) -> Result<Facts, Problem> {
    let (workspace, connection) = (caller.workspace, caller.connection());
    gate::through(
        app,
        caller,
        READ_MINE,
        move |t| {
            Box::pin(async move {
                let loaded = Loaded::get(t, id, workspace).await?;
                if Some(loaded.connection) != connection {
                    return Err(Problem::not_found("proposal"));
                }
                let repository = loaded.repository;
                Ok(Found::resource(loaded, repository, MemberRole::Viewer))
            })
        },
        |permit| run(app, permit),
    )
    .await
}

async fn run(app: &App, permit: Permit<Loaded>) -> Result<Facts, Problem> {
    let loaded = permit.target();
    let id = loaded.id;
    let files = app
        .db
        .read(move |t| {
            Box::pin(async move { Ok::<_, Problem>(countersign_store::proposal::files(t, id).await?) })
        })
        .await?;
    let row = &loaded.row;
    let executed = loaded.state == ProposalState::Executed;
    Ok(Facts {
        id,
        kind: row.kind.clone(),
        status: loaded.state,
        repository_id: row.repository_id.clone(),
        branch: row.branch.clone(),
        base_oid: row.base_oid.clone(),
        message: row.message.clone(),
        files: files.into_iter().map(|file| FrozenFile { path: file.path, content: file.content }).collect(),
        created_at: loaded.created_at,
        expires_at: loaded.expires_at,
        decided_at: row.decided_at.map(Timestamp::from_millis),
        commit: row.commit_oid.clone().filter(|_| executed),
        branch_head: row.branch_head.clone(),
        reason: row.reason.clone(),
    })
}
