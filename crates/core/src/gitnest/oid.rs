//! The id of a Git object: SHA-1, forty hexadecimal digits.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Names a Git object. Repositories are made with SHA-1 in so many words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Oid([u8; 20]);

/// Text that is not forty hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a full object id of forty hexadecimal digits")]
pub struct NotAnOid;

impl Oid {
    /// Git's spelling of "no object" in ref transactions.
    pub const ZERO: Self = Self([0; 20]);

    /// Wraps the twenty bytes of a digest.
    pub const fn new(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// The twenty bytes of the digest.
    pub const fn bytes(self) -> [u8; 20] {
        self.0
    }

    /// Reads forty lower-case hexadecimal digits; abbreviations are refused.
    pub fn parse(text: &str) -> Result<Self, NotAnOid> {
        let digits: &[u8; 40] = text.as_bytes().try_into().map_err(|_| NotAnOid)?;
        let mut bytes = [0; 20];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

const fn digit(ascii: u8) -> Result<u8, NotAnOid> {
    match ascii {
        b'0'..=b'9' => Ok(ascii - b'0'),
        b'a'..=b'f' => Ok(ascii - b'a' + 10),
        _ => Err(NotAnOid),
    }
}

impl std::fmt::Display for Oid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for Oid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Oid {
    type Err = NotAnOid;
    fn from_str(text: &str) -> Result<Self, NotAnOid> {
        Self::parse(text)
    }
}

impl Serialize for Oid {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Oid {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

impl schemars::JsonSchema for Oid {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Oid".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_id_is_read_back_as_it_was_written() {
        let text = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        assert_eq!(Oid::parse(text).unwrap().to_string(), text);
    }

    #[test]
    fn abbreviations_and_other_spellings_are_refused() {
        let upper = "4B825DC642CB6EB9A060E54BF8D69288FBEE4904";
        for text in
            ["", "4b825dc", upper, "refs/heads/main", "4b825dc642cb6eb9a060e54bf8d69288fbee49040", "é"]
        {
            assert_eq!(Oid::parse(text), Err(NotAnOid), "{text}");
        }
    }
}
