//! `/people`: the people of the workspace, for its owners.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use countersign_app::invitation::{self, NewInvitation};
use countersign_app::session::require_sudo;
use countersign_app::{project, workspace};
use countersign_core::id::ProjectId;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::{MemberRole, WorkspaceRole};

use super::id;
use crate::answer::{PageProblem, go_to, no_page, status_and_log};
use crate::credential::SessionCaller;
use crate::form::{Fields, SignedForm};
use crate::live::{Shown, Snapshot, Watched};
use crate::page::people::{People, Typed, page};
use crate::page::settings::Sudo;
use crate::query::{Asked, Query};
use crate::state::Web;

/// The page.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Query(asked): Query<Asked>,
) -> Result<Response, PageProblem> {
    whole(&web, &session, Said { asked: &asked.q, ..Said::default() }).await.map_err(PageProblem)
}

/// Makes an invitation, and shows its link in the answer and nowhere else.
pub(crate) async fn invite(State(web): State<Web>, form: SignedForm) -> Result<Response, PageProblem> {
    let (session, typed) = (&form.session, typed(&form.fields));
    let made = match wish(&typed) {
        Ok(new) => invitation::create(&web.app, &session.view.caller, new).await,
        Err(problem) => Err(problem),
    };
    match made {
        Ok(made) => Ok(whole(&web, session, Said { link: Some(&made.link), ..Said::default() }).await?),
        Err(problem) if problem.code == Code::SudoRequired => Ok(go_to("/sudo?to=/people")),
        Err(problem) => {
            let said = Said { typed: Some(&typed), problem: Some(&problem), ..Said::default() };
            // Who may not see the page is told the refusal alone.
            match whole(&web, session, said).await {
                Ok(page) => Ok((status_and_log(&problem), page).into_response()),
                Err(_) => Err(problem.into()),
            }
        }
    }
}

/// Takes an invitation back.
pub(crate) async fn withdraw(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    invitation::withdraw(&web.app, &form.session.view.caller, id(&text)?).await?;
    Ok(go_to("/people"))
}

fn typed(fields: &Fields) -> Typed {
    let text = |name| fields.text(name).to_owned();
    Typed {
        mail: text("mail"),
        role: text("role"),
        project: text("project"),
        project_role: text("project_role"),
    }
}

fn wish(typed: &Typed) -> Result<NewInvitation, Problem> {
    let offered = |field| move || Problem::invalid(field, "one of the offered values");
    let role = WorkspaceRole::parse(&typed.role).ok_or_else(offered("role"))?;
    let project = if typed.project.is_empty() {
        None
    } else {
        let id = ProjectId::parse(&typed.project).map_err(|_| offered("project")())?;
        Some((id, MemberRole::parse(&typed.project_role).ok_or_else(offered("project_role"))?))
    };
    Ok(NewInvitation { mail: typed.mail.clone(), role, project })
}

/// Makes somebody an owner, or a member again.
pub(crate) async fn set_role(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let role = form.fields.read("role", WorkspaceRole::parse)?;
    let done = workspace::set_role(&web.app, &form.session.view.caller, id(&text)?, role).await;
    back(&web, &form.session, done).await
}

/// Shuts somebody out.
pub(crate) async fn disable(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let done = workspace::disable(&web.app, &form.session.view.caller, id(&text)?).await;
    back(&web, &form.session, done).await
}

/// Lets somebody in again.
pub(crate) async fn enable(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let done = workspace::enable(&web.app, &form.session.view.caller, id(&text)?).await;
    back(&web, &form.session, done).await
}

/// To the page again; first to the question who one is, where that is asked; with what was refused on top.
async fn back(
    web: &Web,
    session: &SessionCaller,
    done: Result<(), Problem>,
) -> Result<Response, PageProblem> {
    match done {
        Ok(()) => Ok(go_to("/people")),
        Err(problem) if problem.code == Code::SudoRequired => Ok(go_to("/sudo?to=/people")),
        Err(problem) if problem.code == Code::LastOwner => {
            let page = whole(web, session, Said { problem: Some(&problem), ..Said::default() }).await?;
            Ok((status_and_log(&problem), page).into_response())
        }
        Err(problem) => Err(problem.into()),
    }
}

/// What the page is told beside what stands in the store.
#[derive(Clone, Copy, Debug, Default)]
struct Said<'a> {
    asked: &'a str,
    link: Option<&'a str>,
    typed: Option<&'a Typed>,
    problem: Option<&'a Problem>,
}

async fn whole(web: &Web, session: &SessionCaller, said: Said<'_>) -> Result<Response, Problem> {
    let (caller, viewer) = (&session.view.caller, &session.view.viewer);
    let snapshot = Snapshot::load(web, caller, Watched::People).await?;
    let Shown::People(people, invitations) = &snapshot.shown else { return Err(no_page()) };
    let projects = project::all(&web.app, caller).await?;
    let now = web.app.now();
    let sudo = if require_sudo(caller, now).is_ok() { Sudo::Open } else { Sudo::Closed };
    let nothing = Typed::default();
    let view = People {
        people,
        asked: said.asked,
        invitations,
        projects: &projects,
        sudo,
        link: said.link,
        typed: said.typed.unwrap_or(&nothing),
        problem: said.problem,
    };
    let live = if said.asked.is_empty() { snapshot.live(viewer) } else { snapshot.live_count(viewer) };
    Ok(page(&snapshot.scene(viewer, now), &view, &live).into_response())
}
