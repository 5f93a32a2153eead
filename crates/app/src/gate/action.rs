//! What a call wants: its name, what the caller must hold for it, what it does, and to what.

use countersign_core::id::{ProjectId, ResourceId};
use countersign_core::role::MemberRole;
use countersign_core::scope::{Scope, TokenScope};

/// What a call can do to the world. Tool hints follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Adds or changes; repeating it may add more.
    Write,
    /// Changes to a stated value; repeating it changes nothing more.
    Set,
    /// Takes something away.
    Destroy,
}

impl Effect {
    /// Whether the audit record belongs into the transaction of a change.
    pub const fn is_change(self) -> bool {
        match self {
            Self::Read => false,
            Self::Write | Self::Set | Self::Destroy => true,
        }
    }
}

/// What the credential must be and hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A connection with this scope.
    Agent(Scope),
    /// A person: a browser session, or a token with this scope.
    Person(TokenScope),
    /// A person in a browser.
    Browser,
}

/// One thing that a surface can ask for; a constant beside the use case or the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// The tool's name, or `noun.verb`; it stands in the audit log.
    pub name: &'static str,
    /// What the credential must be and hold.
    pub need: Need,
    /// What it does.
    pub effect: Effect,
}

/// What a call touches, so that the gate can check grant and role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The caller's own things alone; nothing to check.
    Own,
    /// One resource.
    Resource(ResourceId),
    /// One project.
    Project(ProjectId),
    /// The workspace itself; a person must be one of its owners.
    Workspace,
}

/// What `resolve` found: the parsed arguments, what they touch, and the role that this takes.
#[derive(Clone, Debug)]
pub struct Found<T> {
    /// What the use case works on.
    pub target: T,
    /// What the call touches.
    pub subject: Subject,
    /// The role that the person behind the call must have there.
    pub role: MemberRole,
}

impl<T> Found<T> {
    /// Touches the caller's own things alone.
    pub const fn own(target: T) -> Self {
        Self { target, subject: Subject::Own, role: MemberRole::Viewer }
    }

    /// Touches one resource.
    pub const fn resource(target: T, id: ResourceId, role: MemberRole) -> Self {
        Self { target, subject: Subject::Resource(id), role }
    }

    /// Touches one project.
    pub const fn project(target: T, id: ProjectId, role: MemberRole) -> Self {
        Self { target, subject: Subject::Project(id), role }
    }

    /// Touches the workspace itself.
    pub const fn workspace(target: T) -> Self {
        Self { target, subject: Subject::Workspace, role: MemberRole::Owner }
    }
}
