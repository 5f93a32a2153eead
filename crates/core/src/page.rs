//! Pages of a list: each begins behind one item, so that what is added or taken away meanwhile neither repeats nor
//! hides another one.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::limit;
use crate::problem::Problem;

/// The most characters of a cursor.
pub const LONGEST: usize = 2048;

/// A place in a list: behind the item with this key, by which the list is sorted, and id. As text it is opaque, and
/// stands in an address as it is (base64url, RFC 4648 §5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    key: String,
    id: String,
}

impl Cursor {
    /// Behind the item with this key and id.
    pub fn new(key: &(impl ToString + ?Sized), id: &(impl ToString + ?Sized)) -> Self {
        Self { key: key.to_string(), id: id.to_string() }
    }

    /// Reads the text.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let (key, id): (String, String) = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        // No store on both engines holds a zero, so no item has one.
        (!key.contains('\0') && !id.contains('\0')).then_some(Self { key, id })
    }

    /// What the list is sorted by.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The id of the item.
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let json = serde_json::json!([self.key, self.id]).to_string();
        f.write_str(&URL_SAFE_NO_PAD.encode(json))
    }
}

/// Which part of a list is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    limit: usize,
    after: Option<Cursor>,
}

impl Default for Part {
    fn default() -> Self {
        Self { limit: limit::PAGE, after: None }
    }
}

impl Part {
    /// Reads how many items, from 1 to 100, and behind which one.
    pub fn new(limit: Option<usize>, after: Option<&str>) -> Result<Self, Problem> {
        let limit = limit.unwrap_or(limit::PAGE);
        if !(1..=limit::PAGE).contains(&limit) {
            return Err(Problem::invalid("limit", format!("from 1 to {}", limit::PAGE)));
        }
        let after = after.map(|text| Cursor::parse(text).ok_or_else(foreign)).transpose()?;
        Ok(Self { limit, after })
    }

    /// How many items.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// Behind which one; from the beginning without.
    pub const fn after(&self) -> Option<&Cursor> {
        self.after.as_ref()
    }

    /// How many rows to read: one more than the items tells whether there is another page.
    pub fn rows(&self) -> i64 {
        i64::try_from(self.limit + 1).unwrap_or(i64::MAX)
    }

    /// The page of the rows that were read, `cursor` telling the place of each.
    pub fn cut<T>(&self, mut rows: Vec<T>, cursor: impl Fn(&T) -> Cursor) -> Slice<T> {
        let more = rows.len() > self.limit;
        rows.truncate(self.limit);
        let next = if more { rows.last().map(cursor) } else { None };
        Slice { items: rows, next }
    }
}

/// The refusal of a cursor that no answer gave.
pub fn foreign() -> Problem {
    Problem::invalid("after", "what an answer of this list gave as `next`")
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice<T> {
    /// The items.
    pub items: Vec<T>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
}

impl<T> Slice<T> {
    /// The same page of other items.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Slice<U> {
        Slice { items: self.items.into_iter().map(change).collect(), next: self.next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_back_as_it_was_written_and_stands_in_an_address() {
        for (key, id) in [("", ""), ("Ada & Co / \u{e9}", "0190"), ("-5", "a\"b")] {
            let cursor = Cursor::new(key, id);
            let text = cursor.to_string();
            assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'), "{text}");
            assert_eq!(Cursor::parse(&text), Some(cursor));
        }
    }

    #[test]
    fn what_no_list_gave_is_no_cursor() {
        let zero = Cursor { key: "\0".into(), id: String::new() }.to_string();
        let long = Cursor::new(&"x".repeat(LONGEST), "").to_string();
        for text in ["", "x", "W10", "bnVsbA", "é", &zero, &long] {
            assert_eq!(Cursor::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_page_has_a_next_one_when_one_row_more_was_found() {
        let part = Part::new(Some(2), None).unwrap();
        assert_eq!(part.rows(), 3);
        let place = |row: &i32| Cursor::new(row, "");
        let page = part.cut(vec![1, 2, 3], place);
        assert_eq!((page.items, page.next), (vec![1, 2], Some(Cursor::new(&2, ""))));
        assert_eq!(part.cut(vec![1, 2], place).next, None);
    }

    #[test]
    fn a_page_has_one_to_a_hundred_items() {
        for limit in [0, 101] {
            assert_eq!(Part::new(Some(limit), None).unwrap_err().facts["field"], "limit");
        }
        assert_eq!(Part::new(Some(2), Some("x")).unwrap_err().facts["field"], "after");
        assert_eq!(Part::new(None, None).unwrap(), Part::default());
    }
}
