//! `/api/v1/me`.

use axum::Json;
use axum::extract::State;
use countersign_app::person;
use countersign_core::api::person::{Me, MyWorkspace};

use super::Answer;
use crate::credential::ApiCaller;
use crate::state::Web;

/// Tells who the token's person is.
pub(crate) async fn me(State(web): State<Web>, ApiCaller(caller): ApiCaller) -> Answer<Me> {
    let me = person::me(&web.app, &caller).await?;
    Ok(Json(Me {
        id: me.id,
        name: me.name,
        mail: me.mail,
        workspace: MyWorkspace {
            id: me.workspace,
            name: me.workspace_name,
            slug: me.workspace_slug,
            role: me.role,
        },
        scopes: me.scopes.iter().map(|scope| scope.as_str().to_owned()).collect(),
    }))
}
