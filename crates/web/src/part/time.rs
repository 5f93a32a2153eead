//! A moment on a page: words for people, RFC 3339 for programs; a script keeps the words fresh.

use countersign_core::time::Timestamp;
use maud::{Markup, html};

/// A moment as a distance from `now`: `5 min ago`, `in 23 h`.
pub fn time(at: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(at) title=(exact(at)) data-near { (near(at, now)) } }
}

/// A moment to the minute.
pub fn moment(at: Timestamp) -> Markup {
    html! { time datetime=(at) { (exact(at)) } }
}

/// `2026-11-29 13:54 UTC`.
pub fn exact(at: Timestamp) -> String {
    let text = at.to_string();
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(minute)) => format!("{day} {minute} UTC"),
        (None, _) | (_, None) => text,
    }
}

/// The distance in the largest unit that is not zero; beyond a month the day itself.
pub fn near(at: Timestamp, now: Timestamp) -> String {
    let seconds = at.seconds() - now.seconds();
    let words = match seconds.unsigned_abs() {
        0..45 => return if seconds > 0 { "in a moment".to_owned() } else { "just now".to_owned() },
        under @ 45..3_570 => format!("{} min", (under + 30) / 60),
        under @ 3_570..129_600 => format!("{} h", (under + 1_800) / 3_600),
        under @ 129_600..2_600_000 => format!("{} d", (under + 43_200) / 86_400),
        _ => return exact(at).get(..10).unwrap_or_default().to_owned(),
    };
    if seconds > 0 { format!("in {words}") } else { format!("{words} ago") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_zero(seconds: i64) -> String {
        near(Timestamp::from_millis(0).plus_seconds(seconds), Timestamp::from_millis(0))
    }

    #[test]
    fn distances_are_said_in_their_largest_unit() {
        for (seconds, words) in [
            (0, "just now"),
            (-44, "just now"),
            (20, "in a moment"),
            (-60, "1 min ago"),
            (-3_569, "59 min ago"),
            (-3_570, "1 h ago"),
            (86_400, "in 24 h"),
            (129_600, "in 2 d"),
            (23 * 3_600, "in 23 h"),
            (-3 * 86_400, "3 d ago"),
            (-40 * 86_400, "1969-11-22"),
        ] {
            assert_eq!(from_zero(seconds), words, "{seconds}");
        }
    }

    #[test]
    fn an_exact_moment_is_read_to_the_minute() {
        assert_eq!(exact(Timestamp::from_millis(61_000)), "1970-01-01 00:01 UTC");
    }
}
