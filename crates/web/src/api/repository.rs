//! `/api/v1/repositories`.

use std::path::PathBuf;

use axum::Json;
use axum::extract::State;
use countersign_app::repository::{
    self, Change, First, NewRepository, RepositoryLine, RepositoryMemberView, RuleChange,
};
use countersign_core::api::Items;
use countersign_core::api::repository::{
    ChangeRepository, ChangeRepositoryMember, ImportRepository, MakeRepository, RepositoryItem,
    RepositoryMemberItem, RepositorySettings,
};
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::protected::ProtectedPath;
use countersign_core::id::{ResourceId, UserId};
use countersign_core::problem::Problem;
use http::StatusCode;

use super::{Answer, ApiProblem, Body, Ids, items};
use crate::credential::ApiCaller;
use crate::state::Web;

type Made = Result<(StatusCode, Json<RepositoryItem>), ApiProblem>;

/// Lists the repositories that the person sees.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
) -> Answer<Items<RepositoryItem>> {
    Ok(items(repository::list(&web.app, &caller).await?.into_iter().map(item).collect()))
}

/// Makes one, with a first README or empty.
pub(crate) async fn create(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Body(body): Body<MakeRepository>,
) -> Made {
    let first = if body.empty { First::Nothing } else { First::Readme };
    let new = NewRepository { name: body.name, project: body.project_id, first };
    let made = repository::create(&web.app, &caller, new).await?;
    let line = repository::get(&web.app, &caller, made.id).await?;
    Ok((StatusCode::CREATED, Json(item(line))))
}

/// Makes one from a folder on this machine.
pub(crate) async fn import(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Body(body): Body<ImportRepository>,
) -> Made {
    let folder = PathBuf::from(body.folder);
    if !folder.is_absolute() {
        return Err(Problem::invalid("folder", "an absolute path on the server's machine").into());
    }
    let new = NewRepository { name: body.name, project: body.project_id, first: First::Folder(folder) };
    let made = repository::import(&web.app, &caller, new).await?;
    let line = repository::get(&web.app, &caller, made.id).await?;
    Ok((StatusCode::CREATED, Json(item(line))))
}

/// Moves one to another project, or switches GitNest for it.
pub(crate) async fn change(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ResourceId>,
    Body(body): Body<ChangeRepository>,
) -> Answer<RepositoryItem> {
    let rules = RuleChange {
        default_branch: body
            .default_branch
            .as_deref()
            .map(|name| branch("default_branch", name))
            .transpose()?,
        protected_branches: body
            .protected_branches
            .map(|names| {
                names.iter().map(|name| branch("protected_branches", name)).collect::<Result<_, _>>()
            })
            .transpose()?,
        protected_paths: body
            .protected_paths
            .map(|paths| paths.iter().map(|path| protected(path)).collect::<Result<_, _>>())
            .transpose()?,
        other_decider: body.other_decider,
    };
    let change = Change { project: body.project_id, gitnest: body.gitnest, rules, seen: None };
    repository::change(&web.app, &caller, id, change).await?;
    Ok(Json(item(repository::get(&web.app, &caller, id).await?)))
}

fn item(line: RepositoryLine) -> RepositoryItem {
    RepositoryItem {
        id: line.id,
        name: line.name,
        project_id: line.project,
        gitnest: line.gitnest,
        default_branch: line.default_branch,
        clone_url: line.clone_url,
    }
}

/// Who decides and what is protected.
pub(crate) async fn settings(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ResourceId>,
) -> Answer<RepositorySettings> {
    let rules = repository::rules(&web.app, &caller, id).await?;
    Ok(Json(RepositorySettings {
        repository: item(repository::get(&web.app, &caller, id).await?),
        protected_branches: rules.protected_branches,
        protected_paths: rules.protected_paths,
        other_decider: rules.other_decider,
    }))
}

/// Everybody with a role on it.
pub(crate) async fn members(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ResourceId>,
) -> Answer<Items<RepositoryMemberItem>> {
    Ok(items(repository::members(&web.app, &caller, id).await?.into_iter().map(member).collect()))
}

/// Gives somebody a role of their own on it, or takes it away.
pub(crate) async fn set_member(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((id, user)): Ids<(ResourceId, UserId)>,
    Body(body): Body<ChangeRepositoryMember>,
) -> Result<StatusCode, ApiProblem> {
    repository::set_member(&web.app, &caller, (id, user), body.role).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn branch(field: &str, name: &str) -> Result<BranchName, Problem> {
    BranchName::parse(name).map_err(|rule| Problem::invalid(field, rule.to_string()))
}

fn protected(path: &str) -> Result<ProtectedPath, Problem> {
    ProtectedPath::parse(path).map_err(|rule| Problem::invalid("protected_paths", rule.to_string()))
}

fn member(view: RepositoryMemberView) -> RepositoryMemberItem {
    RepositoryMemberItem {
        user_id: view.user,
        name: view.name,
        mail: view.mail,
        project_role: view.project_role,
        repository_role: view.repository_role,
        role: view.role,
    }
}
