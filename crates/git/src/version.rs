//! Which git this machine has, and whether it is new enough.

use crate::error::{GitError, Result};

/// A git release: the first two numbers are what differs in features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GitVersion {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
}

impl GitVersion {
    /// The oldest that is tested.
    pub const OLDEST: Self = Self { major: 2, minor: 43 };
    /// The first that knows `git init --ref-format`.
    pub const REF_FORMAT: Self = Self { major: 2, minor: 45 };

    /// Reads the line of `git --version`, and refuses what is too old.
    pub fn check(line: &str) -> Result<Self> {
        let version = Self::parse(line).ok_or_else(|| GitError::NoGit {
            found: format!("git answered {:?} for its version", line.trim()),
        })?;
        if version < Self::OLDEST {
            return Err(GitError::NoGit { found: format!("git is {}.{}", version.major, version.minor) });
        }
        Ok(version)
    }

    fn parse(line: &str) -> Option<Self> {
        let mut numbers = line.trim().strip_prefix("git version ")?.split('.');
        Some(Self { major: numbers.next()?.parse().ok()?, minor: numbers.next()?.parse().ok()? })
    }
}

impl std::fmt::Display for GitVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_enough_is_accepted_in_every_spelling_of_a_release() {
        for line in [
            "git version 2.43.0\n",
            "git version 2.47.3",
            "git version 2.50.1 (Apple Git-155)",
            "git version 3.0.rc1",
        ] {
            assert!(GitVersion::check(line).is_ok(), "{line}");
        }
    }

    #[test]
    fn an_old_git_is_refused_with_what_to_do() {
        let said = GitVersion::check("git version 2.39.5").unwrap_err().to_string();
        assert!(
            said.contains("2.39") && said.contains("2.43 or newer") && said.contains("COUNTERSIGN_GIT"),
            "{said}"
        );
        assert!(GitVersion::check("git from a strange place").is_err());
    }
}
