//! Adding a member to a project; an owner of the workspace can make the person's account on the way.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ProjectId, UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::{MemberRole, WorkspaceRole};
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_store::person::Person;
use countersign_store::project::ProjectMember;
use countersign_store::workspace::WorkspaceMember;
use countersign_store::{Inserted, Tx, Wake};

use super::TOPIC;
use super::person::{Known, find, is_owner, owners_only};
use super::view::MemberView;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, Subject, through};
use crate::name::Name;
use crate::person::{Mail, Password};
use crate::session::require_proof;

const ADD: Action = Action { name: "member.add", need: Need::Person(TokenScope::Api), effect: Effect::Write };

/// Whom to add, and as what.
pub struct NewMember {
    /// The project.
    pub project: ProjectId,
    /// The person's mail address.
    pub mail: String,
    /// Their role in the project.
    pub role: MemberRole,
    /// Their account, when they have none yet.
    pub person: Option<NewPerson>,
}

/// An account to make.
pub struct NewPerson {
    /// The person's name.
    pub name: String,
    /// Their first password.
    pub password: String,
}

/// Adds a member. The project's owners add people of the workspace; its owners bring others into it, and make
/// accounts, for which they must prove who they are: an account is a way to sign in and decide.
pub async fn add(app: &App, caller: &Caller, input: NewMember) -> Result<MemberView, Problem> {
    let asker = caller.clone();
    through(
        app,
        caller,
        ADD,
        move |t| {
            Box::pin(async move {
                let project = input.project;
                Ok(Found::project(Wish::read(t, &asker, input).await?, project, MemberRole::Owner))
            })
        },
        |permit| save(app, permit),
    )
    .await
}

/// What was asked for, read, with what stands in the store about it.
struct Wish {
    mail: Mail,
    role: MemberRole,
    account: Option<(Name, Password)>,
    known: Option<Known>,
    by_owner: bool,
}

impl Wish {
    async fn read(t: &Tx<'_>, asker: &Caller, input: NewMember) -> Result<Self, Problem> {
        let mail = Mail::new(&input.mail)?;
        let account = match input.person {
            Some(person) => Some((Name::new("name", &person.name)?, Password::new(person.password)?)),
            None => None,
        };
        let (mut known, mut by_owner) = (None, false);
        if let Some(workspace) = asker.workspace {
            known = find(t, workspace, &mail).await?;
            by_owner = is_owner(t, asker, workspace).await?;
        }
        Ok(Self { mail, role: input.role, account, known, by_owner })
    }
}

async fn save(app: &App, permit: Permit<Wish>) -> Result<MemberView, Problem> {
    let (permit, wish) = permit.with(());
    let project =
        permit.place().and_then(|place| place.project).ok_or_else(|| Problem::not_found("project"))?;
    let joins = match &wish.known {
        Some(known) if known.place.is_some() => Joins::Project,
        Some(_) => Joins::Workspace,
        None => Joins::Everything,
    };
    if joins != Joins::Project && !wish.by_owner {
        return Err(owners_only("bring somebody into it"));
    }
    let person = match (wish.known, wish.account) {
        (Some(known), None) => known.row,
        (Some(_), Some(_)) => {
            let rule = "left out: a person with this mail address has an account";
            return Err(Problem::invalid("password", rule));
        }
        (None, Some((name, password))) => {
            require_proof(permit.caller(), permit.at())?;
            account(app, &wish.mail, &name, app.passwords.hash(password, app.random()).await?)
        }
        (None, None) => return Err(unknown(&wish.mail)),
    };
    let rows = Rows::new(permit.workspace(), project, person, wish.role, permit.at());
    let view = rows.view(project, wish.role)?;
    let record = permit
        .record(Outcome::Done)
        .detail("project", project.to_string())
        .detail("person", view.user.to_string())
        .detail("role", wish.role.as_str())
        .detail("joins", joins.as_str());
    let (record_id, workspace) = (AuditId::new(app.uuid()), permit.workspace());
    let asked = permit.clone();
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            if joins != Joins::Project {
                asked.also(t, Subject::Workspace, MemberRole::Owner).await?;
            }
            rows.insert(t, joins).await?;
            record.append(t, record_id).await?;
            t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
            Ok::<_, Problem>(())
        })
    });
    saved.await?;
    Ok(view)
}

/// How much is new about the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joins {
    /// They are in the workspace.
    Project,
    /// They have an account.
    Workspace,
    /// They have nothing yet.
    Everything,
}

impl Joins {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Workspace => "workspace",
            Self::Everything => "new_account",
        }
    }
}

fn unknown(mail: &Mail) -> Problem {
    let message = format!("Nobody here has the mail address {}.", mail.shown());
    Problem::new(Code::NotFound, message).next("Give a name and a password too, to make their account.")
}

fn account(app: &App, mail: &Mail, name: &Name, password_hash: String) -> Person {
    Person {
        id: UserId::new(app.uuid()).to_string(),
        mail: mail.shown().to_owned(),
        mail_key: mail.key().to_owned(),
        name: name.as_str().to_owned(),
        password_hash,
        created_at: app.now().millis(),
        disabled_at: None,
    }
}

/// The rows of a new member.
struct Rows {
    person: Person,
    in_workspace: WorkspaceMember,
    in_project: ProjectMember,
}

impl Rows {
    fn new(
        workspace: WorkspaceId,
        project: ProjectId,
        person: Person,
        role: MemberRole,
        at: Timestamp,
    ) -> Self {
        let in_workspace = WorkspaceMember {
            workspace_id: workspace.to_string(),
            user_id: person.id.clone(),
            role: WorkspaceRole::Member.as_str().to_owned(),
            created_at: at.millis(),
        };
        let in_project = ProjectMember {
            project_id: project.to_string(),
            user_id: person.id.clone(),
            role: role.as_str().to_owned(),
            created_at: at.millis(),
        };
        Self { person, in_workspace, in_project }
    }

    fn view(&self, project: ProjectId, role: MemberRole) -> Result<MemberView, Problem> {
        let user = UserId::parse(&self.person.id).map_err(Problem::internal)?;
        Ok(MemberView { project, user, name: self.person.name.clone(), mail: self.person.mail.clone(), role })
    }

    /// Of two additions at once, one finds the other's rows.
    async fn insert(&self, t: &Tx<'_>, joins: Joins) -> Result<(), Problem> {
        if joins == Joins::Everything && self.person.insert_once(t).await? == Inserted::Existed {
            return Err(meanwhile());
        }
        if joins != Joins::Project && self.in_workspace.insert_once(t).await? == Inserted::Existed {
            return Err(meanwhile());
        }
        match self.in_project.insert_once(t).await? {
            Inserted::New => Ok(()),
            Inserted::Existed => {
                Err(Problem::new(Code::NameTaken, "This person is a member of the project.")
                    .next("Change their role instead."))
            }
        }
    }
}

fn meanwhile() -> Problem {
    Problem::new(Code::VersionConflict, "This person came here meanwhile.")
        .next("Add them again, without an account.")
}
