//! Discovery: what a connection was granted, and what is in one of its projects.

use countersign_core::caller::Caller;
use countersign_core::id::{ProjectId, ResourceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::{MemberRole, WorkspaceRole, effective};
use countersign_core::scope::Scope;
use countersign_core::time::Timestamp;
use countersign_store::grant;
use serde::{Deserialize, Serialize};

use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};

/// The action, named as its tool.
pub const LIST_GRANTED: Action =
    Action { name: "list_granted_resources", need: Need::Agent(Scope::Read), effect: Effect::Read };
/// The action, named as its tool.
pub const LIST_IN_PROJECT: Action =
    Action { name: "list_project_resources", need: Need::Agent(Scope::Read), effect: Effect::Read };

/// How many items a page holds at most.
pub const PAGE_MAX: usize = 50;

/// The kinds of resources that a project lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ResourceKind {
    /// A channel of messages.
    MessageChannel,
    /// A note with tabs.
    Note,
    /// Articles.
    KnowledgeBase,
    /// A table of records.
    RecordChannel,
    /// A room.
    Room,
    /// A Git repository.
    GitnestRepository,
    /// A session of one agent.
    AgentSession,
    /// A session of a team of agents.
    TeamSession,
    /// A session that repeats.
    LoopSession,
}

impl ResourceKind {
    /// The word on the wire and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MessageChannel => "message_channel",
            Self::Note => "note",
            Self::KnowledgeBase => "knowledge_base",
            Self::RecordChannel => "record_channel",
            Self::Room => "room",
            Self::GitnestRepository => "gitnest_repository",
            Self::AgentSession => "agent_session",
            Self::TeamSession => "team_session",
            Self::LoopSession => "loop_session",
        }
    }
}

/// What a connection was granted.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema)]
pub struct Granted {
    /// The projects on it.
    pub projects: Vec<GrantedProject>,
    /// The resources granted singly.
    pub resources: Vec<GrantedResource>,
}

/// A project on the connection.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct GrantedProject {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The connection owner's role there, which bounds every call; null when they lost it.
    pub role: Option<MemberRole>,
}

/// A resource granted singly.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct GrantedResource {
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The project that it is in now.
    pub project_id: String,
}

/// The projects on the calling connection and the resources granted singly; a fresh connection has none.
pub async fn list_granted(app: &App, caller: &Caller) -> Result<Granted, Problem> {
    gate::through(
        app,
        caller,
        LIST_GRANTED,
        |_| Box::pin(async { Ok(Found::own(())) }),
        |permit| granted(app, permit),
    )
    .await
}

async fn granted(app: &App, permit: Permit<()>) -> Result<Granted, Problem> {
    let connection = permit
        .caller()
        .connection()
        .ok_or_else(|| Problem::new(Code::Unauthenticated, "Only a connection has grants."))?;
    let (projects, singles) = app
        .db
        .glance(move |t| {
            Box::pin(async move {
                Ok::<_, Problem>((
                    grant::projects(t, connection).await?,
                    grant::singles(t, connection).await?,
                ))
            })
        })
        .await?;
    let projects = projects.into_iter().map(|(id, name, workspace, project)| GrantedProject {
        id,
        name,
        role: effective(
            workspace.as_deref().and_then(WorkspaceRole::parse),
            project.as_deref().and_then(MemberRole::parse),
            None,
        ),
    });
    let resources = singles.into_iter().map(|(kind, id, name, project_id)| GrantedResource {
        kind,
        id,
        name,
        project_id,
    });
    Ok(Granted { projects: projects.collect(), resources: resources.collect() })
}

/// Which page of which kind of a project's resources is wanted.
#[derive(Clone, Debug)]
pub struct ProjectListing {
    /// The project.
    pub project: ProjectId,
    /// The kind.
    pub kind: ResourceKind,
    /// Only names that hold this, whatever the case.
    pub search: Option<String>,
    /// How many to skip.
    pub offset: usize,
    /// How many to give, at most [`PAGE_MAX`].
    pub limit: usize,
}

/// A page of resources.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Listed {
    /// The items, by name.
    pub items: Vec<ListedItem>,
    /// Where the next page begins; null on the last one.
    pub next_offset: Option<usize>,
    /// How many there are in all.
    pub total: usize,
}

/// One resource in a list.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ListedItem {
    /// Its id.
    pub id: ResourceId,
    /// Its name.
    pub name: String,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// A page of the resources of one kind in a project on the calling connection.
pub async fn list_in_project(app: &App, caller: &Caller, listing: ProjectListing) -> Result<Listed, Problem> {
    let project = listing.project;
    gate::through(
        app,
        caller,
        LIST_IN_PROJECT,
        move |_| Box::pin(async move { Ok(Found::project(listing, project, MemberRole::Viewer)) }),
        |permit| listed(app, permit),
    )
    .await
}

async fn listed(app: &App, permit: Permit<ProjectListing>) -> Result<Listed, Problem> {
    let listing = permit.target().clone();
    let rows = app
        .db
        .read(move |t| {
            Box::pin(async move {
                Ok::<_, Problem>(grant::in_project(t, listing.project, listing.kind.as_str()).await?)
            })
        })
        .await?;
    let listing = permit.target();
    let wanted = listing.search.as_deref().map(str::to_lowercase).unwrap_or_default();
    let found: Vec<_> =
        rows.into_iter().filter(|(_, name, _)| name.to_lowercase().contains(&wanted)).collect();
    let total = found.len();
    let end = listing.offset.saturating_add(listing.limit.min(PAGE_MAX));
    let items: Result<Vec<_>, Problem> = found
        .into_iter()
        .skip(listing.offset)
        .take(listing.limit.min(PAGE_MAX))
        .map(|(id, name, at)| {
            let id = ResourceId::parse(&id).map_err(Problem::internal)?;
            Ok(ListedItem { id, name, updated_at: Timestamp::from_millis(at) })
        })
        .collect();
    Ok(Listed { items: items?, next_offset: (end < total).then_some(end), total })
}
