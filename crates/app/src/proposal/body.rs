//! The body of a file import: its rules, its tree, its commit.

use std::sync::Arc;

use countersign_core::gitnest::identity::Identity;
use countersign_core::gitnest::message::{AgentMessage, CommitMessage};
use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::path::PathBreach;
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_core::id::{ConnectionId, ResourceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use countersign_git::commit::{CommitBytes, CommitDraft};
use countersign_git::objects::NewTree;
use countersign_git::plan::Planned;
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
    let planned = app.git.with(repository, move |repo| repo.plan(base, &files)).await;
    tree_of(planned.map_err(git_problem)?).map(drop)
}

fn tree_of(planned: Planned) -> Result<NewTree, Problem> {
    match planned {
        Planned::Tree(tree) => Ok(tree),
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

/// What the repository says of a proposal that a person wants to approve.
#[derive(Debug)]
pub(super) enum Fit {
    /// It can land: as this commit, on this tree. Nothing of it is in the repository yet.
    Commit(CommitBytes, NewTree),
    /// The branch is at another commit than the reviewed base, or gone.
    Stale(Option<Oid>),
    /// Its paths or content are not valid any more.
    Broken(Problem),
}

/// Looks at the branch, holds the files against every rule, and builds and signs the commit that the person who
/// decides at this time would let in. What is not approved is not in the repository: nothing is written.
pub(super) async fn fit(
    app: &App,
    loaded: &Loaded,
    (committer, at): (Identity, Timestamp),
) -> Result<Fit, Problem> {
    let text = match AgentMessage::parse(&loaded.row.message) {
        Ok(text) => text,
        Err(breach) => return Ok(Fit::Broken(Problem::new(Code::ProposalInvalid, breach.to_string()))),
    };
    let message = CommitMessage::approved(&text, loaded.id, &committer);
    let (author, author_time, base) = (author(loaded), loaded.created_at, loaded.base);
    let tip = app.git.glance(loaded.repository, |refs| refs.tip(&loaded.branch)).map_err(git_problem)?;
    if tip != Some(base) {
        return Ok(Fit::Stale(tip));
    }
    let (files, signer) = (files(app, loaded).await?, Arc::clone(&app.signer));
    let planned = app.git.with(loaded.repository, move |repo| {
        let tree = match tree_of(repo.plan(base, &files)?) {
            Ok(tree) => tree,
            Err(problem) if problem.code == Code::ProposalInvalid => return Ok(Ok(Fit::Broken(problem))),
            Err(problem) => return Ok(Err(problem)),
        };
        let parent = Some(base);
        let oid = tree.oid();
        let draft =
            CommitDraft { tree: oid, parent, author, author_time, committer, commit_time: at, message };
        Ok(Ok(Fit::Commit(signer.sign(&draft)?, tree)))
    });
    planned.await.map_err(git_problem)?
}

/// The frozen files.
async fn files(app: &App, loaded: &Loaded) -> Result<Vec<ProposedFile>, Problem> {
    let id = loaded.id;
    let rows = app.db.read(move |t| {
        Box::pin(async move { Ok::<_, Problem>(countersign_store::proposal::files(t, id).await?) })
    });
    Ok(files_of(&rows.await?))
}

/// Makes the tree of an approved proposal again, for whoever finishes what another began.
pub(super) async fn tree(app: &App, loaded: &Loaded) -> Result<NewTree, Problem> {
    let (base, files) = (loaded.base, files(app, loaded).await?);
    let planned = app.git.with(loaded.repository, move |repo| repo.plan(base, &files)).await;
    tree_of(planned.map_err(git_problem)?)
}

/// Writes blobs, trees and the stored bytes of the commit; whoever names the commit syncs them first.
pub(super) async fn write(
    app: &App,
    loaded: &Loaded,
    (bytes, tree): (Vec<u8>, NewTree),
) -> Result<Oid, Problem> {
    let commit = CommitBytes::of(bytes).map_err(git_problem)?;
    let oid = commit.oid();
    app.git.write(loaded.repository, tree, commit).await.map_err(git_problem)?;
    Ok(oid)
}
