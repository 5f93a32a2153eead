//! Who made or approved a commit, as it may stand in a commit's header.

use crate::id::ConnectionId;
use crate::text::{clean_name, is_deceptive};

/// A name and a mail address without anything that could end the header they stand in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    name: String,
    mail: String,
}

impl Identity {
    /// Cleans both: no `<`, `>`, line breaks, controls or invisible characters; never empty.
    pub fn new(name: &str, mail: &str) -> Self {
        let name = clean_name(name, 200);
        let kept =
            mail.chars().filter(|c| !c.is_whitespace() && !is_deceptive(*c) && !matches!(c, '<' | '>'));
        let mail: String = kept.take(254).collect();
        Self {
            name: if name.is_empty() { "unnamed".into() } else { name },
            mail: if mail.is_empty() { "unknown@countersign.invalid".into() } else { mail },
        }
    }

    /// The author of what a connection proposed: `<display name> (via <user>)`.
    pub fn connection(display_name: &str, user: &str, id: ConnectionId) -> Self {
        let name = format!("{} (via {})", clean_name(display_name, 90), clean_name(user, 90));
        Self::new(&name, &format!("connection-{id}@countersign.invalid"))
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The mail address.
    pub fn mail(&self) -> &str {
        &self.mail
    }
}

impl std::fmt::Display for Identity {
    /// `Name <mail>`, as Git writes it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} <{}>", self.name, self.mail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn nothing_in_a_name_can_make_another_header_line() {
        let identity = Identity::new("Eve\ncommitter Root", "e<v>e\n@ example.com\0");
        assert_eq!(identity.to_string(), "Eve committer Root <eve@example.com>");
    }

    #[test]
    fn who_has_no_name_left_still_has_one() {
        assert_eq!(Identity::new("<>", "\u{202e}").to_string(), "unnamed <unknown@countersign.invalid>");
    }

    #[test]
    fn an_agent_is_named_with_the_person_behind_it() {
        let id = ConnectionId::new(Uuid::nil());
        let said = Identity::connection("Claude", "Mira <m>", id).to_string();
        assert_eq!(
            said,
            "Claude (via Mira m) <connection-00000000-0000-0000-0000-000000000000@countersign.invalid>"
        );
    }
}
