//! The rows of a diff: hunks cut into equal and changed runs, each line coloured and marked.

use std::ops::Range;

use countersign_app::diff::view::{Hunk, Line};
use maud::{Markup, html};

use super::pair::differing;
use crate::highlight::{Highlighter, Language};
use crate::part::code::painted;

/// One line of one side, rendered.
pub(super) struct Side {
    pub(super) number: u32,
    pub(super) text: Markup,
}

/// What stands in the table.
pub(super) enum Row {
    /// Lines that are left out.
    Gap(String),
    /// The same on both sides.
    Same(Side, Side),
    /// What went and what came.
    Changed(Vec<Side>, Vec<Side>),
}

/// A run of changed lines before it is rendered.
#[derive(Default)]
struct Run<'a> {
    old: Vec<Raw<'a>>,
    new: Vec<Raw<'a>>,
}

struct Raw<'a> {
    number: u32,
    text: &'a str,
    ended: bool,
}

/// The rows of one file.
pub(super) fn rows(path: &str, hunks: &[Hunk]) -> Vec<Row> {
    let language = Language::of_path(path);
    let mut rows = Vec::new();
    let mut next_old = 1;
    for hunk in hunks {
        let start = first_old(hunk);
        if let Some(start) = start.filter(|start| *start > next_old) {
            let left_out = start - next_old;
            rows.push(Row::Gap(if left_out == 1 {
                "1 unchanged line".into()
            } else {
                format!("{left_out} unchanged lines")
            }));
        }
        let mut file =
            Sides { old: Highlighter::new(language), new: Highlighter::new(language), rows: &mut rows };
        file.hunk(hunk);
        next_old = last_old(hunk).map_or(next_old, |last| last + 1);
    }
    rows
}

fn first_old(hunk: &Hunk) -> Option<u32> {
    hunk.lines.iter().find_map(old_number)
}

fn last_old(hunk: &Hunk) -> Option<u32> {
    hunk.lines.iter().rev().find_map(old_number)
}

const fn old_number(line: &Line) -> Option<u32> {
    match line {
        Line::Same { old, .. } | Line::Removed { old, .. } => Some(*old),
        Line::Added { .. } | Line::NoEnding => None,
    }
}

/// Both sides of a hunk under the lexer.
struct Sides<'r> {
    old: Highlighter,
    new: Highlighter,
    rows: &'r mut Vec<Row>,
}

impl Sides<'_> {
    fn hunk(&mut self, hunk: &Hunk) {
        let mut run = Run::default();
        let mut lines = hunk.lines.iter().peekable();
        while let Some(line) = lines.next() {
            let ended = lines.next_if(|next| matches!(next, Line::NoEnding)).is_none();
            match line {
                Line::Removed { old, text } => {
                    if !run.new.is_empty() {
                        self.flush(&std::mem::take(&mut run));
                    }
                    run.old.push(Raw { number: *old, text, ended });
                }
                Line::Added { new, text } => run.new.push(Raw { number: *new, text, ended }),
                Line::Same { old, new, text } => {
                    self.flush(&std::mem::take(&mut run));
                    let (old, new) = (Raw { number: *old, text, ended }, Raw { number: *new, text, ended });
                    let left = side(&mut self.old, &old, None);
                    let right = side(&mut self.new, &new, None);
                    self.rows.push(Row::Same(left, right));
                }
                Line::NoEnding => {}
            }
        }
        self.flush(&run);
    }

    fn flush(&mut self, run: &Run<'_>) {
        if run.old.is_empty() && run.new.is_empty() {
            return;
        }
        let marks: Vec<_> =
            run.old.iter().zip(&run.new).map(|(old, new)| differing(old.text, new.text)).collect();
        let mark = |at: usize| marks.get(at).and_then(Option::as_ref);
        let old = run
            .old
            .iter()
            .enumerate()
            .map(|(at, raw)| side(&mut self.old, raw, mark(at).map(|m| &m.0)))
            .collect();
        let new = run
            .new
            .iter()
            .enumerate()
            .map(|(at, raw)| side(&mut self.new, raw, mark(at).map(|m| &m.1)))
            .collect();
        self.rows.push(Row::Changed(old, new));
    }
}

fn side(highlighter: &mut Highlighter, raw: &Raw<'_>, mark: Option<&Range<usize>>) -> Side {
    let spans = highlighter.line(raw.text);
    let text = html! {
        (painted(raw.text, &spans, mark.map_or(&[], std::slice::from_ref)))
        @if !raw.ended { " " span.tag { "no line ending" } }
    };
    Side { number: raw.number, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carriage_return_is_shown_wherever_it_stands() {
        let line = Line::Added { new: 1, text: "# one\rtwo\r".to_owned() };
        for path in ["a.md", "a.rs", "a.unknown"] {
            let rows = rows(path, &[Hunk { lines: vec![line.clone()] }]);
            let Some(Row::Changed(_, new)) = rows.first() else { panic!("{path}") };
            let html = new[0].text.clone().into_string();
            assert_eq!(html.matches(">U+000D<").count(), 2, "{html}");
        }
    }

    #[test]
    fn a_gap_counts_the_lines_that_are_left_out() {
        let same = |n| Line::Same { old: n, new: n, text: String::new() };
        let rows = rows("a", &[Hunk { lines: vec![same(3)] }, Hunk { lines: vec![same(5)] }]);
        let gaps: Vec<_> = rows
            .iter()
            .filter_map(|row| if let Row::Gap(text) = row { Some(text.as_str()) } else { None })
            .collect();
        assert_eq!(gaps, ["2 unchanged lines", "1 unchanged line"]);
    }
}
