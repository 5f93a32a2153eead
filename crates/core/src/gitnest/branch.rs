//! The name of a branch, as `git check-ref-format` allows it and a little stricter.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::is_deceptive;

/// A branch by its short name (`main`, `agents/readme`), safe in a ref transaction's text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchName(String);

/// A name that no branch of ours can have; the text is the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a branch name {0}")]
pub struct NotABranchName(pub &'static str);

impl BranchName {
    /// Reads a short name. The rules are those of `git check-ref-format --branch`, and besides:
    /// at most 200 bytes, no invisible characters, and no name that reads as an object id, as `HEAD` or as the full name of a ref.
    pub fn parse(name: &str) -> Result<Self, NotABranchName> {
        breach(name).map_or_else(|| Ok(Self(name.to_owned())), |rule| Err(NotABranchName(rule)))
    }

    /// The short name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The full name of the ref: `refs/heads/…`.
    pub fn full(&self) -> String {
        format!("refs/heads/{}", self.0)
    }
}

fn breach(name: &str) -> Option<&'static str> {
    if name.is_empty() || name.len() > crate::limit::BRANCH {
        return Some("has 1 to 200 bytes");
    }
    if name.chars().any(|c| is_deceptive(c) || matches!(c, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\')) {
        return Some("has no spaces, control or invisible characters and none of ~ ^ : ? * [ \\");
    }
    if name.contains("..") || name.contains("@{") || name == "@" {
        return Some("holds neither `..` nor `@{` and is not `@`");
    }
    if name.starts_with('-') || name.ends_with('.') || name == "HEAD" {
        return Some("does not start with `-`, end with `.` or read `HEAD`");
    }
    let part =
        |part: &str| part.is_empty() || part.starts_with('.') || part.to_ascii_lowercase().ends_with(".lock");
    if name.split('/').any(part) {
        return Some("has parts that are not empty, do not start with `.` and do not end with `.lock`");
    }
    if name.starts_with("refs/") {
        return Some("does not begin with `refs/`, which begins the full name of a ref");
    }
    if name.len() == 40 && name.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Some("does not read as an object id");
    }
    None
}

impl std::fmt::Display for BranchName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::str::FromStr for BranchName {
    type Err = NotABranchName;
    fn from_str(text: &str) -> Result<Self, NotABranchName> {
        Self::parse(text)
    }
}

impl Serialize for BranchName {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for BranchName {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_are_branches() {
        for name in ["main", "agents/readme-2", "v1.0", "größe", "release@2026", "refs", "a/refs/b"] {
            assert_eq!(BranchName::parse(name).unwrap().full(), format!("refs/heads/{name}"));
        }
    }

    #[test]
    fn a_name_cannot_break_out_of_a_ref_transaction_or_mean_something_else() {
        let long = "a".repeat(201);
        for name in [
            "",
            " ",
            "a b",
            "a\nb",
            "a\0b",
            "a..b",
            "a@{1}",
            "@",
            "-d",
            "a.",
            "HEAD",
            "a//b",
            "/a",
            "a/",
            ".a",
            "a/.b",
            "a.lock",
            "a.LOCK/b",
            "a~1",
            "a^",
            "a:b",
            "a?",
            "a*",
            "a[",
            "a\\b",
            "a\u{202e}b",
            "a\u{7f}",
            "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            "refs/tags/v1",
            "refs/heads/main",
            "refs/x",
            &long,
        ] {
            assert!(BranchName::parse(name).is_err(), "{name:?}");
        }
    }
}
