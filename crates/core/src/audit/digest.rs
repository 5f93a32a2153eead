//! A SHA-256 (FIPS 180-4) of the audit log, and the head of its chain: `NUMBER:DIGEST`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// 32 bytes of SHA-256, written as 64 small hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// What the first seal names as the one before it.
    pub const NONE: Self = Self([0; 32]);

    /// Wraps the bytes of a digest.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads the bytes of a column; `None` when they are not 32.
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// Reads 64 hexadecimal digits, in either case.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// The bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A place in the chain: the number of a seal and its digest. Number 0 stands before the first seal.
///
/// Who notes a head elsewhere can tell later whether the log still leads through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the seal.
    pub number: i64,
    /// Its digest.
    pub digest: Digest,
}

impl Head {
    /// Before the first seal.
    pub const START: Self = Self { number: 0, digest: Digest::NONE };

    /// Reads `NUMBER:DIGEST`.
    pub fn parse(text: &str) -> Option<Self> {
        let (number, digest) = text.trim().split_once(':')?;
        if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        Some(Self { number: number.parse().ok()?, digest: Digest::parse(digest)? })
    }
}

impl std::fmt::Display for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.number, self.digest)
    }
}

impl Serialize for Head {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Head {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not NUMBER:DIGEST"))
    }
}

impl schemars::JsonSchema for Head {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Head".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9]+:[0-9a-f]{64}$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_back_as_it_was_written() {
        let head =
            Head { number: 42, digest: Digest::new(std::array::from_fn(|at| u8::try_from(at).unwrap() * 7)) };
        assert_eq!(Head::parse(&head.to_string()), Some(head));
        assert_eq!(Head::parse(&format!(" {}\n", head.to_string().to_uppercase())), Some(head));
        assert_eq!(Head::START.to_string(), format!("0:{}", "0".repeat(64)));
    }

    #[test]
    fn what_is_no_head_is_none() {
        let digits = "0".repeat(64);
        for text in
            ["", "1", ":", &digits, &format!("-1:{digits}"), &format!("+1:{digits}"), &format!("1:{digits}0")]
        {
            assert_eq!(Head::parse(text), None, "{text}");
        }
        assert_eq!(Head::parse(&format!("1:{}é", "0".repeat(62))), None);
        assert_eq!(Head::parse(&format!("99999999999999999999:{digits}")), None);
    }
}
