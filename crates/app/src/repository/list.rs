//! The repositories that a person sees.

use countersign_core::caller::Caller;
use countersign_core::problem::Problem;
use countersign_core::scope::TokenScope;
use serde::Serialize;

use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};

/// The action of listing.
pub const LIST: Action =
    Action { name: "repository.list", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// One repository in a list.
#[derive(Clone, Debug, Serialize)]
pub struct RepositoryLine {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The project that it is in.
    pub project_id: String,
    /// Whether agents see it.
    pub gitnest: bool,
    /// Its default branch.
    pub default_branch: String,
}

/// Every repository that the person has a role on, by name.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<RepositoryLine>, Problem> {
    gate::through(app, caller, LIST, |_| Box::pin(async { Ok(Found::own(())) }), |permit| run(app, permit))
        .await
}

async fn run(app: &App, permit: Permit<()>) -> Result<Vec<RepositoryLine>, Problem> {
    let (workspace, person) = (permit.workspace(), permit.person()?);
    let rows = app
        .db
        .read(move |t| {
            Box::pin(async move {
                Ok::<_, Problem>(countersign_store::repository::list_for(t, workspace, person).await?)
            })
        })
        .await?;
    let line = |(id, name, project_id, on, default_branch): (String, String, String, Option<i64>, String)| {
        RepositoryLine { id, name, project_id, gitnest: on.is_some(), default_branch }
    };
    Ok(rows.into_iter().map(line).collect())
}
