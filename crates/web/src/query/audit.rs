//! Which records of the audit log an address asks for, for the page, the API and the export alike.

use countersign_app::audit::{Filter, Listing, Mark, Turn};
use countersign_app::connection::view::Outcome;
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::address;

/// The longest text that is searched for, in characters.
pub(crate) const LONGEST: usize = 200;
const DAY_S: i64 = 24 * 60 * 60;

/// The query. A form without JavaScript sends what is not chosen as empty text.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Asked {
    /// What the action begins with.
    #[schemars(length(max = LONGEST))]
    action: String,
    /// The id of the person behind the call.
    #[schemars(length(max = 36))]
    actor: String,
    /// The id of the connection that called.
    #[schemars(length(max = 36))]
    connection: String,
    /// The id of the resource.
    #[schemars(length(max = 36))]
    resource: String,
    /// `done`, `refused` or `cancelled`.
    #[schemars(regex(pattern = "^(done|refused|cancelled)?$"))]
    outcome: String,
    /// The code of the refusal.
    #[schemars(length(max = LONGEST))]
    code: String,
    /// What stands anywhere in the record or in a name, whatever its case.
    #[schemars(length(max = LONGEST))]
    text: String,
    /// Not before this day, `2026-11-29`, or moment of RFC 3339.
    #[schemars(length(max = LONGEST))]
    from: String,
    /// Not after this day, or before this moment.
    #[schemars(length(max = LONGEST))]
    until: String,
    // Where a page of the app stands; the API has its own way.
    #[schemars(skip)]
    before: String,
    #[schemars(skip)]
    after: String,
}

impl Asked {
    /// Which records.
    pub(crate) fn filter(&self) -> Result<Filter, Problem> {
        Ok(Filter {
            action: short("action", &self.action)?,
            actor: one("actor", &self.actor, "the id of a person", |text| text.parse().ok())?,
            connection: one("connection", &self.connection, "the id of a connection", |text| {
                text.parse().ok()
            })?,
            resource: one("resource", &self.resource, "the id of a resource", |text| text.parse().ok())?,
            outcome: one("outcome", &self.outcome, "`done`, `refused` or `cancelled`", Outcome::parse)?,
            code: one("code", &self.code, "a code of this server", |text| {
                Code::ALL.iter().copied().find(|code| code.as_str() == text)
            })?,
            text: short("text", &self.text)?,
            from: one("from", &self.from, MOMENT, |text| {
                Timestamp::of_day(text).or_else(|| Timestamp::parse(text))
            })?,
            // A day is meant to its end.
            until: one("until", &self.until, MOMENT, |text| {
                let end = Timestamp::of_day(text).map(|day| day.plus_seconds(DAY_S));
                end.or_else(|| Timestamp::parse(text))
            })?,
        })
    }

    /// Which records, and from where on.
    pub(crate) fn listing(&self) -> Result<Listing, Problem> {
        let mark = |name, text| one(name, text, "what an answer gave as the place to go on", Mark::parse);
        let turn = match (mark("before", &self.before)?, mark("after", &self.after)?) {
            (None, None) => Turn::Newest,
            (Some(mark), None) => Turn::Older(mark),
            (None, Some(mark)) => Turn::Newer(mark),
            (Some(_), Some(_)) => return Err(Problem::invalid("before", "not together with `after`")),
        };
        Ok(Listing { filter: self.filter()?, turn })
    }

    /// The address of a page with this filter, from the newest record on.
    pub(crate) fn address(&self, path: &str) -> String {
        let fields = [
            ("action", &self.action),
            ("actor", &self.actor),
            ("connection", &self.connection),
            ("resource", &self.resource),
            ("outcome", &self.outcome),
            ("code", &self.code),
            ("text", &self.text),
            ("from", &self.from),
            ("until", &self.until),
        ];
        let given = fields.into_iter().filter(|(_, value)| !value.is_empty());
        given.fold(path.to_owned(), |address, (name, value)| address::with(&address, name, value))
    }

    /// The first and the last day, as the form shows them.
    pub(crate) fn days(&self) -> (&str, &str) {
        (&self.from, &self.until)
    }
}

const MOMENT: &str = "a day like 2026-11-29, or a moment of RFC 3339";

/// A field that may be left empty.
fn one<T>(
    name: &str,
    text: &str,
    rule: &str,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, Problem> {
    match text.trim() {
        "" => Ok(None),
        text => read(text).map(Some).ok_or_else(|| Problem::invalid(name, rule)),
    }
}

fn short(name: &str, text: &str) -> Result<String, Problem> {
    let text = text.trim();
    // PostgreSQL holds no text with a zero in it, so none can be found.
    if text.chars().count() > LONGEST || text.contains('\0') {
        return Err(Problem::invalid(name, format!("at most {LONGEST} characters, none of them zero")));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(change: impl FnOnce(&mut Asked)) -> Asked {
        let mut asked = Asked::default();
        change(&mut asked);
        asked
    }

    #[test]
    fn an_empty_form_asks_for_everything() {
        assert_eq!(Asked::default().listing().unwrap(), Listing::default());
        assert_eq!(Asked::default().address("/audit"), "/audit");
    }

    #[test]
    fn a_day_is_meant_to_its_end() {
        let filter = asked(|asked| (asked.from, asked.until) = ("1970-01-02".into(), "1970-01-02".into()));
        let filter = filter.filter().unwrap();
        let day = |days: i64| Some(Timestamp::from_millis(days * 86_400_000));
        assert_eq!((filter.from, filter.until), (day(1), day(2)));
    }

    #[test]
    fn what_cannot_be_meant_is_refused_by_name() {
        for (name, asked) in [
            ("actor", asked(|asked| asked.actor = "me".into())),
            ("outcome", asked(|asked| asked.outcome = "failed".into())),
            ("code", asked(|asked| asked.code = "nothing".into())),
            ("from", asked(|asked| asked.from = "yesterday".into())),
            ("text", asked(|asked| asked.text = "x".repeat(LONGEST + 1))),
            ("text", asked(|asked| asked.text = "\0".into())),
            ("before", asked(|asked| asked.before = "1".into())),
        ] {
            assert_eq!(asked.listing().unwrap_err().facts["field"], name);
        }
    }

    #[test]
    fn an_address_carries_the_filter_and_no_place() {
        let asked = asked(|asked| {
            (asked.text, asked.outcome) = ("a&b".into(), "done".into());
            asked.before = "1.x".into();
        });
        assert_eq!(asked.address("/audit"), "/audit?outcome=done&text=a%26b");
    }
}
