//! `/approvals/several`: a few proposals read together, and decided one after the other.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use countersign_app::proposal;
use countersign_app::proposal::view::Reach;
use countersign_core::id::ProposalId;
use countersign_core::problem::Problem;

use super::approval::told_by_page;
use super::id;
use crate::answer::{PageProblem, go_to};
use crate::credential::SessionCaller;
use crate::form::SignedForm;
use crate::live::{Snapshot, Watched};
use crate::page::several::page;
use crate::query::Query;
use crate::state::Web;

/// How many are decided together at most: each is read whole on the page.
pub(crate) const MOST: usize = 10;

/// The page of those that the query names.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Query(named): Query<Vec<(String, String)>>,
) -> Result<Response, PageProblem> {
    let ids = ids(named.iter().filter(|(key, _)| key == "id").map(|(_, id)| id.as_str()))?;
    if ids.is_empty() {
        return Ok(go_to("/approvals"));
    }
    let caller = &session.view.caller;
    let mut views = Vec::with_capacity(ids.len());
    for id in ids {
        views.push(proposal::show(&web.app, caller, id, Reach::Changes).await?);
    }
    let snapshot = Snapshot::load(&web, caller, Watched::Count).await?;
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, &views, &snapshot.live(viewer)).into_response())
}

/// Approves them in their order, and shows what became of each.
pub(crate) async fn approve(State(web): State<Web>, form: SignedForm) -> Result<Response, PageProblem> {
    let ids = ids(form.fields.all("id"))?;
    for id in &ids {
        told_by_page(proposal::approve(&web.app, &form.session.view.caller, *id).await)?;
    }
    Ok(go_to(&address(&ids)))
}

/// Declines them with one reason, and shows what became of each.
pub(crate) async fn decline(State(web): State<Web>, form: SignedForm) -> Result<Response, PageProblem> {
    let ids = ids(form.fields.all("id"))?;
    let reason = form.fields.text("reason").replace("\r\n", "\n");
    for id in &ids {
        told_by_page(proposal::decline(&web.app, &form.session.view.caller, *id, reason.clone()).await)?;
    }
    Ok(go_to(&address(&ids)))
}

/// Each id once, in the order in which they are named.
fn ids<'a>(texts: impl Iterator<Item = &'a str>) -> Result<Vec<ProposalId>, Problem> {
    let mut ids = Vec::new();
    for text in texts {
        let id = id(text)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    if ids.len() > MOST {
        return Err(Problem::invalid("id", format!("at most {MOST} proposals"))
            .next("Go back and select fewer; the others wait."));
    }
    Ok(ids)
}

fn address(ids: &[ProposalId]) -> String {
    let query: Vec<String> = ids.iter().map(|id| format!("id={id}")).collect();
    format!("/approvals/several?{}", query.join("&"))
}

#[cfg(test)]
mod tests {
    use countersign_core::problem::Code;

    use super::*;

    const ID: &str = "0190f0f0-0000-7000-8000-00000000000";

    #[test]
    fn each_is_taken_once_and_in_order() {
        let (one, two) = (format!("{ID}1"), format!("{ID}2"));
        let ids = ids([two.as_str(), &one, &two].into_iter()).unwrap();
        assert_eq!(address(&ids), format!("/approvals/several?id={two}&id={one}"));
    }

    #[test]
    fn more_than_a_page_holds_are_refused_and_so_is_what_is_no_id() {
        let many: Vec<String> = (0..=MOST).map(|n| format!("0190f0f0-0000-7000-8000-{n:012}")).collect();
        assert_eq!(ids(many.iter().map(String::as_str)).unwrap_err().code, Code::InvalidArguments);
        assert_eq!(ids(["x"].into_iter()).unwrap_err().code, Code::NotFound);
    }
}
