//! What a person may do: roles in a workspace and in a project.

use serde::{Deserialize, Serialize};

/// A person's role on a project or a repository. Each holds what the ones before it hold.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum MemberRole {
    /// Reads.
    Viewer,
    /// Writes and proposes; decides proposals to unprotected branches.
    Editor,
    /// Decides proposals to protected branches and paths.
    Maintainer,
    /// Everything, members included.
    Owner,
}

impl MemberRole {
    /// Every role, weakest first.
    pub const ALL: [Self; 4] = [Self::Viewer, Self::Editor, Self::Maintainer, Self::Owner];

    /// The word on the wire and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Editor => "editor",
            Self::Maintainer => "maintainer",
            Self::Owner => "owner",
        }
    }

    /// Reads the word on the wire.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }
}

/// A person's place in a workspace.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum WorkspaceRole {
    /// Has the roles that projects and repositories give.
    Member,
    /// Is owner everywhere; makes projects, repositories and invitations.
    Owner,
}

impl WorkspaceRole {
    /// Both places, weaker first.
    pub const ALL: [Self; 2] = [Self::Member, Self::Owner];

    /// The word on the wire and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Owner => "owner",
        }
    }

    /// Reads the word on the wire.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }
}

/// What a person may do on a resource: owner everywhere as a workspace owner, else the
/// repository's override, else the project role, else nothing.
pub fn effective(
    workspace: Option<WorkspaceRole>,
    project: Option<MemberRole>,
    repository: Option<MemberRole>,
) -> Option<MemberRole> {
    match workspace {
        None => None,
        Some(WorkspaceRole::Owner) => Some(MemberRole::Owner),
        Some(WorkspaceRole::Member) => repository.or(project),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_beats_the_project_role_in_both_directions() {
        let member = Some(WorkspaceRole::Member);
        assert_eq!(
            effective(member, Some(MemberRole::Owner), Some(MemberRole::Viewer)),
            Some(MemberRole::Viewer)
        );
        assert_eq!(effective(member, None, Some(MemberRole::Editor)), Some(MemberRole::Editor));
        assert_eq!(effective(member, None, None), None);
    }

    #[test]
    fn who_left_the_workspace_has_no_role_left_in_it() {
        assert_eq!(effective(None, Some(MemberRole::Owner), Some(MemberRole::Owner)), None);
    }
}
