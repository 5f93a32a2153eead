//! Branches, or tags, that a file system or a person takes for one: two names with one key.

use std::collections::BTreeSet;

use super::fold;

/// Names, each with its key.
#[derive(Clone, Debug, Default)]
pub struct Alike(BTreeSet<(String, String)>);

impl Alike {
    /// Short names, each as often as it likes.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self(names.into_iter().map(|name| (fold::key(name), name.to_owned())).collect())
    }

    /// One that has the key of `name`: `name` itself, where `itself` says so.
    fn find(&self, name: &str, itself: bool) -> Option<&str> {
        let key = fold::key(name);
        let from = self.0.range((key.clone(), String::new())..);
        let same = from.take_while(|(of, _)| *of == key).map(|(_, other)| other.as_str());
        same.into_iter().find(|other| itself || *other != name)
    }

    /// Another one that has the key of `name`.
    pub fn other(&self, name: &str) -> Option<&str> {
        self.find(name, false)
    }

    /// One that has the key of `name`, or its very name.
    pub fn any(&self, name: &str) -> Option<&str> {
        self.find(name, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_like_one_that_differs_in_case_or_composition_alone() {
        let alike = Alike::new(["main", "caf\u{e9}", "ma", "main2"]);
        for (name, other) in [("Main", "main"), ("MAIN", "main"), ("cafe\u{301}", "caf\u{e9}")] {
            assert_eq!((alike.other(name), alike.any(name)), (Some(other), Some(other)), "{name}");
        }
        assert_eq!((alike.other("main"), alike.any("main")), (None, Some("main")));
        for name in ["topic", "mai", "main3", "cafe"] {
            assert_eq!((alike.other(name), alike.any(name)), (None, None), "{name}");
        }
    }
}
