//! `/repositories/new`: one with a README, or empty.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use countersign_app::project;
use countersign_app::repository::{self, First, NewRepository};
use countersign_core::id::ProjectId;
use countersign_core::problem::{Code, Problem};
use maud::Markup;

use crate::answer::{PageProblem, go_to, status_and_log};
use crate::credential::SessionCaller;
use crate::form::{Fields, SignedForm};
use crate::live::{Snapshot, Watched};
use crate::page::new_repository::{Source, Typed, page};
use crate::part::wrong::concerns;
use crate::state::Web;

/// Both forms, for whoever may send them.
pub(crate) async fn show(State(web): State<Web>, session: SessionCaller) -> Result<Markup, PageProblem> {
    forms(&web, &session, None).await
}

/// Makes one, with a first README or empty.
pub(crate) async fn create(State(web): State<Web>, form: SignedForm) -> Result<Response, PageProblem> {
    let caller = &form.session.view.caller;
    let made = match project(&form.fields) {
        Ok(project) => {
            let new = NewRepository { name: name(&form.fields), project, first: first(&form.fields) };
            repository::create(&web.app, caller, new).await
        }
        Err(problem) => Err(problem),
    };
    match made {
        Ok(made) => Ok(go_to(&format!("/repositories/{}", made.id))),
        Err(problem) => again(&web, &form, Source::Here, problem).await,
    }
}

/// A form without the field is an older page: it had promised a README.
fn first(fields: &Fields) -> First {
    if fields.text("first") == "nothing" { First::Nothing } else { First::Readme }
}

/// The project that was chosen.
pub(super) fn project(fields: &Fields) -> Result<ProjectId, Problem> {
    fields.read("project", |text| ProjectId::parse(text).ok())
}

/// The name that was typed.
pub(super) fn name(fields: &Fields) -> String {
    fields.text("name").trim().to_owned()
}

/// The page once more, with what was typed and what was wrong with it.
pub(super) async fn again(
    web: &Web,
    form: &SignedForm,
    source: Source,
    problem: Problem,
) -> Result<Response, PageProblem> {
    let problem = in_words_of_the_form(problem);
    let status = status_and_log(&problem);
    let text = |name: &str| form.fields.text(name).to_owned();
    let typed = Typed {
        source,
        name: text("name"),
        project: text("project"),
        url: text("url"),
        first: text("first"),
        problem,
    };
    Ok((status, forms(web, &form.session, Some(&typed)).await?).into_response())
}

/// Names the field that a refusal concerns.
fn in_words_of_the_form(problem: Problem) -> Problem {
    if problem.code == Code::NameTaken {
        return concerns(problem, "name");
    }
    if problem.code == Code::NotFound {
        return concerns(problem, "project");
    }
    problem
}

async fn forms(web: &Web, session: &SessionCaller, typed: Option<&Typed>) -> Result<Markup, PageProblem> {
    let caller = &session.view.caller;
    // Who may not see the imports makes no repository either: both take an owner of the workspace.
    repository::import::imports(&web.app, caller).await?;
    let projects = project::all(&web.app, caller).await?;
    let snapshot = Snapshot::load(web, caller, Watched::Count).await?;
    let viewer = &session.view.viewer;
    Ok(page(&snapshot.scene(viewer, web.app.now()), &projects, typed, &snapshot.live(viewer)))
}
