//! `/api/v1/projects/{id}/members`.

use axum::extract::State;
use countersign_app::member::view::MemberView;
use countersign_app::member::{self, NewMember, NewPassword, NewPerson};
use countersign_core::api::project::{AddMember, ChangeMember, MemberItem, SetPassword};
use countersign_core::id::{ProjectId, UserId};
use countersign_core::problem::Problem;

use super::answer::{Created, NoContent};
use super::condition::{Changed, IfMatch, IfNoneMatch, Tagged};
use super::listing::{Listed, Paged};
use super::{ApiProblem, Body, Ids};
use crate::credential::ApiCaller;
use crate::state::Web;

/// Lists the members.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(project): Ids<ProjectId>,
    paged: Paged,
) -> Listed<MemberItem> {
    let page = member::page(&web.app, &caller, project, paged.part.clone()).await?;
    Ok(paged.items(page, item))
}

/// Shows one of them.
pub(crate) async fn show(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((project, user)): Ids<(ProjectId, UserId)>,
    known: IfNoneMatch,
) -> Result<Tagged<MemberItem>, ApiProblem> {
    let member = member::get(&web.app, &caller, project, user).await?;
    Ok(Tagged::new(item(member), known))
}

/// Adds a member; with name and password, a person who is new here.
pub(crate) async fn add(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(project): Ids<ProjectId>,
    Body(body): Body<AddMember>,
) -> Result<Created<MemberItem>, ApiProblem> {
    let person = match (body.name, body.password) {
        (Some(name), Some(password)) => Some(NewPerson { name, password }),
        (None, None) => None,
        (Some(_), None) => return Err(Problem::invalid("password", "a new person needs one").into()),
        (None, Some(_)) => return Err(Problem::invalid("name", "a new person needs one").into()),
    };
    let input = NewMember { project, mail: body.mail, role: body.role, person };
    let member = member::add(&web.app, &caller, input).await?;
    Ok(Created(item(member)))
}

/// Changes a member's role.
pub(crate) async fn set_role(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((project, user)): Ids<(ProjectId, UserId)>,
    looked_at: IfMatch,
    Body(body): Body<ChangeMember>,
) -> Result<Changed<MemberItem>, ApiProblem> {
    let mut expected = None;
    if looked_at.is_given() {
        let present = item(member::get(&web.app, &caller, project, user).await?);
        looked_at.check(&present)?;
        expected = Some(present.role);
    }
    let done = member::set_role_of(&web.app, &caller, (project, user), body.role, expected).await;
    Ok(Changed(item(done.map_err(|problem| looked_at.told(problem))?)))
}

/// Takes a member off the project.
pub(crate) async fn remove(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((project, user)): Ids<(ProjectId, UserId)>,
) -> Result<NoContent, ApiProblem> {
    member::remove(&web.app, &caller, project, user).await?;
    Ok(NoContent)
}

/// Sets the password of a person who lost theirs.
pub(crate) async fn set_password(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((project, user)): Ids<(ProjectId, UserId)>,
    Body(body): Body<SetPassword>,
) -> Result<NoContent, ApiProblem> {
    let input = NewPassword { project, user, password: body.password };
    member::set_password(&web.app, &caller, input).await?;
    Ok(NoContent)
}

fn item(member: MemberView) -> MemberItem {
    MemberItem { user_id: member.user, name: member.name, mail: member.mail, role: member.role }
}
