//! Claiming the one-time link: person, workspace, owner and project `General` in one transaction, or nothing.

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{AuditId, ProjectId, UserId, WorkspaceId};
use countersign_core::problem::Problem;
use countersign_core::role::WorkspaceRole;
use countersign_core::time::Timestamp;
use countersign_store::person::Person;
use countersign_store::project::Project;
use countersign_store::workspace::{Workspace, WorkspaceMember};
use countersign_store::{Saved, Tx, setup};

use crate::App;
use crate::gate::{Action, Effect, Need, Outcome, Record};
use crate::name::Name;
use crate::person::{Mail, Password};
use crate::secret::{Secret, SecretHash, SecretKind};
use crate::session::{Fresh, SignedIn};
use crate::workspace::Slug;

const CLAIM: Action = Action { name: "setup.claim", need: Need::Browser, effect: Effect::Write };

/// The name of the first project.
const FIRST_PROJECT: &str = "General";

/// What the first person fills in.
pub struct Claim {
    /// The token of the link.
    pub token: String,
    /// Their mail address.
    pub mail: String,
    /// Their name.
    pub name: String,
    /// Their password.
    pub password: String,
    /// The name of the workspace.
    pub workspace_name: String,
    /// Its slug.
    pub workspace_slug: String,
}

/// Claims the link and signs the first person in. Whoever holds no link that is open, is told that there is
/// nothing here: without one, with a wrong one, and for ever after the first claim.
pub async fn claim(app: &App, input: Claim) -> Result<SignedIn, Problem> {
    let token = Secret::parse(SecretKind::SetUp, &input.token).ok_or_else(gone)?.hash();
    // Looked at before a password is hashed: that work is for the holder of the link alone.
    let row = app.db.read(|t| Box::pin(setup::find(t))).await.map_err(Problem::from)?;
    row.filter(|row| row.used_at.is_none() && token.matches(&row.token_hash)).ok_or_else(gone)?;
    let first = First::new(app, input).await?;
    let fresh = Fresh::new(app, first.user, app.now());
    let (session, record_id) = (fresh.row.clone(), AuditId::new(app.uuid()));
    let done = app.db.write(move |t| {
        Box::pin(async move {
            first.save(t, &token).await?;
            session.insert(t).await?;
            first.record().append(t, record_id).await?;
            Ok::<_, Problem>(())
        })
    });
    done.await?;
    if let Some(file) = app.setup_file.get()
        && let Err(problem) = super::offer::forget(file).await
    {
        tracing::warn!(cause = ?problem.cause, "the file with the used set-up token stays; it opens nothing");
    }
    Ok(fresh.signed_in())
}

fn gone() -> Problem {
    Problem::not_found("set-up link")
        .next("Sign in, or start the server again to see whether a set-up is open.")
}

/// The first rows.
struct First {
    user: UserId,
    at: Timestamp,
    workspace_id: WorkspaceId,
    person: Person,
    workspace: Workspace,
    member: WorkspaceMember,
    project: Project,
}

impl First {
    async fn new(app: &App, input: Claim) -> Result<Self, Problem> {
        let mail = Mail::new(&input.mail)?;
        let name = Name::new("name", &input.name)?;
        let workspace_name = Name::new("workspace_name", &input.workspace_name)?;
        let slug = Slug::new(&input.workspace_slug)?;
        let password = Password::new(input.password)?;
        let password_hash = app.passwords.hash(password, app.random()).await?;
        let (user, workspace_id, at) = (UserId::new(app.uuid()), WorkspaceId::new(app.uuid()), app.now());
        let created_at = at.millis();
        Ok(Self {
            user,
            at,
            workspace_id,
            person: Person {
                id: user.to_string(),
                mail: mail.shown().to_owned(),
                mail_key: mail.key().to_owned(),
                name: name.as_str().to_owned(),
                password_hash,
                created_at,
                disabled_at: None,
            },
            workspace: Workspace {
                id: workspace_id.to_string(),
                name: workspace_name.as_str().to_owned(),
                slug: slug.as_str().to_owned(),
                created_at,
            },
            member: WorkspaceMember {
                workspace_id: workspace_id.to_string(),
                user_id: user.to_string(),
                role: WorkspaceRole::Owner.as_str().to_owned(),
                created_at,
            },
            project: Project {
                id: ProjectId::new(app.uuid()).to_string(),
                workspace_id: workspace_id.to_string(),
                name: FIRST_PROJECT.to_owned(),
                created_at,
            },
        })
    }

    /// The conditional write first: of many claims one goes on.
    async fn save(&self, t: &Tx<'_>, token: &SecretHash) -> Result<(), Problem> {
        match setup::claim(t, token.as_bytes(), self.at).await? {
            Saved::Done(()) => {}
            Saved::Changed | Saved::Missing => return Err(gone()),
        }
        self.person.insert(t).await?;
        self.workspace.insert(t).await?;
        self.member.insert(t).await?;
        self.project.insert(t).await?;
        Ok(())
    }

    fn record(&self) -> Record {
        let principal = Principal::Session { user: self.user, proved_at: self.at, session: None };
        let caller = Caller {
            principal,
            workspace: Some(self.workspace_id),
            scopes: countersign_core::scope::Scopes::default(),
            switched_off: std::collections::BTreeSet::new(),
        };
        Record::new(&caller, CLAIM, self.at, Outcome::Done)
    }
}
