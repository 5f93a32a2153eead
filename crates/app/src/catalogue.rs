//! The tools of this server as their owners see them: what each does, costs and was called before. The transport that
//! has the tools hands them in.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use countersign_core::scope::Scope;
use sha2::{Digest as _, Sha256};

use crate::gate::Effect;

/// One tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCard {
    /// Its name on the wire, by which it is switched and recorded.
    pub name: &'static str,
    /// Names that it had before: still called, not listed.
    pub old_names: &'static [&'static str],
    /// One sentence.
    pub description: String,
    /// The scope that a connection must hold.
    pub scope: Scope,
    /// What a call can do.
    pub effect: Effect,
    /// What a model pays for knowing it, in tokens of `cl100k_base`; nothing for a tool of tests.
    pub tokens: Option<u32>,
    /// Its member of the list, as `tools/list` sends it.
    pub listed: String,
}

/// Every tool, in the order in which it is listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    cards: Vec<ToolCard>,
    by_name: HashMap<&'static str, usize>,
}

/// A name that two tools claim, or one claims twice; the server does not start with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two tools are called `{0}`, now or before")]
pub struct NameTwice(pub &'static str);

impl Catalogue {
    /// Puts the tools together. Names of now and of before are one space.
    pub fn new(cards: Vec<ToolCard>) -> Result<Self, NameTwice> {
        let mut by_name = HashMap::new();
        for (index, card) in cards.iter().enumerate() {
            for name in std::iter::once(&card.name).chain(card.old_names) {
                if by_name.insert(*name, index).is_some() {
                    return Err(NameTwice(name));
                }
            }
        }
        Ok(Self { cards, by_name })
    }

    /// The tool that has this name or had it.
    pub fn find(&self, name: &str) -> Option<&ToolCard> {
        self.by_name.get(name).and_then(|index| self.cards.get(*index))
    }

    /// Every tool.
    pub fn iter(&self) -> impl Iterator<Item = &ToolCard> {
        self.cards.iter()
    }

    /// The tools that a stored list switches off, by the names that they have now. A name that no tool has any more
    /// stays, so that a tool that comes back is still off.
    pub fn switched_off(&self, stored: BTreeSet<String>) -> BTreeSet<String> {
        stored.into_iter().map(|name| self.find(&name).map_or(name, |card| card.name.to_owned())).collect()
    }

    /// The SHA-256 of the `tools` that `tools/list` sends with these switched off, in hex.
    pub fn hash(&self, off: &BTreeSet<String>) -> String {
        let listed: Vec<&str> =
            self.iter().filter(|card| !off.contains(card.name)).map(|card| card.listed.as_str()).collect();
        let digest = Sha256::digest(format!("[{}]", listed.join(",")));
        digest.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(name: &'static str, old_names: &'static [&'static str]) -> ToolCard {
        ToolCard {
            name,
            old_names,
            description: "Does it.".to_owned(),
            scope: Scope::Read,
            effect: Effect::Read,
            tokens: Some(7),
            listed: format!("{{\"name\":\"{name}\"}}"),
        }
    }

    fn names(list: &[&str]) -> BTreeSet<String> {
        list.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn no_name_of_now_or_before_belongs_to_two() {
        let twice = |cards| Catalogue::new(cards).unwrap_err().0;
        assert_eq!(twice(vec![card("a", &[]), card("a", &[])]), "a");
        assert_eq!(twice(vec![card("a", &["b"]), card("b", &[])]), "b");
        assert_eq!(twice(vec![card("a", &["c"]), card("b", &["c"])]), "c");
        assert_eq!(twice(vec![card("a", &["a"])]), "a");
        assert!(Catalogue::new(vec![card("a", &["c"]), card("b", &["d"])]).is_ok());
    }

    #[test]
    fn a_tool_that_was_off_under_its_old_name_is_off_under_the_new_one() {
        let catalogue = Catalogue::new(vec![card("now", &["before"]), card("b", &[])]).unwrap();
        assert_eq!(catalogue.switched_off(names(&["before", "gone"])), names(&["gone", "now"]));
        assert_eq!(catalogue.find("before").map(|card| card.name), Some("now"));
    }

    #[test]
    fn the_hash_follows_what_is_listed_and_nothing_else() {
        let catalogue = Catalogue::new(vec![card("a", &[]), card("b", &["old"])]).unwrap();
        let all = catalogue.hash(&names(&[]));
        assert_eq!(all, catalogue.hash(&names(&["gone"])));
        assert_ne!(all, catalogue.hash(&names(&["b"])));
        // printf '[{"name":"a"}]' | sha256sum
        let only_a = "d434bc384a9f8eba930c115a06b09769bc5577707f70656ff5f7f47445a8fbbf";
        assert_eq!(catalogue.hash(&names(&["b"])), only_a);
    }
}
