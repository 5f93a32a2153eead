//! Who may decide: maintainer for a protected branch or path, else editor; another person where asked for.

use countersign_core::gitnest::protected::is_protected_path;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::{MemberRole, effective};
use countersign_store::Tx;
use countersign_store::access::{self, Asker};
use countersign_store::repository::Repository;

use super::row::Loaded;

/// What a repository protects, as its row holds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Protection<'a> {
    /// A JSON list of branches.
    pub(super) branches: &'a str,
    /// A JSON list of paths beside the built-in ones.
    pub(super) paths: &'a str,
}

/// Each reason, in words, why deciding this takes more than an editor.
pub(super) fn guarded<'p>(
    protection: Protection<'_>,
    branch: &str,
    paths: impl Iterator<Item = &'p str>,
) -> Result<Vec<String>, Problem> {
    let branches: Vec<String> = serde_json::from_str(protection.branches).map_err(Problem::internal)?;
    let more: Vec<String> = serde_json::from_str(protection.paths).map_err(Problem::internal)?;
    let mut reasons = Vec::new();
    if branches.iter().any(|name| name == branch) {
        reasons.push(format!("the branch {branch} is protected"));
    }
    for path in paths.filter(|path| is_protected_path(path, &more)) {
        reasons.push(format!("{path} is protected"));
    }
    Ok(reasons)
}

/// The role that these reasons ask for.
pub(super) fn needs(guarded: &[String]) -> MemberRole {
    if guarded.is_empty() { MemberRole::Editor } else { MemberRole::Maintainer }
}

/// Refuses a person who lacks the role.
pub(super) fn require(role: Option<MemberRole>, needs: MemberRole) -> Result<(), Problem> {
    if role.is_some_and(|role| role >= needs) {
        return Ok(());
    }
    Err(Problem::new(Code::DeciderLacksRole, format!("Deciding this takes the role {}.", needs.as_str()))
        .fact("role", needs.as_str()))
}

/// The refusal of the agent's own person, where the repository asks for another.
pub(super) fn another_person() -> Problem {
    Problem::new(Code::DeciderLacksRole, "This repository asks for another person than the agent's own.")
        .next("Ask another maintainer to decide.")
}

/// Whether the person has the role that this branch and these paths ask for.
pub(super) async fn has_role(
    t: &Tx<'_>,
    loaded: &Loaded,
    person: Asker,
    (repository, paths): (&Repository, &[String]),
) -> Result<(), Problem> {
    let access = access::on_resource(t, person, loaded.repository)
        .await?
        .ok_or_else(|| Problem::not_found("proposal"))?;
    let role = effective(access.workspace_role, access.project_role, access.repository_role);
    let protection =
        Protection { branches: &repository.protected_branches, paths: &repository.protected_paths };
    let guarded = guarded(protection, &loaded.row.branch, paths.iter().map(String::as_str))?;
    require(role, needs(&guarded))
}
