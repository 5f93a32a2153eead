//! One commit as a person sees it: header, message, signature, changes.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use countersign_core::caller::Caller;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::{ProposalId, ResourceId};
use countersign_core::problem::Problem;
use countersign_core::proposal::ProposalState;
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_git::Repo;
use countersign_git::diff::{Bounds, Diff};
use countersign_git::history::{CommitInfo, Stamp};
use countersign_git::named::Reference;
use countersign_git::sign::Signature;
use countersign_store::repository::Repository;

use super::open;
use crate::App;
use crate::commit::view::{CommitView, SignatureState, Signer};
use crate::diff::convert;
use crate::gate::{self, Action, Effect, Found, Need, Permit};
use crate::git_problem::git_problem;

/// The action of looking at a commit.
pub const COMMIT: Action =
    Action { name: "repository.commit", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// How long a commit is looked for, and its changes compared.
const TIME: Duration = Duration::from_secs(4);

/// One commit that a branch or a tag leads to.
pub async fn commit(app: &App, caller: &Caller, id: ResourceId, oid: &str) -> Result<CommitView, Problem> {
    let oid = oid.to_owned();
    gate::through(
        app,
        caller,
        COMMIT,
        move |t| {
            Box::pin(async move {
                let oid = Oid::parse(&oid)
                    .map_err(|_| Problem::invalid("oid", "the forty hexadecimal digits of a commit"))?;
                let row = open::ready(t, id).await?;
                Ok(Found::resource((row, oid), id, MemberRole::Viewer))
            })
        },
        |permit| async move {
            let done = run(app, permit, id).await;
            done.map_err(|problem| problem.fact("repository", id.to_string()))
        },
    )
    .await
}

async fn run(app: &App, permit: Permit<(Repository, Oid)>, id: ResourceId) -> Result<CommitView, Problem> {
    let (row, oid) = permit.target().clone();
    let read = move |repo: &Repo, stop: &AtomicBool| {
        if repo.look_up(&Reference::Commit(oid), stop)?.is_none() {
            return Ok(None);
        }
        let info = repo.commit(oid)?;
        let diff = repo.diff_of_commit(oid, Bounds::COMMIT, stop)?;
        Ok(info.map(|info| (info, diff)))
    };
    let read = app.git.desk(permit.person()?).within(id, TIME, read).await.map_err(git_problem)?;
    let (info, diff) = read.ok_or_else(|| open::no_commit(oid))?;
    let (slug, proposal) = beside(app, &permit, id, &info).await?;
    Ok(view(app, (row, id), (info, diff), &slug, proposal))
}

fn view(
    app: &App,
    (row, id): (Repository, ResourceId),
    (info, diff): (CommitInfo, Diff),
    slug: &str,
    proposal: Option<ProposalId>,
) -> CommitView {
    let signature = match app.signer.verify(&info.bytes) {
        Signature::Good(key) => SignatureState::Good { fingerprint: key.fingerprint() },
        Signature::Bad => SignatureState::Bad,
        Signature::Unknown => SignatureState::Unknown,
        Signature::Unsigned => SignatureState::Missing,
    };
    CommitView {
        repository_id: id,
        clone_url: format!("{}/git/{slug}/{}.git", app.settings.public_url, row.name),
        repository: row.name,
        oid: info.oid.to_string(),
        parents: info.parents.iter().map(Oid::to_string).collect(),
        title: info.title().to_owned(),
        body: info.body().to_owned(),
        author: signer(info.author),
        committer: signer(info.committer),
        signature,
        allowed_signers: Some(app.signer.allowed_signers().trim_end().to_owned()),
        proposal,
        more: diff.more,
        files: convert::files(diff),
    }
}

fn signer(stamp: Stamp) -> Signer {
    Signer { name: stamp.name, mail: stamp.mail, at: stamp.at }
}

/// What the store knows: the workspace's slug, and the proposal that ended in this very commit.
async fn beside(
    app: &App,
    permit: &Permit<(Repository, Oid)>,
    id: ResourceId,
    info: &CommitInfo,
) -> Result<(String, Option<ProposalId>), Problem> {
    let (workspace, oid) = (permit.workspace(), info.oid.to_string());
    // Anybody can write a trailer: it says where to look, and the stored row says whether it is true.
    let named: Vec<ProposalId> = named(info.body()).collect();
    app.db
        .read(move |t| {
            Box::pin(async move {
                let row = countersign_store::workspace::find(t, workspace).await?;
                let slug = row.ok_or_else(|| Problem::internal("a workspace without its row"))?.slug;
                for proposal in named {
                    let row = countersign_store::proposal::find(t, proposal).await?;
                    if row.is_some_and(|row| {
                        row.repository_id == id.to_string()
                            && row.commit_oid.as_deref() == Some(oid.as_str())
                            && row.status == ProposalState::Executed.as_str()
                    }) {
                        return Ok((slug, Some(proposal)));
                    }
                }
                Ok::<_, Problem>((slug, None))
            })
        })
        .await
}

/// The proposals that the last lines of a message name; a few of them at most.
fn named(body: &str) -> impl Iterator<Item = ProposalId> {
    let trailers = body.lines().rev().take(10).filter_map(|line| line.strip_prefix("Proposal: "));
    trailers.filter_map(|id| ProposalId::parse(id.trim()).ok()).take(3)
}
