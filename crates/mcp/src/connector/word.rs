//! A member of the envelope: a string or an integer, and whatever else it is, is passed over and not kept.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// What stands at a name that JSON-RPC 2.0 §4 knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Word {
    /// Nothing; null is something.
    #[default]
    Absent,
    /// A string.
    Text(String),
    /// A number without a fraction, within 64 bits.
    Integer(i64),
    /// Anything else.
    Other,
}

impl Word {
    /// The string that it is.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Absent | Self::Integer(_) | Self::Other => None,
        }
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Word, E> {
        Ok(Word::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Word, E> {
        Ok(Word::Other)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Word, E> {
        Ok(Word::Integer(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Word, E> {
        Ok(i64::try_from(number).map_or(Word::Other, Word::Integer))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Word, E> {
        Ok(Word::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Word, E> {
        Ok(Word::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Word, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Word::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Word, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Word::Other)
    }
}
