//! `/projects/{id}`: one project and its members.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use countersign_app::member::{self, NewMember, NewPerson};
use countersign_core::id::{ProjectId, UserId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;

use super::id;
use crate::answer::{PageProblem, go_to, no_page, status_and_log};
use crate::credential::SessionCaller;
use crate::form::{Fields, SignedForm};
use crate::live::{Shown, Snapshot, Watched};
use crate::page::project::{Typed, page};
use crate::query::{Asked, Query};
use crate::state::Web;

/// The page.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Path(text): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, PageProblem> {
    whole(&web, &session, id(&text)?, &asked.q, (&Typed::default(), None)).await.map_err(PageProblem)
}

/// Adds a member, with an account where one is wished.
pub(crate) async fn add(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let project = id(&text)?;
    let added = match wish(project, &form.fields) {
        Ok(new) => member::add(&web.app, &form.session.view.caller, new).await.map(|_| ()),
        Err(problem) => Err(problem),
    };
    let text = |name| form.fields.text(name).to_owned();
    let typed = Typed { mail: text("mail"), role: text("role"), name: text("name") };
    back(&web, &form.session, project, (typed, added)).await
}

/// Gives a member another role.
pub(crate) async fn set_role(
    State(web): State<Web>,
    Path((text, user)): Path<(String, String)>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let (project, user): (ProjectId, UserId) = (id(&text)?, id(&user)?);
    let role = form.fields.read("role", MemberRole::parse)?;
    let done = member::set_role_of(&web.app, &form.session.view.caller, (project, user), role, None).await;
    back(&web, &form.session, project, (Typed::default(), done.map(|_| ()))).await
}

/// Takes a member off it.
pub(crate) async fn remove(
    State(web): State<Web>,
    Path((text, user)): Path<(String, String)>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let (project, user): (ProjectId, UserId) = (id(&text)?, id(&user)?);
    let done = member::remove(&web.app, &form.session.view.caller, project, user).await;
    back(&web, &form.session, project, (Typed::default(), done)).await
}

fn wish(project: ProjectId, fields: &Fields) -> Result<NewMember, Problem> {
    let (name, password) = (fields.text("name").to_owned(), fields.text("password").to_owned());
    let person = (!name.is_empty() || !password.is_empty()).then_some(NewPerson { name, password });
    let role = fields.read("role", MemberRole::parse)?;
    Ok(NewMember { project, mail: fields.text("mail").to_owned(), role, person })
}

/// To the page again: first to the question who one is, where that is asked; with what was refused on top, as far as
/// the page is the caller's to see.
async fn back(
    web: &Web,
    session: &SessionCaller,
    project: ProjectId,
    (typed, done): (Typed, Result<(), Problem>),
) -> Result<Response, PageProblem> {
    match done {
        // Who took themselves off a project sees it no more.
        Ok(()) => match whole(web, session, project, "", (&typed, None)).await {
            Ok(_) => Ok(go_to(&format!("/projects/{project}"))),
            Err(_) => Ok(go_to("/projects")),
        },
        Err(problem) if problem.code == Code::SudoRequired => {
            Ok(go_to(&format!("/sudo?to=/projects/{project}")))
        }
        Err(problem) => match whole(web, session, project, "", (&typed, Some(&problem))).await {
            Ok(page) => Ok((status_and_log(&problem), page).into_response()),
            Err(_) => Err(problem.into()),
        },
    }
}

async fn whole(
    web: &Web,
    session: &SessionCaller,
    project: ProjectId,
    asked: &str,
    said: (&Typed, Option<&Problem>),
) -> Result<Response, Problem> {
    let snapshot = Snapshot::load(web, &session.view.caller, Watched::Project(project)).await?;
    let Shown::Project(view) = &snapshot.shown else { return Err(no_page()) };
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    let live = if asked.is_empty() { snapshot.live(viewer) } else { snapshot.live_count(viewer) };
    Ok(page(&scene, view, said, asked, &live).into_response())
}
