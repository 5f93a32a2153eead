//! Which records are asked for, and from where on.

use countersign_core::id::{ConnectionId, ResourceId, UserId};
use countersign_core::page::{Cursor as Place, foreign};
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use countersign_store::audit::Cursor;
use countersign_store::audit_page;

use crate::connection::view::Outcome;

/// Which records; nothing asks for every one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// What the action begins with; empty for any.
    pub action: String,
    /// The person behind the call.
    pub actor: Option<UserId>,
    /// The connection that called.
    pub connection: Option<ConnectionId>,
    /// The resource.
    pub resource: Option<ResourceId>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The code of the refusal.
    pub code: Option<Code>,
    /// What stands anywhere in the record or in a name, small and large letters of ASCII alike; empty for any.
    pub text: String,
    /// Not before this moment.
    pub from: Option<Timestamp>,
    /// Before this moment.
    pub until: Option<Timestamp>,
}

impl Filter {
    /// Whether it asks for every record.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn stored(&self) -> audit_page::Filter {
        let id = |id: Option<String>| id.unwrap_or_default();
        audit_page::Filter {
            action: self.action.clone(),
            actor: id(self.actor.map(|id| id.to_string())),
            connection: id(self.connection.map(|id| id.to_string())),
            resource: id(self.resource.map(|id| id.to_string())),
            outcome: self.outcome.map_or_else(String::new, |outcome| outcome.as_str().to_owned()),
            code: self.code.map_or_else(String::new, |code| code.as_str().to_owned()),
            text: self.text.clone(),
            from: self.from.map(Timestamp::millis),
            until: self.until.map(Timestamp::millis),
        }
    }
}

/// The longest id, in bytes, behind which a page can begin.
const LONGEST: usize = 64;

/// A place between two records: behind the one of this moment and id. As text `MILLISECONDS.ID`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    at: i64,
    id: String,
}

impl Mark {
    /// Reads the text.
    pub fn parse(text: &str) -> Option<Self> {
        let (at, id) = text.split_once('.')?;
        // Whatever stands in the store: one may have been tampered with.
        let fits = !id.is_empty() && id.len() <= LONGEST;
        Some(Self { at: at.parse().ok()?, id: fits.then(|| id.to_owned())? })
    }

    pub(super) const fn moment(&self) -> Timestamp {
        Timestamp::from_millis(self.at)
    }
}

impl From<Mark> for Place {
    fn from(mark: Mark) -> Self {
        Self::new(&mark.at, &mark.id)
    }
}

impl TryFrom<&Place> for Mark {
    type Error = Problem;
    fn try_from(place: &Place) -> Result<Self, Problem> {
        Self::parse(&format!("{}.{}", place.key(), place.id())).ok_or_else(foreign)
    }
}

impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.at, self.id)
    }
}

impl From<Cursor> for Mark {
    fn from(Cursor { at, id }: Cursor) -> Self {
        Self { at, id }
    }
}

/// From where on, and which way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// From the newest record on.
    #[default]
    Newest,
    /// What is older than a record.
    Older(Mark),
    /// What is newer than one.
    Newer(Mark),
}

impl Turn {
    pub(super) fn stored(&self) -> audit_page::Turn {
        let cursor = |mark: &Mark| Cursor { at: mark.at, id: mark.id.clone() };
        match self {
            Self::Newest => audit_page::Turn::Older(Cursor::newest()),
            Self::Older(mark) => audit_page::Turn::Older(cursor(mark)),
            Self::Newer(mark) => audit_page::Turn::Newer(cursor(mark)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_back_as_it_was_written() {
        let text = "1796000000123.01900000-0000-7000-8000-000000000001";
        assert_eq!(Mark::parse(text).unwrap().to_string(), text);
        for wrong in ["", "1", "1.", "x.01900000-0000-7000-8000-000000000001", "."] {
            assert_eq!(Mark::parse(wrong), None, "{wrong}");
        }
    }
}
