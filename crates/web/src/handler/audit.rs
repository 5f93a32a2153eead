//! `/audit`: the log, its verification and its export, for owners of the workspace.

use axum::extract::State;
use axum::response::Response;
use countersign_app::audit::view::Progress;
use countersign_app::audit::{self, Ask, Listing};
use countersign_core::audit::Head;
use countersign_core::problem::{Code, Problem};
use maud::Markup;

use crate::answer::PageProblem;
use crate::credential::SessionCaller;
use crate::export;
use crate::form::SignedForm;
use crate::live::{Snapshot, Watched};
use crate::page::audit::{Around, page};
use crate::query::Query;
use crate::query::audit::Asked;
use crate::state::Web;

/// The page. A filter that is not understood is told above it, and everything is shown.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Query(asked): Query<Asked>,
) -> Result<Markup, PageProblem> {
    render(&web, &session, &asked, None).await
}

/// Verifies for about two seconds, and shows the verdict above the log.
pub(crate) async fn verify(State(web): State<Web>, form: SignedForm) -> Result<Markup, PageProblem> {
    let after = match form.fields.text("after") {
        "" => None,
        text => Some(Head::parse(text).ok_or_else(|| Problem::invalid("after", "`NUMBER:DIGEST`"))?),
    };
    let ask = Ask { after, expected: None };
    let progress = audit::verify(&web.app, &form.session.view.caller, ask).await?;
    render(&web, &form.session, &Asked::default(), Some(&progress)).await
}

/// All that the filter lets through, as a file.
pub(crate) async fn export(
    State(web): State<Web>,
    session: SessionCaller,
    Query(asked): Query<Asked>,
    Query(how): Query<export::Asked>,
) -> Result<Response, PageProblem> {
    let form = how.form()?;
    Ok(export::answer(audit::export(&web.app, &session.view.caller, asked.filter()?).await?, form))
}

async fn render(
    web: &Web,
    session: &SessionCaller,
    asked: &Asked,
    verified: Option<&Progress>,
) -> Result<Markup, PageProblem> {
    let caller = &session.view.caller;
    let (listing, problem) = match asked.listing() {
        Ok(listing) => (listing, None),
        Err(problem) if problem.code == Code::InvalidArguments => (Listing::default(), Some(problem)),
        Err(problem) => return Err(problem.into()),
    };
    let view = audit::show(&web.app, caller, listing).await?;
    let snapshot = Snapshot::load(web, caller, Watched::Count).await?;
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    let (address, export) = match &problem {
        None => (asked.address("/audit"), asked.address("/audit/export")),
        Some(_) => ("/audit".to_owned(), "/audit/export".to_owned()),
    };
    let around = Around {
        address: &address,
        export: &export,
        days: asked.days(),
        verified,
        problem: problem.as_ref(),
    };
    Ok(page(&scene, &view, &around, &snapshot.live(viewer)))
}
