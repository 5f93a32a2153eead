//! A moment in milliseconds since 1970-01-01 UTC, shown as RFC 3339.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Milliseconds since the Unix epoch, UTC. It comes in from the edge; nothing here reads a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Wraps milliseconds since the Unix epoch.
    pub const fn from_millis(ms: i64) -> Self {
        Self(ms)
    }

    /// Reads a moment as RFC 3339 writes it.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>().ok().map(|at| Self(at.as_millisecond()))
    }

    /// The beginning of a day, `2026-11-29`, in UTC.
    pub fn of_day(text: &str) -> Option<Self> {
        (text.len() == 10).then(|| Self::parse(&format!("{text}T00:00:00Z")))?
    }

    /// Milliseconds since the Unix epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since the Unix epoch, as Git and OAuth count.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// This moment and `seconds` more.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0 + seconds * 1000)
    }
}

impl std::fmt::Display for Timestamp {
    /// RFC 3339 in UTC with milliseconds: `2026-11-29T13:54:49.000Z`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(at) => write!(f, "{at:.3}"),
            Err(_) => write!(f, "{}ms", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
        let at: jiff::Timestamp = text.parse().map_err(serde::de::Error::custom)?;
        Ok(Self(at.as_millisecond()))
    }
}

impl schemars::JsonSchema for Timestamp {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Timestamp".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_back_as_it_was_written() {
        let at = Timestamp::from_millis(1_796_000_000_123);
        let text = serde_json::to_string(&at).unwrap();
        assert_eq!(serde_json::from_str::<Timestamp>(&text).unwrap(), at);
        assert!(serde_json::from_str::<Timestamp>("\"yesterday\"").is_err());
    }

    #[test]
    fn a_day_begins_at_midnight_of_utc_and_what_is_no_day_is_none() {
        assert_eq!(Timestamp::of_day("1970-01-02"), Some(Timestamp::from_millis(86_400_000)));
        for wrong in ["", "2026-02-30", "2026-11-29T10:00:00Z", "20261129", "yesterday"] {
            assert_eq!(Timestamp::of_day(wrong), None, "{wrong}");
        }
        let at = Timestamp::parse("1970-01-01T00:00:01.5Z");
        assert_eq!((at, Timestamp::parse("1970-01-01")), (Some(Timestamp::from_millis(1500)), None));
    }

    #[test]
    fn a_moment_reads_as_rfc_3339() {
        assert_eq!(Timestamp::from_millis(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(
            Timestamp::from_millis(1_796_000_000_123).plus_seconds(1).to_string(),
            "2026-11-30T00:53:21.123Z"
        );
    }
}
