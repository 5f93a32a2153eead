//! How long an answer may be kept, by its own headers (RFC 9111 §4.2), within bounds of ours.

/// The headers that say it, as they came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheHeaders {
    /// `Cache-Control`, all of them joined by commas.
    pub cache_control: String,
    /// `Age`.
    pub age: String,
    /// `Expires`.
    pub expires: String,
    /// `Date`.
    pub date: String,
}

/// At least this, at most that, and what holds where nothing is said: in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The least, also for `no-store`: a bound on how often a stranger is asked.
    pub least: i64,
    /// The most.
    pub most: i64,
    /// Without a word of it.
    pub unsaid: i64,
}

/// For how many seconds the answer holds.
pub fn lifetime(headers: &CacheHeaders, bounds: Bounds) -> i64 {
    let directives = || headers.cache_control.split(',').map(str::trim);
    let named = |name: &str| directives().any(|directive| directive.eq_ignore_ascii_case(name));
    let said = if named("no-store") || named("no-cache") {
        Some(0)
    } else {
        // Of two that differ the shorter one holds.
        directives().filter_map(max_age).min().or_else(|| until_expires(headers))
    };
    let age = headers.age.trim().parse::<u32>().map_or(0, i64::from);
    let left = said.map_or(bounds.unsaid, |seconds| seconds - age);
    left.clamp(bounds.least, bounds.most)
}

fn max_age(directive: &str) -> Option<i64> {
    let (name, value) = directive.split_once('=')?;
    let seconds = name.trim().eq_ignore_ascii_case("max-age").then(|| value.trim().trim_matches('"'))?;
    // What is no number holds for no time (RFC 9111 §4.2.1).
    let digits = !seconds.is_empty() && seconds.bytes().all(|b| b.is_ascii_digit());
    Some(if digits { seconds.parse().unwrap_or(i64::from(u32::MAX)) } else { 0 })
}

fn until_expires(headers: &CacheHeaders) -> Option<i64> {
    if headers.expires.is_empty() {
        return None;
    }
    // A date that cannot be read is in the past (RFC 9111 §5.3).
    let seconds =
        |text: &str| jiff::fmt::rfc2822::parse(text.trim()).ok().map(|at| at.timestamp().as_second());
    let (expires, date) = (seconds(&headers.expires), seconds(&headers.date));
    Some(expires.zip(date).map_or(0, |(expires, date)| expires - date))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { least: 300, most: 86_400, unsaid: 3600 };

    fn of(cache_control: &str) -> i64 {
        lifetime(&CacheHeaders { cache_control: cache_control.to_owned(), ..CacheHeaders::default() }, BOUNDS)
    }

    #[test]
    fn what_the_answer_says_holds_within_the_bounds() {
        for (said, seconds) in [
            ("", 3600),
            ("public", 3600),
            ("max-age=7200", 7200),
            ("public, MAX-AGE=\"7200\"", 7200),
            ("max-age=7200, max-age=1000", 1000),
            ("max-age=1", 300),
            ("max-age=0", 300),
            ("no-store, max-age=7200", 300),
            ("No-Cache", 300),
            ("max-age=x", 300),
            ("max-age=-5", 300),
            ("max-age=99999999999999999999", 86_400),
            ("s-maxage=7200", 3600),
        ] {
            assert_eq!(of(said), seconds, "{said}");
        }
    }

    #[test]
    fn time_that_was_spent_on_the_way_counts() {
        let headers = |age: &str| CacheHeaders {
            cache_control: "max-age=7200".to_owned(),
            age: age.to_owned(),
            ..CacheHeaders::default()
        };
        assert_eq!(lifetime(&headers("200"), BOUNDS), 7000);
        assert_eq!(lifetime(&headers("7200"), BOUNDS), 300);
        assert_eq!(lifetime(&headers("soon"), BOUNDS), 7200);
    }

    #[test]
    fn expires_counts_from_the_date_of_the_answer_where_no_age_is_said() {
        let headers = |expires: &str, date: &str| CacheHeaders {
            expires: expires.to_owned(),
            date: date.to_owned(),
            ..CacheHeaders::default()
        };
        let date = "Sun, 29 Nov 2026 12:00:00 GMT";
        assert_eq!(lifetime(&headers("Sun, 29 Nov 2026 14:00:00 GMT", date), BOUNDS), 7200);
        assert_eq!(lifetime(&headers("0", date), BOUNDS), 300);
        assert_eq!(lifetime(&headers("Sun, 29 Nov 2026 14:00:00 GMT", ""), BOUNDS), 300);
    }
}
