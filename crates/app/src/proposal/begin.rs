//! Begin: the point of no return, and every check that stands before it.

use countersign_core::id::{AuditId, ProposalId};
use countersign_core::problem::{Code, Problem};
use countersign_core::proposal::ProposalState;
use countersign_core::role::effective;
use countersign_git::lock::{Hold, RepoLock};
use countersign_git::objects::NewTree;
use countersign_store::access::{self, Asker};
use countersign_store::proposal::{Closing, Decision};
use countersign_store::{Saved, Tx, standing};

use super::body::{self, Fit};
use super::decider;
use super::propose::PROPOSES;
use super::row::{Loaded, by_server};
use crate::App;
use crate::actor::Actor;
use crate::fault::Point;
use crate::gate::{Outcome, Permit, Record};
use crate::git_problem::git_problem;

/// What became of a proposal that was open.
#[derive(Debug)]
pub(super) enum Begun {
    /// It is `executing`; the lock of its repository goes with it, and the tree of its commit.
    Executing(RepoLock, NewTree),
    /// It is `stale`: the branch moved since this was reviewed.
    Stale,
    /// Others moved it meanwhile, or its time ran out.
    Moved,
}

/// Looks whether the proposal can land and whether this person may decide it, and sets it to `executing` together
/// with the commit that will land. One that cannot land becomes `stale` or `failed` at once.
pub(super) async fn begin(app: &App, permit: &Permit<ProposalId>, loaded: &Loaded) -> Result<Begun, Problem> {
    let (id, person, row) = (loaded.id, permit.person()?, loaded.clone());
    let decider = Asker { person, connection: None, workspace: loaded.workspace };
    let (paths, committer) = app
        .db
        .glance(move |t| {
            Box::pin(async move {
                let paths = countersign_store::proposal::paths(t, id).await?;
                // Asked again in the transaction; who may not decide does not get as far as the lock.
                may_decide(t, &row, decider, &paths).await?;
                Ok::<_, Problem>((paths, crate::person::identity(t, person).await?))
            })
        })
        .await?;
    // A repository that cannot be locked now is refused while nothing is decided.
    let lock = app.git.lock(loaded.repository, Hold::Approval).await.map_err(git_problem)?;
    let at = app.now();
    if at >= loaded.expires_at {
        return Ok(Begun::Moved);
    }
    let fit = body::fit(app, loaded, (committer, at)).await?;
    let record = permit
        .record(Outcome::Done)
        .detail("proposal_id", id.to_string())
        .detail("attempt", loaded.row.attempt + 1);
    let (row, app_in) = (loaded.clone(), app.clone());
    app.faults.at(Point::Begin);
    let (saved, fit) = permit
        .write(app, move |t| {
            Box::pin(async move {
                may_decide(t, &row, decider, &paths).await?;
                let closing =
                    Closing { to: row.state, by: Some(person), reason: None, branch_head: None, at };
                let saved = match &fit {
                    Fit::Commit(commit, _) => {
                        let oid = commit.oid().to_string();
                        let decision = Decision { by: person, at, bytes: commit.bytes(), oid: &oid };
                        start(t, &row, decision, (record, AuditId::new(app_in.uuid()))).await?
                    }
                    Fit::Stale(head) => {
                        let (to, head) = (ProposalState::Stale, head.map(|oid| oid.to_string()));
                        end(t, &app_in, &row, Closing { to, branch_head: head.as_deref(), ..closing }).await?
                    }
                    Fit::Broken(breach) => {
                        let (to, reason) = (ProposalState::Failed, Some(breach.message.as_str()));
                        end(t, &app_in, &row, Closing { to, reason, ..closing }).await?
                    }
                };
                Ok::<_, Problem>((saved, fit))
            })
        })
        .await?;
    match (saved, fit) {
        (Saved::Changed | Saved::Missing, _) => Ok(Begun::Moved),
        (Saved::Done(()), Fit::Commit(_, tree)) => Ok(Begun::Executing(lock, tree)),
        (Saved::Done(()), Fit::Stale(_)) => Ok(Begun::Stale),
        (Saved::Done(()), Fit::Broken(breach)) => Err(breach),
    }
}

/// It can land: row, audit and event say who decided, and which commit will land.
async fn start(
    t: &Tx<'_>,
    row: &Loaded,
    decision: Decision<'_>,
    (record, audit): (Record, AuditId),
) -> Result<Saved, Problem> {
    let saved = countersign_store::proposal::begin(t, row.id, row.row.attempt, decision).await?;
    if saved == Saved::Done(()) {
        record.append(t, audit).await?;
        row.tell(t, "proposal.approved", Actor::Person(decision.by), decision.at).await?;
    }
    Ok(saved)
}

/// It cannot land: it is closed before anything was begun.
async fn end(t: &Tx<'_>, app: &App, row: &Loaded, closing: Closing<'_>) -> Result<Saved, Problem> {
    let saved = countersign_store::proposal::close(t, row.id, row.row.attempt, closing).await?;
    if saved == Saved::Done(()) {
        let kind = format!("proposal.{}", closing.to.as_str());
        let decider = closing.by.map(|person| person.to_string());
        let record = by_server(row, &kind, closing.at).detail("approved_by", decider);
        record.append(t, AuditId::new(app.uuid())).await?;
        row.tell(t, &kind, Actor::Server, closing.at).await?;
    }
    Ok(saved)
}

/// Connection, project and decider as they are now, in the transaction of the decision.
async fn may_decide(t: &Tx<'_>, loaded: &Loaded, decider: Asker, paths: &[String]) -> Result<(), Problem> {
    let connection = countersign_store::connection::find(t, loaded.connection, loaded.workspace)
        .await?
        .ok_or_else(|| Problem::internal("a proposal without its connection"))?;
    if connection.status != "active" {
        return Err(Problem::new(
            Code::ConnectionRevoked,
            "The connection that proposed this is not active.",
        ));
    }
    let owner = countersign_core::id::UserId::parse(&connection.user_id).map_err(Problem::internal)?;
    let agent = Asker { person: owner, connection: Some(loaded.connection), workspace: loaded.workspace };
    let access = access::on_resource(t, agent, loaded.repository).await?;
    let Some(access) = access.filter(|access| access.granted) else {
        return Err(Problem::new(
            Code::NotInProject,
            "The repository is not in a project of that connection now.",
        )
        .next("Add the project to the connection or switch GitNest on, then approve again."));
    };
    let role = effective(access.workspace_role, access.project_role, access.repository_role);
    if role < Some(PROPOSES) || !standing::person(t, (loaded.workspace, owner)).await? {
        return Err(Problem::new(
            Code::OwnerLacksAccess,
            "The person whose agent proposed this may not propose here now.",
        )
        .fact("role", PROPOSES.as_str()));
    }
    let repository = countersign_store::repository::find(t, loaded.repository)
        .await?
        .ok_or_else(|| Problem::not_found("repository"))?;
    if repository.other_decider.is_some() && decider.person == owner {
        return Err(decider::another_person());
    }
    decider::has_role(t, loaded, decider, (&repository, paths)).await
}
