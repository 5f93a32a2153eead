//! `/api/v1/invitations`: for owners of the workspace; to make one takes a token that may decide.

use axum::extract::State;
use countersign_app::invitation::view::InvitationView;
use countersign_app::invitation::{self, NewInvitation};
use countersign_core::api::invitation::{InvitationItem, InvitedTo, MadeInvitation, MakeInvitation};
use countersign_core::id::InvitationId;

use super::answer::{Created, NoContent};
use super::listing::{Listed, Paged};
use super::{ApiProblem, Body, Ids};
use crate::credential::ApiCaller;
use crate::state::Web;

/// Makes one.
pub(crate) async fn create(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Body(body): Body<MakeInvitation>,
) -> Result<Created<MadeInvitation>, ApiProblem> {
    let project = body.project.map(|project| (project.id, project.role));
    let wish = NewInvitation { mail: body.mail, role: body.role, project };
    let made = invitation::create(&web.app, &caller, wish).await?;
    Ok(Created(MadeInvitation { item: item(made.invitation), link: made.link }))
}

/// Lists those that are open.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    paged: Paged,
) -> Listed<InvitationItem> {
    let page = invitation::page(&web.app, &caller, paged.part.clone()).await?;
    Ok(paged.items(page, item))
}

/// Takes one back.
pub(crate) async fn withdraw(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<InvitationId>,
) -> Result<NoContent, ApiProblem> {
    invitation::withdraw(&web.app, &caller, id).await?;
    Ok(NoContent)
}

fn item(view: InvitationView) -> InvitationItem {
    InvitationItem {
        id: view.id,
        mail: view.mail,
        role: view.role,
        project: view.project.map(|(id, role)| InvitedTo { id, role }),
        invited_by: view.invited_by,
        created_at: view.created_at,
        expires_at: view.expires_at,
    }
}
