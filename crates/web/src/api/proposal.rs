//! `/api/v1/proposals`: the queue, the frozen facts, the decision.

use axum::Json;
use axum::extract::State;
use countersign_app::proposal;
use countersign_app::proposal::view::{ProposalRow, ProposalView, Reach};
use countersign_core::api::proposal::{Decided, DeclineProposal, ProposalFacts, ProposalItem};
use countersign_core::id::ProposalId;
use countersign_core::problem::Problem;
use countersign_core::proposal::ProposalState;
use schemars::JsonSchema;
use serde::Deserialize;

use super::condition::{IfNoneMatch, Tagged};
use super::listing::{Listed, Paged};
use super::{Answer, ApiProblem, Body, Fields, Ids, change};
use crate::credential::ApiCaller;
use crate::state::Web;

/// Which proposals.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Filter {
    /// Only those that stand here.
    #[schemars(with = "Option<ProposalState>")]
    status: Option<String>,
}

/// Lists what waits, then what was decided last.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Fields(filter): Fields<Filter>,
    paged: Paged,
) -> Listed<ProposalItem> {
    let wanted = filter.status.as_deref().map(state).transpose()?;
    let page = proposal::page(&web.app, &caller, wanted, paged.part.clone()).await?;
    Ok(paged.items(page, item))
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
    known: IfNoneMatch,
) -> Result<Tagged<ProposalFacts>, ApiProblem> {
    let view = proposal::show(&web.app, &caller, id, Reach::Changes).await?;
    Ok(Tagged::new(facts(view), known))
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
