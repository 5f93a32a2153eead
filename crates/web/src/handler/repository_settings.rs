//! `/repositories/{id}/settings`: what an owner of a repository rules, and where it leads back to.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use countersign_app::project;
use countersign_app::repository::{self, Change, ManageView, RuleChange, Whom};
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::protected::ProtectedPath;
use countersign_core::id::{ProjectId, ResourceId, UserId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use maud::Markup;
use serde::Deserialize;

use super::id;
use crate::answer::{PageProblem, go_to, status_and_log};
use crate::credential::SessionCaller;
use crate::form::{Fields, SignedForm};
use crate::live::{Snapshot, Watched};
use crate::page::repository::settings::{Ruled, Saved, Settings, page};
use crate::part::wrong::concerns;
use crate::query::Query;
use crate::state::Web;

/// What was done before the page came back.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    saved: String,
}

/// The page.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Path(text): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Markup, PageProblem> {
    let view = repository::manage(&web.app, &session.view.caller, id(&text)?).await?;
    let ruled = Ruled::of(&view);
    whole(&web, &session, (&view, &ruled), (Saved::parse(&asked.saved), None)).await
}

/// Saves the first form.
pub(crate) async fn save(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let (id, caller) = (id(&text)?, &form.session.view.caller);
    let view = repository::manage(&web.app, caller, id).await?;
    let ruled = sent(&form.fields);
    let changed = match change(&view, &ruled, form.fields.text("seen")) {
        Ok(change) => repository::change(&web.app, caller, id, change).await,
        Err(problem) => Err(problem),
    };
    match changed {
        Ok(()) => Ok(go_to(&format!("/repositories/{id}/settings?saved={}", Saved::Settings.word()))),
        Err(problem) => refuse(&web, &form.session, id, (Some(ruled), problem)).await,
    }
}

/// Moves it to another project.
pub(crate) async fn relocate(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let id = id(&text)?;
    let moved = match form.fields.read("project", |text| ProjectId::parse(text).ok()) {
        Ok(project) => {
            let change = Change { project: Some(project), ..Change::default() };
            repository::change(&web.app, &form.session.view.caller, id, change).await
        }
        Err(problem) => Err(problem),
    };
    match moved {
        Ok(()) => Ok(back(&web, &form.session, id, Saved::Project).await),
        Err(problem) => refuse(&web, &form.session, id, (None, problem)).await,
    }
}

/// Gives somebody of the list, or whose mail address was typed, a role of their own, or takes it away.
pub(crate) async fn set_member(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let id = id(&text)?;
    let read = |fields: &Fields| {
        let whom = match fields.text("mail") {
            "" => Whom::Id(fields.read("user", |text| UserId::parse(text).ok())?),
            mail => Whom::Mail(mail.to_owned()),
        };
        let role = fields.read("role", |text| match text {
            "" => Some(None),
            word => MemberRole::parse(word).map(Some),
        })?;
        Ok((whom, role))
    };
    let saved = match read(&form.fields) {
        Ok((whom, role)) => {
            repository::set_member(&web.app, &form.session.view.caller, (id, whom), role).await
        }
        Err(problem) => Err(problem),
    };
    match saved {
        Ok(()) => Ok(back(&web, &form.session, id, Saved::Role).await),
        Err(problem) => refuse(&web, &form.session, id, (None, problem)).await,
    }
}

/// Back to the page; or to the list, for who has no longer the role to see it.
async fn back(web: &Web, session: &SessionCaller, id: ResourceId, saved: Saved) -> Response {
    match repository::manage(&web.app, &session.view.caller, id).await {
        Ok(_) => go_to(&format!("/repositories/{id}/settings?saved={}", saved.word())),
        Err(_) => go_to("/repositories"),
    }
}

/// The page once more, with what was wrong: what was typed stays, unless others changed it meanwhile.
async fn refuse(
    web: &Web,
    session: &SessionCaller,
    id: ResourceId,
    (typed, problem): (Option<Ruled>, Problem),
) -> Result<Response, PageProblem> {
    let Ok(view) = repository::manage(&web.app, &session.view.caller, id).await else {
        // Who may not see the page is told why the form was refused.
        return Err(problem.into());
    };
    let problem = in_words_of_the_form(problem);
    let kept = typed.filter(|_| problem.code != Code::VersionConflict);
    let ruled = kept.unwrap_or_else(|| Ruled::of(&view));
    let status = status_and_log(&problem);
    Ok((status, whole(web, session, (&view, &ruled), (None, Some(&problem))).await?).into_response())
}

/// Names the field that a refusal concerns.
fn in_words_of_the_form(problem: Problem) -> Problem {
    if problem.code == Code::BranchNotFound { concerns(problem, "default_branch") } else { problem }
}

async fn whole(
    web: &Web,
    session: &SessionCaller,
    (view, ruled): (&ManageView, &Ruled),
    (saved, problem): (Option<Saved>, Option<&Problem>),
) -> Result<Markup, PageProblem> {
    let (caller, viewer) = (&session.view.caller, &session.view.viewer);
    let members = repository::members(&web.app, caller, view.heading.id).await?;
    let projects = project::all(&web.app, caller).await?;
    let snapshot = Snapshot::load(web, caller, Watched::Count).await?;
    let settings = Settings { view, projects: &projects, members: &members, ruled, saved, problem };
    Ok(page(&snapshot.scene(viewer, web.app.now()), &settings, &snapshot.live(viewer)))
}

fn sent(fields: &Fields) -> Ruled {
    let text = |name: &str| fields.text(name).to_owned();
    let on = |name: &str| fields.text(name) == "on";
    Ruled {
        gitnest: on("gitnest"),
        default_branch: text("default_branch"),
        protected_branches: text("protected_branches"),
        protected_paths: text("protected_paths"),
        other_decider: on("other_decider"),
    }
}

/// What differs from what stands there; `seen` is the mark of what the person looked at.
fn change(view: &ManageView, sent: &Ruled, seen: &str) -> Result<Change, Problem> {
    let rules = &view.rules;
    let (branches, paths) = (lines(&sent.protected_branches), lines(&sent.protected_paths));
    let other = sent.default_branch != rules.default_branch;
    Ok(Change {
        project: None,
        gitnest: (sent.gitnest != view.heading.gitnest).then_some(sent.gitnest),
        rules: RuleChange {
            default_branch: other.then(|| branch("default_branch", &sent.default_branch)).transpose()?,
            protected_branches: (branches != rules.protected_branches)
                .then(|| branches.iter().map(|name| branch("protected_branches", name)).collect())
                .transpose()?,
            protected_paths: (paths != rules.protected_paths)
                .then(|| paths.iter().map(|path| protected(path)).collect())
                .transpose()?,
            other_decider: (sent.other_decider != rules.other_decider).then_some(sent.other_decider),
        },
        seen: Some(seen.to_owned()),
    })
}

/// The lines that hold something.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn branch(field: &str, name: &str) -> Result<BranchName, Problem> {
    BranchName::parse(name).map_err(|rule| Problem::invalid(field, format!("“{name}”: {rule}")))
}

fn protected(path: &str) -> Result<ProtectedPath, Problem> {
    ProtectedPath::parse(path)
        .map_err(|rule| Problem::invalid("protected_paths", format!("“{path}”: {rule}")))
}
