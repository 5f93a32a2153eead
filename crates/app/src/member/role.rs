//! Changing a member's role in a project.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ProjectId, UserId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_store::project::{find_member, save_role};
use countersign_store::{Saved, Tx, Wake};

use super::TOPIC;
use super::person::{Known, find, find_by_id};
use super::view::MemberView;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};
use crate::person::Mail;

const SET_ROLE: Action =
    Action { name: "member.role", need: Need::Person(TokenScope::Api), effect: Effect::Set };

/// Whose role becomes what.
#[derive(Clone, Debug)]
pub struct ChangedRole {
    /// The project.
    pub project: ProjectId,
    /// The person's mail address.
    pub mail: String,
    /// Their role from now on.
    pub role: MemberRole,
}

/// Changes a member's role. It takes an owner of the project; what the person's connections and tokens may do
/// changes with it at the very next call.
pub async fn set_role(app: &App, caller: &Caller, input: ChangedRole) -> Result<MemberView, Problem> {
    let ChangedRole { project, mail, role } = input;
    change(app, caller, Wish { project, whom: Whom::Mail(mail), role, expected: None }).await
}

/// The same for a person by id; when a role is expected, from that role alone.
pub async fn set_role_of(
    app: &App,
    caller: &Caller,
    (project, user): (ProjectId, UserId),
    role: MemberRole,
    expected: Option<MemberRole>,
) -> Result<MemberView, Problem> {
    change(app, caller, Wish { project, whom: Whom::User(user), role, expected }).await
}

/// Whose role becomes what, however they are named.
struct Wish {
    project: ProjectId,
    whom: Whom,
    role: MemberRole,
    expected: Option<MemberRole>,
}

enum Whom {
    Mail(String),
    User(UserId),
}

async fn change(app: &App, caller: &Caller, wish: Wish) -> Result<MemberView, Problem> {
    let asker = caller.clone();
    through(
        app,
        caller,
        SET_ROLE,
        move |t| {
            Box::pin(async move {
                let project = wish.project;
                Ok(Found::project(Change::read(t, &asker, &wish).await?, project, MemberRole::Owner))
            })
        },
        |permit| save(app, permit),
    )
    .await
}

/// A member, the role that was seen and the role to come.
struct Change {
    member: Option<(Known, MemberRole)>,
    role: MemberRole,
    expected: Option<MemberRole>,
}

impl Change {
    async fn read(t: &Tx<'_>, asker: &Caller, wish: &Wish) -> Result<Self, Problem> {
        let workspace = asker.workspace.ok_or_else(|| Problem::not_found("project"))?;
        let known = match &wish.whom {
            Whom::Mail(mail) => find(t, workspace, &Mail::new(mail)?).await?,
            Whom::User(user) => find_by_id(t, workspace, *user).await?,
        };
        let mut member = None;
        if let Some(known) = known
            && let Some(row) = find_member(t, wish.project, known.user).await?
        {
            let seen = MemberRole::parse(&row.role);
            member = Some((known, seen.ok_or_else(|| Problem::internal("a role in the store is not ours"))?));
        }
        Ok(Self { member, role: wish.role, expected: wish.expected })
    }
}

async fn save(app: &App, permit: Permit<Change>) -> Result<MemberView, Problem> {
    let (permit, change) = permit.with(());
    let missing = || Problem::not_found("member").next("Add the person to the project.");
    let project =
        permit.place().and_then(|place| place.project).ok_or_else(|| Problem::not_found("project"))?;
    let (known, seen) = change.member.ok_or_else(missing)?;
    if change.expected.is_some_and(|expected| expected != seen) {
        return Err(meanwhile());
    }
    let (user, role) = (known.user, change.role);
    let record = permit
        .record(Outcome::Done)
        .detail("project", project.to_string())
        .detail("person", user.to_string())
        .detail("from", seen.as_str())
        .detail("role", role.as_str());
    let (record_id, workspace) = (AuditId::new(app.uuid()), permit.workspace());
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            match save_role(t, (project, user), seen, role).await? {
                Saved::Done(()) => {}
                Saved::Changed => return Err(meanwhile()),
                Saved::Missing => return Err(missing()),
            }
            record.append(t, record_id).await?;
            t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
            Ok::<_, Problem>(())
        })
    });
    saved.await?;
    Ok(MemberView { project, user, name: known.row.name, mail: known.row.mail, role })
}

fn meanwhile() -> Problem {
    Problem::new(Code::VersionConflict, "Somebody else changed this role meanwhile.")
        .next("Look at the present role, then repeat the step.")
}
