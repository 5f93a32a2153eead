//! `/api/v1/people`: who is in the workspace; for its owners, and to change anything with a token that may decide.

use axum::Json;
use axum::extract::State;
use countersign_app::workspace;
use countersign_app::workspace::view::PersonView;
use countersign_core::api::person::{ChangePerson, PersonItem};
use countersign_core::id::UserId;

use super::answer::NoContent;
use super::listing::{Listed, Paged};
use super::{Answer, ApiProblem, Body, Ids};
use crate::credential::ApiCaller;
use crate::state::Web;

/// Lists them.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    paged: Paged,
) -> Listed<PersonItem> {
    let page = workspace::page_of_people(&web.app, &caller, paged.part.clone()).await?;
    Ok(paged.items(page, item))
}

/// Makes somebody an owner, or a member again.
pub(crate) async fn set_role(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(user): Ids<UserId>,
    Body(body): Body<ChangePerson>,
) -> Answer<PersonItem> {
    workspace::set_role(&web.app, &caller, user, body.role).await?;
    Ok(Json(item(workspace::person(&web.app, &caller, user).await?)))
}

/// Shuts somebody out.
pub(crate) async fn shut_out(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(user): Ids<UserId>,
) -> Result<NoContent, ApiProblem> {
    workspace::disable(&web.app, &caller, user).await?;
    Ok(NoContent)
}

/// Lets somebody in again.
pub(crate) async fn let_in(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(user): Ids<UserId>,
) -> Result<NoContent, ApiProblem> {
    workspace::enable(&web.app, &caller, user).await?;
    Ok(NoContent)
}

fn item(view: PersonView) -> PersonItem {
    PersonItem {
        user_id: view.user,
        name: view.name,
        mail: view.mail,
        role: view.role,
        since: view.since,
        shut_out_at: view.disabled_at,
    }
}
