//! Roles in words, and as what can be chosen.

use countersign_core::role::MemberRole;

/// What the roles may do, in one line.
pub(crate) const HINT: &str =
    "Viewers read. Editors write and decide. Maintainers decide on protected branches. Owners rule.";

/// A role as a name.
pub(crate) const fn word(role: MemberRole) -> &'static str {
    match role {
        MemberRole::Viewer => "Viewer",
        MemberRole::Editor => "Editor",
        MemberRole::Maintainer => "Maintainer",
        MemberRole::Owner => "Owner",
    }
}

/// Every role, as the options of a choice.
pub(crate) fn options() -> Vec<(String, String)> {
    MemberRole::ALL.map(|role| (role.as_str().to_owned(), word(role).to_owned())).into()
}
