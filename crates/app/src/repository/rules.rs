//! What an owner rules in a repository: what is protected, who decides, which branch comes first.

use countersign_core::caller::Caller;
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::protected::ProtectedPath;
use countersign_core::id::{ProjectId, ResourceId};
use countersign_core::limit::RULES as MOST;
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_store::repository::{Repository, Rules};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::open;
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need};

const READ: Action =
    Action { name: "repository.rules", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// The rules of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesView {
    /// The branches that take a maintainer.
    pub protected_branches: Vec<String>,
    /// The paths that take a maintainer beside those that always do.
    pub protected_paths: Vec<String>,
    /// Whether another person than the agent's own must decide its proposals.
    pub other_decider: bool,
    /// The branch that a clone checks out.
    pub default_branch: String,
    /// What the caller may do here.
    pub role: MemberRole,
    /// What tells these settings from others, for [`super::Change::seen`].
    pub mark: String,
}

/// The rules, for whoever may read the repository.
pub async fn rules(app: &App, caller: &Caller, id: ResourceId) -> Result<RulesView, Problem> {
    gate::through(
        app,
        caller,
        READ,
        move |t| {
            Box::pin(async move { Ok(Found::resource(open::ready(t, id).await?, id, MemberRole::Viewer)) })
        },
        |permit| async move {
            let project = permit.place().and_then(|place| place.project);
            RulesView::of(permit.target(), project, permit.role())
        },
    )
    .await
}

impl RulesView {
    /// The rules as somebody with this role sees them.
    pub(super) fn of(
        row: &Repository,
        project: Option<ProjectId>,
        role: MemberRole,
    ) -> Result<Self, Problem> {
        let rules = &row.rules();
        Ok(Self {
            mark: mark(row, project),
            protected_branches: list(&rules.protected_branches)?,
            protected_paths: list(&rules.protected_paths)?,
            other_decider: rules.other_decider.is_some(),
            default_branch: rules.default_branch.clone(),
            role,
        })
    }
}

/// What tells two states of the settings apart: who saw another one changes nothing.
pub(super) fn mark(row: &Repository, project: Option<ProjectId>) -> String {
    let Rules { default_branch, protected_branches, protected_paths, other_decider } = row.rules();
    let (gitnest, project) = (row.gitnest_on_at.is_some(), project.map(|id| id.to_string()));
    let all = json!([default_branch, protected_branches, protected_paths, other_decider, gitnest, project]);
    let hash = Sha256::digest(all.to_string());
    hash.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes)).to_string()
}

/// What to change of them; what is `None` stays.
#[derive(Clone, Debug, Default)]
pub struct RuleChange {
    /// The branch that a clone checks out; it exists.
    pub default_branch: Option<BranchName>,
    /// The whole list of branches that take a maintainer.
    pub protected_branches: Option<Vec<BranchName>>,
    /// The whole list of paths that do so beside those that always do.
    pub protected_paths: Option<Vec<ProtectedPath>>,
    /// Whether another person than the agent's own must decide its proposals.
    pub other_decider: Option<bool>,
}

impl RuleChange {
    /// The rules as they shall be, or `None` where nothing is asked for.
    pub(super) fn applied(&self, seen: &Rules, now: Timestamp) -> Result<Option<Rules>, Problem> {
        let mut rules = seen.clone();
        if let Some(branch) = &self.default_branch {
            rules.default_branch = branch.to_string();
        }
        if let Some(branches) = &self.protected_branches {
            rules.protected_branches =
                text("protected_branches", branches.iter().map(BranchName::as_str).collect())?;
        }
        if let Some(paths) = &self.protected_paths {
            rules.protected_paths =
                text("protected_paths", paths.iter().map(ProtectedPath::as_str).collect())?;
        }
        rules.other_decider = match self.other_decider {
            Some(true) => rules.other_decider.or(Some(now.millis())),
            Some(false) => None,
            None => rules.other_decider,
        };
        let asked = self.default_branch.is_some()
            || self.protected_branches.is_some()
            || self.protected_paths.is_some()
            || self.other_decider.is_some();
        Ok(asked.then_some(rules))
    }

    /// What was asked for, for the audit.
    pub(super) fn to_json(&self) -> String {
        let branches =
            |list: &Vec<BranchName>| list.iter().map(|name| json!(name.as_str())).collect::<Value>();
        let paths =
            |list: &Vec<ProtectedPath>| list.iter().map(|path| json!(path.as_str())).collect::<Value>();
        json!({
            "default_branch": self.default_branch.as_ref().map(BranchName::as_str),
            "protected_branches": self.protected_branches.as_ref().map(branches),
            "protected_paths": self.protected_paths.as_ref().map(paths),
            "other_decider": self.other_decider,
        })
        .to_string()
    }
}

fn list(json: &str) -> Result<Vec<String>, Problem> {
    serde_json::from_str(json).map_err(Problem::internal)
}

/// Sorted, each once: the same rules are the same text.
fn text(field: &'static str, mut entries: Vec<&str>) -> Result<String, Problem> {
    entries.sort_unstable();
    entries.dedup();
    if entries.len() > MOST {
        return Err(Problem::invalid(field, format!("at most {MOST} entries")));
    }
    serde_json::to_string(&entries).map_err(Problem::internal)
}
