//! `/approvals/{id}`: one proposal, and the decision.

use axum::extract::{Path, State};
use axum::response::Response;
use countersign_app::proposal;
use countersign_core::id::ProposalId;
use countersign_core::problem::{Code, Problem};
use maud::Markup;

use super::{Look, id};
use crate::answer::{PageProblem, go_to, no_page};
use crate::credential::SessionCaller;
use crate::form::SignedForm;
use crate::live::{Shown, Snapshot, Watched};
use crate::page::approval::page;
use crate::query::Query;
use crate::state::Web;

/// The page.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Path(text): Path<String>,
    Query(look): Query<Look>,
) -> Result<Markup, PageProblem> {
    let watched = Watched::Approval(id(&text)?, look.reach());
    let snapshot = Snapshot::load(&web, &session.view.caller, watched).await?;
    let Shown::Approval(view) = &snapshot.shown else { return Err(no_page().into()) };
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, view, (look.layout(), look.reach()), &snapshot.live(viewer)))
}

/// Approves it, and shows what became of it.
pub(crate) async fn approve(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let id: ProposalId = id(&text)?;
    told_by_page(proposal::approve(&web.app, &form.session.view.caller, id).await)?;
    Ok(go_to(&format!("/approvals/{id}")))
}

/// Declines it, and shows it declined.
pub(crate) async fn decline(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let (id, reason): (ProposalId, _) = (id(&text)?, form.fields.text("reason").replace("\r\n", "\n"));
    told_by_page(proposal::decline(&web.app, &form.session.view.caller, id, reason).await)?;
    Ok(go_to(&format!("/approvals/{id}")))
}

/// A refusal because of where the proposal stands is what its page shows anyway, with more beside it.
pub(super) fn told_by_page<T>(result: Result<T, Problem>) -> Result<(), Problem> {
    let Err(problem) = result else { return Ok(()) };
    let told = [
        Code::ProposalStale,
        Code::ProposalDeclined,
        Code::ProposalExpired,
        Code::ProposalWithdrawn,
        Code::ConnectionRevoked,
        Code::ProposalNotPending,
        Code::ProposalFailed,
        Code::ProposalInvalid,
    ];
    if told.contains(&problem.code) { Ok(()) } else { Err(problem) }
}
