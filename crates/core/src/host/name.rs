//! The name under which a host lists a server.

use std::fmt;

/// A name that every host takes as it is, in its commands and in its files: letters, digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerName(String);

/// Why a text is no such name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a server's name is 1 to 64 letters, digits, - and _, and begins with a letter or a digit")]
pub struct NotAName;

impl ServerName {
    /// Reads a name.
    pub fn parse(text: &str) -> Result<Self, NotAName> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        let begins_well = text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric());
        if begins_well && text.len() <= 64 && text.bytes().all(plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err(NotAName)
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for ServerName {
    fn default() -> Self {
        Self("countersign".to_owned())
    }
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_no_command_and_no_table() {
        for good in ["countersign", "a", "work-2", "Team_1", &"a".repeat(64)] {
            assert_eq!(ServerName::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", "-x", "_x", "a b", "a.b", "a\"b", "a]", "a;b", "a$b", "\u{e4}", &"a".repeat(65)] {
            assert_eq!(ServerName::parse(bad), Err(NotAName), "{bad}");
        }
    }

    #[test]
    fn the_usual_name_is_one() {
        let usual = ServerName::default();
        assert_eq!(ServerName::parse(usual.as_str()), Ok(usual));
    }
}
