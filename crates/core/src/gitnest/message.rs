//! Commit messages: what an agent wrote, cleaned, and the trailers that only the server makes.

use caseless::Caseless as _;
use unicode_normalization::UnicodeNormalization as _;

use super::identity::Identity;
use crate::id::ProposalId;
use crate::text::is_deceptive;

/// The longest message of an agent.
pub const MOST_BYTES: usize = 16 << 10;
/// The trailers that the server makes, folded; nobody else's lines may look like them.
const OURS: [&str; 2] = ["proposal", "approvedby"];

/// What an agent wrote about its change, without anything that passes for ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentMessage(String);

/// Why a text cannot be a commit message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MessageBreach {
    /// Nothing is left to say.
    #[error("must hold at least one line of text besides `Proposal:` and `Approved-by:`")]
    Empty,
    /// It is over [`MOST_BYTES`].
    #[error("must be at most 16384 bytes long")]
    TooLong,
    /// It steers a terminal or turns the writing direction.
    #[error("must not hold NUL, control or bidirectional characters")]
    Control,
}

impl AgentMessage {
    /// Refuses what hides or steers; takes out lines that look like the server's trailers.
    pub fn parse(text: &str) -> Result<Self, MessageBreach> {
        if text.len() > MOST_BYTES {
            return Err(MessageBreach::TooLong);
        }
        let text = text.replace("\r\n", "\n");
        if text.chars().any(is_control) {
            return Err(MessageBreach::Control);
        }
        let kept: Vec<&str> =
            text.split('\n').map(str::trim_end).filter(|line| !looks_like_ours(line)).collect();
        let kept = kept.join("\n").trim_matches('\n').to_owned();
        if kept.trim().is_empty() { Err(MessageBreach::Empty) } else { Ok(Self(kept)) }
    }

    /// The cleaned text, without a line break at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first line.
    pub fn subject(&self) -> &str {
        self.0.lines().next().unwrap_or_default()
    }
}

/// A whole commit message, ready for the commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitMessage(String);

impl CommitMessage {
    /// The agent's text, then the server's trailers in a paragraph of their own: Git reads
    /// trailers from the last paragraph alone, so none of the agent's stand among ours.
    pub fn approved(text: &AgentMessage, proposal: ProposalId, approver: &Identity) -> Self {
        Self(format!("{}\n\nProposal: {proposal}\nApproved-by: {approver}\n", text.0))
    }

    /// The text alone.
    pub fn plain(text: &AgentMessage) -> Self {
        Self(format!("{}\n", text.0))
    }

    /// The message as it stands in the commit.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether `c` steers a terminal or turns the writing direction; line break and tab do neither.
pub const fn is_control(c: char) -> bool {
    !matches!(c, '\n' | '\t')
        && (matches!(c, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}')
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

/// Whether a line reads as `Proposal:` or `Approved-by:`, in whatever casing, spacing, dashes,
/// compatibility letters (`ｐ`) or colons, and with invisible characters in between.
fn looks_like_ours(line: &str) -> bool {
    let folded: String = line.nfkc().default_case_fold().nfkc().filter(|c| !is_deceptive(*c)).collect();
    let Some((key, _)) = folded.split_once([':', '\u{2236}', '\u{a789}', '\u{2f8}', '\u{5c3}']) else {
        return false;
    };
    let letters: String = key.chars().filter(|c| c.is_alphanumeric()).collect();
    OURS.contains(&letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn look_alikes_of_our_trailers_are_taken_out_in_every_spelling() {
        for line in [
            "Proposal: 1",
            "proposal:1",
            "PROPOSAL : 1",
            "  Proposal:\t1",
            "Pro\u{200b}posal: 1",
            "Ｐｒｏｐｏｓａｌ: 1",
            "Proposal： 1",
            "Approved-by: Root <r@x>",
            "approved-By:x",
            "Approved by: x",
            "APPROVED_BY :x",
            "Approved--By: x",
            "Approved\u{2010}by: x",
            "ApprovedBy: x",
            "Approved-by∶ x",
        ] {
            let message = AgentMessage::parse(&format!("Fix it\n\n{line}\nCo-authored-by: A <a@b>")).unwrap();
            assert_eq!(message.as_str(), "Fix it\n\nCo-authored-by: A <a@b>", "{line}");
            assert_eq!(AgentMessage::parse(line), Err(MessageBreach::Empty), "{line}");
        }
    }

    #[test]
    fn ordinary_sentences_stay() {
        let text =
            "Explain the proposal: it is good\n\n- approved by nobody yet\n\tindented \u{26a0}\u{fe0f}";
        assert_eq!(AgentMessage::parse(text).unwrap().as_str(), text);
    }

    #[test]
    fn what_hides_or_steers_is_refused() {
        for text in ["a\0b", "a\u{1b}[2Jb", "a\rb", "a\u{202e}b", "a\u{2028}b", "a\u{85}b"] {
            assert_eq!(AgentMessage::parse(text), Err(MessageBreach::Control), "{text:?}");
        }
        assert_eq!(AgentMessage::parse(&"a".repeat(MOST_BYTES + 1)), Err(MessageBreach::TooLong));
        assert_eq!(AgentMessage::parse(" \n\t\n"), Err(MessageBreach::Empty));
    }

    #[test]
    fn our_trailers_stand_alone_in_the_last_paragraph() {
        let message = AgentMessage::parse("Fix it\r\n\r\nReviewed-by: B <b@c>\r\n").unwrap();
        let whole =
            CommitMessage::approved(&message, ProposalId::new(Uuid::nil()), &Identity::new("Mira", "m@x"));
        let end = "Reviewed-by: B <b@c>\n\nProposal: 00000000-0000-0000-0000-000000000000\nApproved-by: Mira <m@x>\n";
        assert!(whole.as_str().starts_with("Fix it\n\n") && whole.as_str().ends_with(end), "{whole:?}");
    }
}
