//! Holds the records of one seal against its entries.

use std::collections::{HashMap, HashSet};

use super::{Digest, Entry, Row};

/// The first thing wrong between a seal and the records that name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A record is not what was sealed.
    Changed {
        /// The record.
        id: String,
    },
    /// In the place of a record stands another one of the same seal.
    Swapped {
        /// The record whose place it is.
        id: String,
        /// The one that stands there.
        other: String,
    },
    /// A record does not name this seal any more.
    Missing {
        /// The record.
        id: String,
        /// A record that names this seal and is not covered by it.
        instead: Option<String>,
    },
    /// A record names this seal and is not covered by it.
    Added {
        /// The record.
        id: String,
    },
}

/// The first flaw, in the order of the entries; then records that are in none.
pub fn flaw(entries: &[Entry], rows: &[Row<'_>]) -> Option<Flaw> {
    let by_id: HashMap<&str, &Row<'_>> = rows.iter().map(|row| (row.id, row)).collect();
    let covered: HashSet<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    let added = rows.iter().find(|row| !covered.contains(row.id));
    for entry in entries {
        match by_id.get(entry.id.as_str()) {
            None => {
                let instead = added.map(|row| row.id.to_owned());
                return Some(Flaw::Missing { id: entry.id.clone(), instead });
            }
            Some(row) if row.digest() == entry.digest => {}
            Some(_) => return Some(replaced(entry, rows)),
        }
    }
    added.map(|row| Flaw::Added { id: row.id.to_owned() })
}

/// A record that is not what was sealed: another one of the seal under its id, or changed.
fn replaced(entry: &Entry, rows: &[Row<'_>]) -> Flaw {
    let under = |row: &Row<'_>| -> Digest { Row { id: &entry.id, ..*row }.digest() };
    let id = entry.id.clone();
    match rows.iter().find(|row| row.id != entry.id && under(row) == entry.digest) {
        Some(other) => Flaw::Swapped { id, other: other.id.to_owned() },
        None => Flaw::Changed { id },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &'static str, action: &'static str) -> Row<'static> {
        Row {
            id,
            workspace_id: None,
            at: 1,
            actor_kind: "server",
            actor_id: None,
            connection_id: None,
            action,
            resource_id: None,
            outcome: "done",
            code: None,
            detail: "{}",
        }
    }

    fn sealed() -> (Vec<Row<'static>>, Vec<Entry>) {
        let rows = vec![row("a", "one"), row("b", "two"), row("c", "three")];
        let entries = rows.iter().map(|row| Entry { id: row.id.to_owned(), digest: row.digest() }).collect();
        (rows, entries)
    }

    fn after(change: impl FnOnce(&mut Vec<Row<'static>>)) -> Option<Flaw> {
        let (mut rows, entries) = sealed();
        change(&mut rows);
        flaw(&entries, &rows)
    }

    #[test]
    fn what_was_not_touched_has_no_flaw_in_whatever_order_it_is_read() {
        assert_eq!(after(|_| {}), None);
        assert_eq!(after(|rows| rows.reverse()), None);
    }

    #[test]
    fn each_flaw_is_named() {
        let id = |id: &str| id.to_owned();
        assert_eq!(after(|rows| rows[1].outcome = "refused"), Some(Flaw::Changed { id: id("b") }));
        assert_eq!(after(|rows| rows.truncate(2)), Some(Flaw::Missing { id: id("c"), instead: None }));
        assert_eq!(after(|rows| rows.push(row("d", "four"))), Some(Flaw::Added { id: id("d") }));
        let exchange = |rows: &mut Vec<Row<'static>>| (rows[0].id, rows[2].id) = ("c", "a");
        assert_eq!(after(exchange), Some(Flaw::Swapped { id: id("a"), other: id("c") }));
        let replace = |rows: &mut Vec<Row<'static>>| rows[1] = row("x", "from another seal");
        assert_eq!(after(replace), Some(Flaw::Missing { id: id("b"), instead: Some(id("x")) }));
    }

    #[test]
    fn the_first_of_several_is_named() {
        let two = |rows: &mut Vec<Row<'static>>| {
            rows[2].action = "changed";
            rows.push(row("d", "four"));
        };
        assert_eq!(after(two), Some(Flaw::Changed { id: "c".to_owned() }));
    }
}
