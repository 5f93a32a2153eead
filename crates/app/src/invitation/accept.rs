//! Coming by an invitation: account, place and role in one transaction, once.

use std::collections::BTreeSet;

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{AuditId, UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::Scopes;
use countersign_core::time::Timestamp;
use countersign_store::invitation::{self, Invitation};
use countersign_store::person::Person;
use countersign_store::project::ProjectMember;
use countersign_store::workspace::WorkspaceMember;
use countersign_store::{Inserted, Saved, Tx, Wake};

use super::look::open;
use super::{TOPIC, gone};
use crate::App;
use crate::gate::{Action, Effect, Need, Outcome, Record};
use crate::name::Name;
use crate::person::Password;
use crate::secret::SecretHash;
use crate::session::{Fresh, SignedIn};

const ACCEPT: Action = Action { name: "invitation.accept", need: Need::Browser, effect: Effect::Write };

/// What the invited person fills in. It has no `Debug`.
pub struct Acceptance {
    /// The code of the link.
    pub token: String,
    /// Their name.
    pub name: String,
    /// Their password.
    pub password: String,
}

/// Makes the account and signs its person in. Of all who hold the link one comes in; a fault in what was typed leaves
/// it open.
pub async fn accept(app: &App, input: Acceptance) -> Result<SignedIn, Problem> {
    // Looked at before a password is hashed: that work is for the holder of a link alone.
    let (row, hash) = open(app, &input.token).await?;
    let name = Name::new("name", &input.name)?;
    let password = Password::new(input.password)?;
    let password_hash = app.passwords.hash(password, app.random()).await?;
    let workspace = WorkspaceId::parse(&row.workspace_id).map_err(Problem::internal)?;
    let (user, at) = (UserId::new(app.uuid()), app.now());
    let joins = Joins::new(&row, (user, name, password_hash), at);
    let fresh = Fresh::new(app, user, at);
    let (session, record_id) = (fresh.row.clone(), AuditId::new(app.uuid()));
    let record = record(user, workspace, at)
        .detail("invitation", row.id.clone())
        .detail("invited_by", row.invited_by.clone())
        .detail("role", row.role.clone());
    let done = app.db.write(move |t| {
        Box::pin(async move {
            joins.save(t, &row, &hash).await?;
            session.insert(t).await?;
            record.append(t, record_id).await?;
            t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
            Ok::<_, Problem>(())
        })
    });
    done.await?;
    Ok(fresh.signed_in())
}

fn record(user: UserId, workspace: WorkspaceId, at: Timestamp) -> Record {
    let caller = Caller {
        principal: Principal::Session { user, proved_at: at, session: None },
        workspace: Some(workspace),
        scopes: Scopes::default(),
        switched_off: BTreeSet::new(),
    };
    Record::new(&caller, ACCEPT, at, Outcome::Done)
}

/// The rows of who comes.
struct Joins {
    person: Person,
    in_workspace: WorkspaceMember,
    in_project: Option<ProjectMember>,
    at: Timestamp,
}

impl Joins {
    fn new(row: &Invitation, (user, name, password_hash): (UserId, Name, String), at: Timestamp) -> Self {
        let (user_id, created_at) = (user.to_string(), at.millis());
        let in_project = row.project_id.clone().zip(row.project_role.clone()).map(|(project_id, role)| {
            ProjectMember { project_id, user_id: user_id.clone(), role, created_at }
        });
        Self {
            person: Person {
                id: user_id.clone(),
                mail: row.mail.clone(),
                mail_key: row.mail_key.clone(),
                name: name.as_str().to_owned(),
                password_hash,
                created_at,
                disabled_at: None,
            },
            in_workspace: WorkspaceMember {
                workspace_id: row.workspace_id.clone(),
                user_id,
                role: row.role.clone(),
                created_at,
            },
            in_project,
            at,
        }
    }

    /// The conditional write first: of many who hold the link one goes on. Then whoever invited is looked at again, since
    /// the hash of a password takes its time.
    async fn save(&self, t: &Tx<'_>, row: &Invitation, hash: &SecretHash) -> Result<(), Problem> {
        invitation::find_open(t, hash.as_bytes(), self.at).await?.ok_or_else(gone)?;
        match invitation::accept(t, &row.id, self.at).await? {
            Saved::Done(()) => {}
            Saved::Changed | Saved::Missing => return Err(gone()),
        }
        if self.person.insert_once(t).await? == Inserted::Existed {
            return Err(Problem::new(Code::NameTaken, "This mail address has an account here meanwhile.")
                .next("Sign in with it."));
        }
        self.in_workspace.insert(t).await?;
        if let Some(member) = &self.in_project {
            member.insert(t).await?;
        }
        Ok(())
    }
}
