//! `countersign repo settings`: what a repository protects and who decides, shown or changed.

use clap::{Args, ValueEnum};
use countersign_core::api::repository::{ChangeRepository, RepositorySettings};
use countersign_fetch::Method;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::paint::line;

/// Without an option it shows them; a change takes an owner of the repository.
#[derive(Args, Debug)]
pub(crate) struct Settings {
    /// The repository, by name or id
    repository: String,
    /// The branch that a clone checks out
    #[arg(long, value_name = "BRANCH")]
    default_branch: Option<String>,
    /// A branch that only maintainers push to and decide about; again for more
    #[arg(long, value_name = "BRANCH")]
    protect_branch: Vec<String>,
    /// A branch that editors may push to again
    #[arg(long, value_name = "BRANCH")]
    unprotect_branch: Vec<String>,
    /// A file, or a folder with / at its end, that only maintainers change; again for more
    #[arg(long, value_name = "PATH")]
    protect_path: Vec<String>,
    /// A path that editors may change again
    #[arg(long, value_name = "PATH")]
    unprotect_path: Vec<String>,
    /// Whether another person than the agent's own must decide its proposals
    #[arg(long, value_name = "on|off")]
    other_decider: Option<Switch>,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    /// Yes
    On,
    /// No
    Off,
}

impl Settings {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let id = find::repository(&client, &self.repository).await?.to_string();
        let route = ["api", "v1", "repositories", &id];
        let (mut settings, tag): (RepositorySettings, _) = client.get_tagged(&route).await?;
        if let Some(wish) = self.wish(&settings) {
            // The lists are changed as they were read: what somebody else did meanwhile is not undone unseen.
            settings = client.send_if_match((Method::Patch, &route), tag.as_deref(), &wish).await?;
        }
        Ok(Answer::new(&settings, told(&settings)))
    }

    /// The change that the options ask for, or `None` without any.
    fn wish(&self, now: &RepositorySettings) -> Option<ChangeRepository> {
        let wish = ChangeRepository {
            default_branch: self.default_branch.clone(),
            protected_branches: changed(
                &now.protected_branches,
                &self.protect_branch,
                &self.unprotect_branch,
            ),
            protected_paths: changed(&now.protected_paths, &self.protect_path, &self.unprotect_path),
            other_decider: self.other_decider.map(|switch| switch == Switch::On),
            ..ChangeRepository::default()
        };
        let asked = wish.default_branch.is_some()
            || wish.protected_branches.is_some()
            || wish.protected_paths.is_some()
            || wish.other_decider.is_some();
        asked.then_some(wish)
    }
}

/// The list with some more and some less, or `None` where neither is asked for.
fn changed(now: &[String], more: &[String], less: &[String]) -> Option<Vec<String>> {
    if more.is_empty() && less.is_empty() {
        return None;
    }
    Some(now.iter().filter(|entry| !less.contains(entry)).chain(more).cloned().collect())
}

fn told(settings: &RepositorySettings) -> String {
    let list = |entries: &[String]| match entries {
        [] => "none".to_owned(),
        some => some.iter().map(|entry| line(entry)).collect::<Vec<_>>().join(", "),
    };
    let decider =
        if settings.other_decider { "another person than the agent's own" } else { "anybody with the role" };
    format!(
        "{}\ndefault branch      {}\nprotected branches  {}\nprotected paths     {} (and those that git and builds act on)\ndecided by          {decider}",
        line(&settings.repository.name),
        line(&settings.repository.default_branch),
        list(&settings.protected_branches),
        list(&settings.protected_paths),
    )
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn a_list_changes_only_where_it_is_asked_to() {
        let now = ["a".to_owned(), "b".to_owned()];
        assert_eq!(changed(&now, &[], &[]), None);
        assert_eq!(changed(&now, &["c".into()], &["a".into()]), Some(vec!["b".into(), "c".into()]));
        assert_eq!(changed(&now, &[], &["a".into(), "b".into()]), Some(Vec::new()));
    }
}
