//! The body of a file import: its rules, its tree, its commit.

use countersign_core::gitnest::identity::Identity;
use countersign_core::gitnest::message::{AgentMessage, CommitMessage};
use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::path::PathBreach;
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_core::id::{ConnectionId, ResourceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use countersign_git::commit::{CommitBytes, CommitDraft};
use countersign_git::plan::{Planned, Store};
use countersign_store::proposal::ProposalFile;
use countersign_store::{Tx, grant};

use super::row::Loaded;
use crate::App;
use crate::git_problem::git_problem;

/// The frozen files as the rules and the engine take them.
pub(super) fn files_of(rows: &[ProposalFile]) -> Vec<ProposedFile> {
    rows.iter().map(|row| ProposedFile { path: row.path.clone(), content: row.content.clone() }).collect()
}

/// A message that may stand in a commit.
pub(super) fn message(text: &str) -> Result<AgentMessage, Problem> {
    AgentMessage::parse(text).map_err(|breach| Problem::invalid("message", breach.to_string()))
}

/// Holds the files against every rule, by themselves and against the base; changes nothing.
pub(super) async fn check(
    app: &App,
    repository: ResourceId,
    base: Oid,
    files: Vec<ProposedFile>,
) -> Result<(), Problem> {
    match app
        .git
        .with(repository, move |repo| repo.plan(base, &files, Store::Nowhere))
        .await
        .map_err(git_problem)?
    {
        Planned::Tree(_) => Ok(()),
        Planned::NothingChanges => {
            Err(Problem::new(Code::NothingChanges, "Every file is on the branch already, with this content."))
        }
        Planned::Refused(broken) => Err(breach(broken)),
    }
}

fn breach(breach: PathBreach) -> Problem {
    Problem::new(Code::ProposalInvalid, breach.to_string())
        .fact("path", breach.path)
        .fact("rule", breach.rule.as_str())
}

/// The name of the commit's author, frozen with the rest: `<display name> (via <user>)`.
pub(super) async fn author_name(t: &Tx<'_>, connection: ConnectionId) -> Result<String, Problem> {
    let (_, name, user) = grant::owner(t, connection)
        .await?
        .ok_or_else(|| Problem::internal("a connection without its person"))?;
    Ok(Identity::connection(&name, &user, connection).name().to_owned())
}

/// The author as the commit's header names them.
pub(super) fn author(loaded: &Loaded) -> Identity {
    let mail = Identity::connection("", "", loaded.connection).mail().to_owned();
    Identity::new(&loaded.row.author_name, &mail)
}

/// Builds the commit of an approved proposal and signs it: the same row gives the same bytes.
pub(super) async fn build(app: &App, loaded: &Loaded) -> Result<CommitBytes, Problem> {
    let decider =
        loaded.decider.ok_or_else(|| Problem::internal("an approved proposal without a decider"))?;
    let decided_at =
        loaded.row.decided_at.ok_or_else(|| Problem::internal("an approved proposal without its time"))?;
    let committer = crate::repository::create::identity(app, decider).await?;
    let draft = CommitDraft {
        tree: tree(app, loaded).await?,
        parent: Some(loaded.base),
        author: author(loaded),
        author_time: loaded.created_at,
        message: CommitMessage::approved(&message(&loaded.row.message)?, loaded.id, &committer),
        committer,
        commit_time: Timestamp::from_millis(decided_at),
    };
    app.signer.sign(&draft).map_err(git_problem)
}

/// Writes blobs, trees and the stored bytes of the commit, and syncs them before any ref names them.
pub(super) async fn write(app: &App, loaded: &Loaded, bytes: Vec<u8>) -> Result<Oid, Problem> {
    let _ = tree(app, loaded).await?;
    app.git
        .with(loaded.repository, move |repo| {
            let commit = CommitBytes::of(bytes)?;
            repo.write_commit(&commit)?;
            repo.sync()?;
            Ok(commit.oid())
        })
        .await
        .map_err(git_problem)
}

async fn tree(app: &App, loaded: &Loaded) -> Result<Oid, Problem> {
    let (id, base) = (loaded.id, loaded.base);
    let rows = app
        .db
        .read(move |t| {
            Box::pin(async move { Ok::<_, Problem>(countersign_store::proposal::files(t, id).await?) })
        })
        .await?;
    let files = files_of(&rows);
    let planned = app
        .git
        .with(loaded.repository, move |repo| repo.plan(base, &files, Store::Disk))
        .await
        .map_err(git_problem)?;
    match planned {
        Planned::Tree(tree) => Ok(tree),
        // Both were checked just before the decision, against the same base.
        Planned::NothingChanges => Err(Problem::internal("an approved proposal changes nothing")),
        Planned::Refused(broken) => Err(breach(broken)),
    }
}
