//! Inviting somebody: for owners who prove who they are, since a link makes an account.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, InvitationId, ProjectId, UserId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::{MemberRole, WorkspaceRole};
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_store::invitation::{self, Invitation};
use countersign_store::{Wake, person, project, workspace};

use super::TOPIC;
use super::view::InvitationView;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};
use crate::person::Mail;
use crate::secret::{Secret, SecretKind};
use crate::session::require_proof;

const CREATE: Action =
    Action { name: "invitation.create", need: Need::Person(TokenScope::Decide), effect: Effect::Write };

/// How long a link works.
const LIFETIME_S: i64 = 7 * 24 * 60 * 60;

/// Whom to invite, and to what.
#[derive(Clone, Debug)]
pub struct NewInvitation {
    /// Their mail address.
    pub mail: String,
    /// Their place in the workspace.
    pub role: WorkspaceRole,
    /// A project to bring them into, and their role there.
    pub project: Option<(ProjectId, MemberRole)>,
}

/// An invitation that was made, with the only sight of its link.
#[derive(Debug)]
pub struct Created {
    /// The invitation.
    pub invitation: InvitationView,
    /// The link. The secret is in the fragment, which a browser sends to nobody, so no log on the way has it.
    pub link: String,
}

/// Invites somebody who has no account here. The link works once, for a week; a new one for the same mail address
/// ends the one before.
pub async fn create(app: &App, caller: &Caller, input: NewInvitation) -> Result<Created, Problem> {
    through(
        app,
        caller,
        CREATE,
        move |_| Box::pin(async move { Ok(Found::workspace(Wish::read(&input)?)) }),
        |permit| save(app, permit),
    )
    .await
}

/// An invitation within the rules.
struct Wish {
    mail: Mail,
    role: WorkspaceRole,
    project: Option<(ProjectId, MemberRole)>,
}

impl Wish {
    fn read(input: &NewInvitation) -> Result<Self, Problem> {
        Ok(Self { mail: Mail::new(&input.mail)?, role: input.role, project: input.project })
    }
}

async fn save(app: &App, permit: Permit<Wish>) -> Result<Created, Problem> {
    let (permit, wish) = permit.with(());
    require_proof(permit.caller(), permit.at())?;
    let (tenant, at) = (permit.workspace(), permit.at());
    let invitation = InvitationView {
        id: InvitationId::new(app.uuid()),
        mail: wish.mail.shown().to_owned(),
        role: wish.role,
        project: wish.project,
        invited_by: permit.person()?,
        created_at: at,
        expires_at: at.plus_seconds(LIFETIME_S),
    };
    let secret = app.secret(SecretKind::Invitation);
    let row = row(&permit, &invitation, (wish.mail.key(), &secret));
    let record = permit
        .record(Outcome::Done)
        .detail("invitation", invitation.id.to_string())
        .detail("mail", invitation.mail.clone())
        .detail("role", invitation.role.as_str());
    let record = match invitation.project {
        Some((project, role)) => {
            record.detail("project", project.to_string()).detail("project_role", role.as_str())
        }
        None => record,
    };
    let (record_id, into) = (AuditId::new(app.uuid()), invitation.project);
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            // Of two who invite the same person at once, the second ends what the first made.
            workspace::hold(t, tenant).await?;
            if person::find_by_mail(t, &row.mail_key).await?.is_some() {
                return Err(known(&row.mail));
            }
            if let Some((id, _)) = into
                && !project::is_in(t, id, tenant).await?
            {
                return Err(Problem::not_found("project"));
            }
            let ended = invitation::withdraw_for(t, tenant, &row.mail_key, at).await?;
            row.insert(t).await?;
            record.detail("ends_earlier", ended).append(t, record_id).await?;
            t.wake(Wake { workspace: tenant.to_string(), topic: TOPIC.to_owned() });
            Ok::<_, Problem>(())
        })
    });
    saved.await?;
    let link = format!("{}/join#{}", app.settings.public_url, secret.reveal());
    Ok(Created { invitation, link })
}

fn known(mail: &str) -> Problem {
    Problem::new(Code::NameTaken, format!("{mail} has an account here."))
        .next("Add them to a project, on its page; they need no invitation.")
        .fact("field", "mail")
        .fact("rule", "one that has no account here")
}

fn row(permit: &Permit<()>, view: &InvitationView, (mail_key, secret): (&str, &Secret)) -> Invitation {
    Invitation {
        id: view.id.to_string(),
        token_hash: secret.hash().to_vec(),
        workspace_id: permit.workspace().to_string(),
        mail: view.mail.clone(),
        mail_key: mail_key.to_owned(),
        role: view.role.as_str().to_owned(),
        project_id: view.project.map(|(id, _)| id.to_string()),
        project_role: view.project.map(|(_, role)| role.as_str().to_owned()),
        invited_by: view.invited_by.to_string(),
        created_at: view.created_at.millis(),
        expires_at: view.expires_at.millis(),
        withdrawn_at: None,
        accepted_at: None,
    }
}

/// An invitation from its row.
pub(super) fn view(row: &Invitation) -> Result<InvitationView, Problem> {
    let unreadable = || Problem::internal("an invitation in the store cannot be read");
    let project = match (&row.project_id, &row.project_role) {
        (Some(id), Some(role)) => Some((
            ProjectId::parse(id).map_err(|_| unreadable())?,
            MemberRole::parse(role).ok_or_else(unreadable)?,
        )),
        (None, _) | (_, None) => None,
    };
    Ok(InvitationView {
        id: InvitationId::parse(&row.id).map_err(|_| unreadable())?,
        mail: row.mail.clone(),
        role: WorkspaceRole::parse(&row.role).ok_or_else(unreadable)?,
        project,
        invited_by: UserId::parse(&row.invited_by).map_err(|_| unreadable())?,
        created_at: Timestamp::from_millis(row.created_at),
        expires_at: Timestamp::from_millis(row.expires_at),
    })
}
