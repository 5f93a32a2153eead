//! `/api/v1/projects/{id}/members`.

use axum::Json;
use axum::extract::State;
use countersign_app::member::view::MemberView;
use countersign_app::member::{self, NewMember, NewPassword, NewPerson};
use countersign_core::api::Items;
use countersign_core::api::project::{AddMember, ChangeMember, MemberItem, SetPassword};
use countersign_core::id::{ProjectId, UserId};
use countersign_core::problem::Problem;
use http::StatusCode;

use super::{Answer, ApiProblem, Body, Ids, items};
use crate::credential::ApiCaller;
use crate::state::Web;

/// Lists the members.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(project): Ids<ProjectId>,
) -> Answer<Items<MemberItem>> {
    Ok(items(member::list(&web.app, &caller, project).await?.into_iter().map(item).collect()))
}

/// Adds a member; with name and password, a person who is new here.
pub(crate) async fn add(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(project): Ids<ProjectId>,
    Body(body): Body<AddMember>,
) -> Result<(StatusCode, Json<MemberItem>), ApiProblem> {
    let person = match (body.name, body.password) {
        (Some(name), Some(password)) => Some(NewPerson { name, password }),
        (None, None) => None,
        (Some(_), None) => return Err(Problem::invalid("password", "a new person needs one").into()),
        (None, Some(_)) => return Err(Problem::invalid("name", "a new person needs one").into()),
    };
    let input = NewMember { project, mail: body.mail, role: body.role, person };
    let member = member::add(&web.app, &caller, input).await?;
    Ok((StatusCode::CREATED, Json(item(member))))
}

/// Changes a member's role.
pub(crate) async fn set_role(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((project, user)): Ids<(ProjectId, UserId)>,
    Body(body): Body<ChangeMember>,
) -> Answer<MemberItem> {
    let member = member::set_role_of(&web.app, &caller, project, user, body.role).await?;
    Ok(Json(item(member)))
}

/// Takes a member off the project.
pub(crate) async fn remove(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((project, user)): Ids<(ProjectId, UserId)>,
) -> Result<StatusCode, ApiProblem> {
    member::remove(&web.app, &caller, project, user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sets the password of a person who lost theirs.
pub(crate) async fn set_password(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((project, user)): Ids<(ProjectId, UserId)>,
    Body(body): Body<SetPassword>,
) -> Result<StatusCode, ApiProblem> {
    let input = NewPassword { project, user, password: body.password };
    member::set_password(&web.app, &caller, input).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn item(member: MemberView) -> MemberItem {
    MemberItem { user_id: member.user, name: member.name, mail: member.mail, role: member.role }
}
