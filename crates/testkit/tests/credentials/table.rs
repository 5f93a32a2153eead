//! A table for a person to read: one row a route or a tool, one column a credential, a mark in each cell, and what the
//! marks and the columns mean below.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::credential::Credential;
use crate::seen::Seen;

/// How wide a column is.
const CELL: usize = 11;

/// A table.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<(String, Vec<Seen>)>,
}

impl Table {
    /// Adds a row.
    pub(crate) fn row(&mut self, name: String, cells: Vec<Seen>) {
        self.rows.push((name, cells));
    }

    /// The whole text.
    pub(crate) fn render(&self, columns: &[Credential]) -> String {
        let width = self.rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default() + 2;
        let mut text = format!("{:width$}", "");
        for column in columns {
            let _ = write!(text, "{:CELL$}", column.head);
        }
        for (name, cells) in &self.rows {
            text.truncate(text.trim_end().len());
            let _ = write!(text, "\n{name:width$}");
            for cell in cells {
                let _ = write!(text, "{:CELL$}", cell.mark());
            }
        }
        text.truncate(text.trim_end().len());
        text + "\n\n" + &self.marks() + "\n" + &heads(columns)
    }

    fn marks(&self) -> String {
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for seen in self.rows.iter().flat_map(|(_, cells)| cells) {
            let before = known.insert(seen.mark(), &seen.word);
            let same = before.is_none_or(|word| word == seen.word);
            assert!(same, "{} stands for {:?} and for {}", seen.mark(), before, seen.word);
        }
        let worded = known.iter().filter(|(_, word)| !word.is_empty());
        worded.fold(String::new(), |text, (mark, word)| text + &format!("{mark:CELL$}{word}\n"))
    }
}

fn heads(columns: &[Credential]) -> String {
    columns
        .iter()
        .fold(String::new(), |text, column| text + &format!("{:CELL$}{}\n", column.head, column.what))
}
