//! What a push asks of the refs: which ones, from where to where.

use super::branch::BranchName;
use super::oid::Oid;

/// How many refs one push may ask for.
pub const MOST_REFS: usize = 1000;

/// A ref that a client may name in a push.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PushRef {
    /// `refs/heads/…`
    Branch(BranchName),
    /// `refs/tags/…`
    Tag(TagName),
}

/// A tag by its short name, under the rules of branches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagName(String);

impl TagName {
    /// The short name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PushRef {
    /// Reads a full name; the error is a sentence that says why it is not taken, and what is.
    pub fn parse(full: &str) -> Result<Self, String> {
        if let Some(short) = full.strip_prefix("refs/heads/") {
            return BranchName::parse(short).map(Self::Branch).map_err(|rule| format!("{rule}."));
        }
        if let Some(short) = full.strip_prefix("refs/tags/") {
            // One set of rules for both: what is safe as the one is safe as the other.
            return BranchName::parse(short)
                .map(|name| Self::Tag(TagName(name.as_str().to_owned())))
                .map_err(|rule| format!("a tag name {}.", rule.0));
        }
        Err("only refs/heads/* and refs/tags/* can be pushed; the other refs belong to the server."
            .to_owned())
    }

    /// The full name.
    pub fn full(&self) -> String {
        match self {
            Self::Branch(name) => name.full(),
            Self::Tag(name) => format!("refs/tags/{}", name.0),
        }
    }

    /// The short name, as people say it.
    pub fn short(&self) -> &str {
        match self {
            Self::Branch(name) => name.as_str(),
            Self::Tag(name) => name.as_str(),
        }
    }
}

/// One ref that a push wants to move. `None` is "not there".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefUpdate {
    /// Which ref.
    pub name: PushRef,
    /// Where it must be before.
    pub old: Option<Oid>,
    /// Where it will be.
    pub new: Option<Oid>,
}

impl RefUpdate {
    /// Reads a line that git gives to `pre-receive` and `post-receive`: old id, new id, full name (githooks). The
    /// error is a sentence about the ref.
    pub fn parse(line: &str) -> Result<Self, String> {
        let unreadable = || format!("`{}` is not what git says to a hook.", visible(line));
        let mut words = line.splitn(3, ' ');
        let mut oid = || words.next().and_then(|word| Oid::parse(word).ok()).ok_or_else(unreadable);
        let (old, new) = (oid()?, oid()?);
        let full = words.next().ok_or_else(unreadable)?;
        let name = PushRef::parse(full).map_err(|rule| format!("{}: {rule}", visible(full)))?;
        let there = |oid: Oid| (oid != Oid::ZERO).then_some(oid);
        Ok(Self { name, old: there(old), new: there(new) })
    }
}

/// Text of a stranger, for a line on a terminal: its beginning, with what is invisible or steers spelled out.
pub fn visible(text: &str) -> String {
    crate::text::spelled_out(&text.chars().take(300).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    const NONE: &str = "0000000000000000000000000000000000000000";

    #[test]
    fn branches_and_tags_are_read_with_what_they_were_and_will_be() {
        let made = RefUpdate::parse(&format!("{NONE} {A} refs/heads/topic/x")).unwrap();
        assert_eq!((made.old, made.new), (None, Some(Oid::parse(A).unwrap())));
        assert_eq!((made.name.short(), made.name.full().as_str()), ("topic/x", "refs/heads/topic/x"));
        let gone = RefUpdate::parse(&format!("{A} {NONE} refs/tags/v1.0")).unwrap();
        assert_eq!((gone.name.full().as_str(), gone.new), ("refs/tags/v1.0", None));
    }

    #[test]
    fn what_belongs_to_the_server_or_has_a_bad_name_is_refused_in_a_sentence() {
        for name in [
            "refs/proposals/x",
            "refs/results/x",
            "refs/changesets/x/1",
            "refs/replace/4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            "refs/notes/commits",
            "refs/for/main",
            "refs/heads",
            "HEAD",
            "",
            "refs/heads/a b",
            "refs/heads/a\u{202e}b",
            "refs/heads/HEAD",
            "refs/tags/-d",
            "refs/tags/4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        ] {
            let said = RefUpdate::parse(&format!("{NONE} {A} {name}")).unwrap_err();
            assert!(said.ends_with('.') && !said.contains('\u{202e}'), "{name}: {said}");
        }
        for line in ["", "x", NONE, &format!("{NONE} {A}"), &format!("{NONE}  {A} refs/heads/a")] {
            assert!(RefUpdate::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn what_would_steer_a_terminal_is_spelled_out() {
        assert_eq!(visible("a\u{1b}[31mb"), "a\\u{1b}[31mb");
    }
}
