//! A workspace's slug: its place in clone addresses.

use countersign_core::problem::Problem;

/// 2 to 40 of `a-z`, `0-9` and `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slug(String);

impl Slug {
    /// Reads a slug.
    pub fn new(text: &str) -> Result<Self, Problem> {
        let fits = (2..=40).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(Problem::invalid("workspace_slug", "2 to 40 of the characters a-z, 0-9 and -"))
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_what_an_address_can_hold() {
        let long = "a".repeat(40);
        for text in ["ab", "acme-2", "0-", &long] {
            assert_eq!(Slug::new(text).unwrap().as_str(), text);
        }
        let longer = "a".repeat(41);
        for text in ["", "a", "Acme", "a_b", "a b", "a/b", "é-", &longer] {
            assert!(Slug::new(text).is_err(), "{text}");
        }
    }
}
