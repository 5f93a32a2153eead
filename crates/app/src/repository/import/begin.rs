//! Begin: the name is claimed, and the server goes to work.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ProjectId, ResourceId};
use countersign_core::net::https_url::HttpsUrl;
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::TokenScope;
use countersign_store::{Wake, repository_making};

use super::TOPIC;
use super::run::spawn;
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};
use crate::repository::claim::{self, Request};
use crate::repository::create::check_name;

const IMPORT: Action =
    Action { name: "repository.import_url", need: Need::Person(TokenScope::Api), effect: Effect::Write };

/// How many imports may be under way in a workspace.
const AT_ONCE: usize = 4;

/// A repository to be imported.
#[derive(Clone, Debug)]
pub struct NewImport {
    /// Its name here: 1–64 of `A-Za-z0-9_-`.
    pub name: String,
    /// The project that it comes into.
    pub project: ProjectId,
    /// Where it is: https, on a public address.
    pub url: String,
}

/// Begins an import, or begins it again when it failed; one that is under way goes on. It takes an owner of the
/// workspace.
pub async fn begin(app: &App, caller: &Caller, new: NewImport) -> Result<ResourceId, Problem> {
    check_name(&new.name)?;
    let url = HttpsUrl::parse(&new.url).map_err(|rule| Problem::invalid("url", rule.to_string()))?;
    if url.as_str().contains('?') {
        return Err(Problem::invalid("url", "leave the query out of the URL"));
    }
    gate::through(
        app,
        caller,
        IMPORT,
        move |_| Box::pin(async move { Ok(Found::workspace(new)) }),
        |permit| claim(app, permit),
    )
    .await
}

async fn claim(app: &App, permit: Permit<NewImport>) -> Result<ResourceId, Problem> {
    let new = permit.target();
    let request = Request { url: Some(new.url.clone()), ..Request::of(&permit, new.project, &new.name)? };
    let record =
        permit.record(Outcome::Done).detail("name", new.name.as_str()).detail("url", new.url.as_str());
    let (fresh, audit, workspace) =
        (ResourceId::new(app.uuid()), AuditId::new(app.uuid()), permit.workspace());
    let id = permit
        .write(app, move |t| {
            Box::pin(async move {
                let busy = repository_making::count_under_way(t, workspace).await?;
                let id = claim::claim(t, &request, fresh).await?;
                if id == fresh && busy >= AT_ONCE {
                    return Err(Problem::new(
                        Code::RepositoryBusy,
                        format!("{AT_ONCE} imports are under way."),
                    )
                    .next("Wait until one of them ends, then begin this one."));
                }
                let _ = repository_making::save_again(t, id, request.now).await?;
                record.on(Some(id)).append(t, audit).await?;
                t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
                Ok::<_, Problem>(id)
            })
        })
        .await?;
    spawn(app, id);
    Ok(id)
}
