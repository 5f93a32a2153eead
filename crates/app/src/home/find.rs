//! Find: what bears a name that one types, among everything that the person may open.

use countersign_core::caller::Caller;
use countersign_core::id::{ConnectionId, ProposalId, ResourceId};
use countersign_core::problem::Problem;

use crate::App;
use crate::{connection, proposal, repository};

/// How many of each kind are given.
const EACH: usize = 8;
/// The longest text that is looked for, in characters.
const TEXT_MAX: usize = 100;

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub target: Target,
    /// Its name.
    pub name: String,
    /// Where it belongs.
    pub about: String,
}

/// What a name leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A proposal that waits.
    Proposal(ProposalId),
    /// A repository.
    Repository(ResourceId),
    /// A connection.
    Connection(ConnectionId),
}

/// What is looked for: words, each of which a name must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted(Vec<String>);

impl Wanted {
    /// Reads what a person typed; capital letters make no difference.
    pub fn parse(text: &str) -> Self {
        let text: String = text.chars().take(TEXT_MAX).collect();
        Self(text.split_whitespace().map(str::to_lowercase).collect())
    }

    /// Whether these names together hold every word.
    pub fn is_in(&self, names: &[&str]) -> bool {
        let names = names.join("\n").to_lowercase();
        self.0.iter().all(|word| names.contains(word))
    }
}

/// What the caller may open and bears the wanted words: proposals that wait, repositories, connections.
pub async fn find(app: &App, caller: &Caller, wanted: &Wanted) -> Result<Vec<Found>, Problem> {
    let waiting = proposal::queue(app, caller).await?.waiting.into_iter().map(|row| Found {
        target: Target::Proposal(row.id),
        name: row.title,
        about: format!("{} · {}", row.repository, row.branch),
    });
    let repositories = repository::list(app, caller).await?.into_iter().map(|line| Found {
        target: Target::Repository(line.id),
        name: line.name,
        about: line.default_branch,
    });
    let connections = connection::list(app, caller).await?.connections.into_iter().map(|row| Found {
        target: Target::Connection(row.id),
        name: row.name,
        about: row.owner,
    });
    let fits = |found: &Found| wanted.is_in(&[&found.name, &found.about]);
    let waiting = waiting.filter(fits).take(EACH);
    Ok(waiting
        .chain(repositories.filter(fits).take(EACH))
        .chain(connections.filter(fits).take(EACH))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_must_stand_somewhere_in_the_names() {
        let wanted = Wanted::parse("  Graft ORCH ");
        assert!(wanted.is_in(&["Try grafting", "orchard · main"]));
        assert!(!wanted.is_in(&["Try grafting", "notes · main"]));
        assert!(Wanted::parse("").is_in(&["anything"]));
    }

    #[test]
    fn words_do_not_run_from_one_name_into_the_next() {
        assert!(!Wanted::parse("ab").is_in(&["a", "b"]));
    }
}
