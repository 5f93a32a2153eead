//! Making a project: a right of the owners of the workspace.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ProjectId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_store::Inserted;
use countersign_store::project::Project;

use super::view::ProjectView;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};
use crate::name::Name;

const CREATE: Action =
    Action { name: "project.create", need: Need::Person(TokenScope::Api), effect: Effect::Write };

/// The project to make.
#[derive(Clone, Debug)]
pub struct NewProject {
    /// Its name; unique in the workspace.
    pub name: String,
}

/// Makes a project in the caller's workspace.
pub async fn create(app: &App, caller: &Caller, input: NewProject) -> Result<ProjectView, Problem> {
    through(
        app,
        caller,
        CREATE,
        move |_| Box::pin(async move { Ok(Found::workspace(Name::new("name", &input.name)?)) }),
        |permit| save(app, permit),
    )
    .await
}

async fn save(app: &App, permit: Permit<Name>) -> Result<ProjectView, Problem> {
    let (id, at) = (ProjectId::new(app.uuid()), permit.at());
    let name = permit.target().as_str().to_owned();
    let row = Project {
        id: id.to_string(),
        workspace_id: permit.workspace().to_string(),
        name: name.clone(),
        created_at: at.millis(),
    };
    let record = permit.record(Outcome::Done).detail("project", id.to_string());
    let record_id = AuditId::new(app.uuid());
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            match row.insert_once(t).await? {
                Inserted::New => {}
                Inserted::Existed => return Err(taken(&row.name)),
            }
            record.append(t, record_id).await?;
            Ok::<_, Problem>(())
        })
    });
    saved.await?;
    Ok(ProjectView { id, name, role: MemberRole::Owner, created_at: at })
}

fn taken(name: &str) -> Problem {
    Problem::new(Code::NameTaken, format!("There is a project named `{name}` in this workspace."))
        .fact("field", "name")
}
