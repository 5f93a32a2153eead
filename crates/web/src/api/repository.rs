//! `/api/v1/repositories`.

use std::path::PathBuf;

use axum::extract::State;
use countersign_app::repository::{
    self, Change, First, NewRepository, RepositoryLine, RepositoryMemberView, RuleChange,
};
use countersign_core::api::repository::{
    ChangeRepository, ChangeRepositoryMember, ImportRepository, MakeRepository, RepositoryItem,
    RepositoryMemberItem, RepositorySettings,
};
use countersign_core::caller::Caller;
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::protected::ProtectedPath;
use countersign_core::id::{ResourceId, UserId};
use countersign_core::problem::Problem;

use super::answer::{Created, NoContent};
use super::condition::{Changed, IfMatch, IfNoneMatch, Tagged};
use super::listing::{Listed, Paged};
use super::{ApiProblem, Body, Ids};
use crate::credential::ApiCaller;
use crate::state::Web;

type Made = Result<Created<RepositoryItem>, ApiProblem>;

/// Lists the repositories that the person sees.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    paged: Paged,
) -> Listed<RepositoryItem> {
    let page = repository::page(&web.app, &caller, paged.part.clone()).await?;
    Ok(paged.items(page, item))
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
    Ok(Created(item(line)))
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
    Ok(Created(item(line)))
}

/// Moves one to another project, or switches GitNest for it.
pub(crate) async fn change(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ResourceId>,
    looked_at: IfMatch,
    Body(body): Body<ChangeRepository>,
) -> Result<Changed<RepositorySettings>, ApiProblem> {
    let seen = if looked_at.is_given() {
        let (present, mark) = standing(&web, &caller, id).await?;
        looked_at.check(&present)?;
        Some(mark)
    } else {
        None
    };
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
    let change = Change { project: body.project_id, gitnest: body.gitnest, rules, seen };
    let done = repository::change(&web.app, &caller, id, change).await;
    done.map_err(|problem| looked_at.told(problem))?;
    Ok(Changed(standing(&web, &caller, id).await?.0))
}

/// The settings as they stand, and their mark. The mark is read first: who changes by it changes nothing that came
/// after it.
async fn standing(
    web: &Web,
    caller: &Caller,
    id: ResourceId,
) -> Result<(RepositorySettings, String), Problem> {
    let rules = repository::rules(&web.app, caller, id).await?;
    let settings = RepositorySettings {
        repository: item(repository::get(&web.app, caller, id).await?),
        protected_branches: rules.protected_branches,
        protected_paths: rules.protected_paths,
        other_decider: rules.other_decider,
    };
    Ok((settings, rules.mark))
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
    known: IfNoneMatch,
) -> Result<Tagged<RepositorySettings>, ApiProblem> {
    Ok(Tagged::new(standing(&web, &caller, id).await?.0, known))
}

/// The same under the repository's own address, at which it is changed.
pub(crate) async fn show(
    web: State<Web>,
    caller: ApiCaller,
    id: Ids<ResourceId>,
    known: IfNoneMatch,
) -> Result<Tagged<RepositorySettings>, ApiProblem> {
    settings(web, caller, id, known).await
}

/// Everybody with a role on it.
pub(crate) async fn members(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ResourceId>,
    paged: Paged,
) -> Listed<RepositoryMemberItem> {
    let page = repository::page_of_members(&web.app, &caller, id, paged.part.clone()).await?;
    Ok(paged.items(page, member))
}

/// Gives somebody a role of their own on it, or takes it away.
pub(crate) async fn set_member(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((id, user)): Ids<(ResourceId, UserId)>,
    Body(body): Body<ChangeRepositoryMember>,
) -> Result<NoContent, ApiProblem> {
    repository::set_member(&web.app, &caller, (id, user), body.role).await?;
    Ok(NoContent)
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
