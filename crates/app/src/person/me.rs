//! Who the caller is, in their own words.

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{UserId, WorkspaceId};
use countersign_core::problem::Problem;
use countersign_core::role::WorkspaceRole;
use countersign_core::scope::{TokenScope, TokenScopes};
use countersign_store::{person, workspace};

use crate::App;
use crate::gate::{Action, Effect, Found, Need, Permit, through};

const ME: Action = Action { name: "person.me", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// The person behind a call, in their workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Me {
    /// The person.
    pub id: UserId,
    /// Their name.
    pub name: String,
    /// Their mail address.
    pub mail: String,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Its name.
    pub workspace_name: String,
    /// Its slug.
    pub workspace_slug: String,
    /// Their place in it.
    pub role: WorkspaceRole,
    /// What their token may do; nothing in a browser.
    pub scopes: TokenScopes,
}

/// Tells the person who they are here.
pub async fn me(app: &App, caller: &Caller) -> Result<Me, Problem> {
    through(app, caller, ME, |_| Box::pin(async { Ok(Found::own(())) }), |permit| read(app, permit)).await
}

async fn read(app: &App, permit: Permit<()>) -> Result<Me, Problem> {
    let (workspace, user) = (permit.workspace(), permit.person()?);
    let found = app.db.read(move |t| {
        Box::pin(async move {
            Ok::<_, Problem>((
                person::find(t, user).await?,
                workspace::find(t, workspace).await?,
                workspace::find_role(t, workspace, user).await?,
            ))
        })
    });
    let (Some(person), Some(place), Some(role)) = found.await? else {
        return Err(Problem::not_found("account"));
    };
    let scopes = match &permit.caller().principal {
        Principal::Token { scopes, .. } => scopes.clone(),
        Principal::Anonymous { .. } | Principal::Connection { .. } | Principal::Session { .. } => {
            TokenScopes::default()
        }
    };
    Ok(Me {
        id: user,
        name: person.name,
        mail: person.mail,
        workspace,
        workspace_name: place.name,
        workspace_slug: place.slug,
        role,
        scopes,
    })
}
