//! `/projects`: the list, and a new one.

use std::collections::HashMap;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use countersign_app::project::{self, NewProject};
use countersign_app::repository;
use countersign_core::problem::{Code, Problem};

use crate::answer::{PageProblem, go_to, status_and_log};
use crate::credential::SessionCaller;
use crate::form::SignedForm;
use crate::live::{Snapshot, Watched};
use crate::page::projects::{Row, page};
use crate::part::wrong::concerns;
use crate::query::{Asked, Query};
use crate::state::Web;

/// The page.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Query(asked): Query<Asked>,
) -> Result<Response, PageProblem> {
    whole(&web, &session, &asked.q, None).await.map_err(PageProblem)
}

/// Makes a project and leads to it.
pub(crate) async fn create(State(web): State<Web>, form: SignedForm) -> Result<Response, PageProblem> {
    let name = form.fields.text("name");
    let made =
        project::create(&web.app, &form.session.view.caller, NewProject { name: name.to_owned() }).await;
    match made {
        Ok(made) => Ok(go_to(&format!("/projects/{}", made.id))),
        Err(problem) if matches!(problem.code, Code::NameTaken | Code::InvalidArguments) => {
            let status = status_and_log(&problem);
            let problem = if problem.code == Code::NameTaken { concerns(problem, "name") } else { problem };
            Ok((status, whole(&web, &form.session, "", Some((name, &problem))).await?).into_response())
        }
        Err(problem) => Err(problem.into()),
    }
}

async fn whole(
    web: &Web,
    session: &SessionCaller,
    asked: &str,
    wrong: Option<(&str, &Problem)>,
) -> Result<Response, Problem> {
    let (caller, viewer) = (&session.view.caller, &session.view.viewer);
    let mut counts = HashMap::new();
    for line in repository::list(&web.app, caller).await? {
        *counts.entry(line.project).or_default() += 1;
    }
    let projects = project::all(&web.app, caller).await?.into_iter();
    let rows: Vec<Row> = projects
        .map(|project| Row { repositories: counts.get(&project.id).copied().unwrap_or_default(), project })
        .collect();
    let snapshot = Snapshot::load(web, caller, Watched::Count).await?;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, (&rows, asked), wrong, &snapshot.live(viewer)).into_response())
}
