//! Whether every object of a JSON text names each of its members once (RFC 8259 §4 leaves to readers what happens
//! otherwise: the last one would win here, another one in a proxy or a log).
//!
//! It reads a value without keeping it, so that it is no second parse.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// The names of a value and of all values in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Names {
    /// Each stands once in its object.
    #[default]
    Unique,
    /// One stands twice in the same object.
    Repeated,
}

impl Names {
    fn and(self, other: Self) -> Self {
        if self == Self::Unique { other } else { self }
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Names;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Names, E> {
        Ok(Names::Unique)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Names, E> {
        Ok(Names::Unique)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Names, E> {
        Ok(Names::Unique)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Names, E> {
        Ok(Names::Unique)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Names, E> {
        Ok(Names::Unique)
    }

    fn visit_str<E>(self, _: &str) -> Result<Names, E> {
        Ok(Names::Unique)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Names, A::Error> {
        let mut seen = Names::Unique;
        while let Some(inside) = list.next_element()? {
            seen = seen.and(inside);
        }
        Ok(seen)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
        let (mut known, mut seen) = (HashSet::new(), Names::Unique);
        while let Some(name) = map.next_key::<String>()? {
            if !known.insert(name) {
                seen = Names::Repeated;
            }
            seen = seen.and(map.next_value()?);
        }
        Ok(seen)
    }
}
