//! `/api/v1/proposals`: the queue, the frozen facts, the decision.

use axum::Json;
use axum::extract::State;
use countersign_app::proposal;
use countersign_app::proposal::view::{ProposalRow, ProposalView, Reach};
use countersign_core::api::Items;
use countersign_core::api::proposal::{Decided, DeclineProposal, ProposalFacts, ProposalItem};
use countersign_core::id::ProposalId;
use countersign_core::problem::Problem;
use countersign_core::proposal::ProposalState;
use serde::Deserialize;

use super::{Answer, ApiProblem, Body, Fields, Ids, change, items};
use crate::credential::ApiCaller;
use crate::state::Web;

/// Which proposals.
#[derive(Debug, Deserialize)]
pub(crate) struct Filter {
    /// Only those that stand here.
    status: Option<String>,
}

/// Lists what waits, then what was decided last.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Fields(filter): Fields<Filter>,
) -> Answer<Items<ProposalItem>> {
    let wanted = filter.status.as_deref().map(state).transpose()?;
    let queue = proposal::queue(&web.app, &caller).await?;
    let rows = queue.waiting.into_iter().chain(queue.decided);
    Ok(items(rows.filter(|row| wanted.is_none_or(|state| row.state == state)).map(item).collect()))
}

fn state(word: &str) -> Result<ProposalState, ApiProblem> {
    let known = ProposalState::ALL.map(ProposalState::as_str).join(", ");
    ProposalState::parse(word).ok_or_else(|| Problem::invalid("status", format!("one of {known}")).into())
}

/// Shows one with all its frozen facts.
pub(crate) async fn show(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ProposalId>,
) -> Answer<ProposalFacts> {
    Ok(Json(facts(proposal::show(&web.app, &caller, id, Reach::Changes).await?)))
}

/// Approves it.
pub(crate) async fn approve(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ProposalId>,
) -> Answer<Decided> {
    let done = proposal::approve(&web.app, &caller, id).await?;
    Ok(Json(Decided {
        proposal_id: done.proposal_id,
        status: done.status,
        commit: done.commit,
        replayed: done.replayed,
    }))
}

/// Declines it.
pub(crate) async fn decline(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ProposalId>,
    Body(body): Body<DeclineProposal>,
) -> Answer<Decided> {
    let done = proposal::decline(&web.app, &caller, id, body.reason).await?;
    Ok(Json(Decided {
        proposal_id: done.proposal_id,
        status: done.status,
        commit: None,
        replayed: done.replayed,
    }))
}

fn item(row: ProposalRow) -> ProposalItem {
    ProposalItem {
        id: row.id,
        title: row.title,
        status: row.state,
        repository: row.repository,
        branch: row.branch,
        agent: row.agent,
        owner: row.owner,
        files: row.files,
        created_at: row.created_at,
        expires_at: row.expires_at,
        decided_at: row.ended_at,
        may_decide: row.may_decide,
    }
}

fn facts(view: ProposalView) -> ProposalFacts {
    let executed = view.row.state == ProposalState::Executed;
    let (decided_by, reason) = view.decision.map_or((None, None), |decision| (decision.by, decision.reason));
    ProposalFacts {
        item: item(view.row),
        repository_id: view.repository_id,
        connection_id: view.connection,
        message: view.message,
        author: view.author,
        base_oid: view.base_oid,
        changes: view.files.iter().map(change::of).collect(),
        unreadable: view.unreadable,
        needs: view.needs,
        decided_by,
        reason,
        commit: view.commit_oid.filter(|_| executed),
        branch_head: view.moved.map(|moved| moved.head_oid),
    }
}
