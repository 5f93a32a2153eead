//! Two texts compared line by line, and the hunks that come of it.

use std::ops::Range;

use gix::diff::blob::sources::byte_lines;
use gix::diff::blob::{Algorithm, Diff, InternedInput, diff_with_slider_heuristics};

use super::{Hunk, Line};

/// Two texts, compared.
pub(super) struct Compared<'a> {
    input: InternedInput<&'a [u8]>,
    diff: Diff,
}

/// A run of changes that are too near to each other to be shown apart: ranges of lines, from 0.
struct Run {
    before: Range<u32>,
    after: Range<u32>,
}

impl<'a> Compared<'a> {
    pub(super) fn of(before: &'a [u8], after: &'a [u8]) -> Self {
        let input = InternedInput::new(byte_lines(before), byte_lines(after));
        let diff = diff_with_slider_heuristics(Algorithm::Histogram, &input);
        Self { input, diff }
    }

    pub(super) fn added(&self) -> usize {
        self.diff.count_additions() as usize
    }

    pub(super) fn removed(&self) -> usize {
        self.diff.count_removals() as usize
    }

    /// The hunks with so many unchanged lines around each change, unless they have more than `most` lines.
    pub(super) fn hunks(&self, most: usize, context: u32) -> Option<Vec<Hunk>> {
        let mut hunks = Vec::new();
        let mut count = 0;
        for run in self.runs(context) {
            let (removed, all) = (run.before.len(), run.after.len());
            // The run's old side and its new lines are what will be shown.
            count += removed + all;
            if count > most * 2 {
                return None;
            }
            hunks.push(self.hunk(&run));
        }
        (hunks.iter().map(|hunk| hunk.lines.len()).sum::<usize>() <= most).then_some(hunks)
    }

    /// The changes, joined where their unchanged lines would touch, with those around them.
    fn runs(&self, context: u32) -> Vec<Run> {
        let lines = u32::try_from(self.input.before.len()).unwrap_or(u32::MAX);
        let mut runs: Vec<Run> = Vec::new();
        for change in self.diff.hunks() {
            let ahead = change.before.start.min(context);
            let behind = (lines - change.before.end).min(context);
            let before = change.before.start - ahead..change.before.end + behind;
            let after = change.after.start - ahead..change.after.end + behind;
            match runs.last_mut() {
                Some(last) if before.start <= last.before.end => {
                    last.before.end = before.end;
                    last.after.end = after.end;
                }
                _ => runs.push(Run { before, after }),
            }
        }
        runs
    }

    fn hunk(&self, run: &Run) -> Hunk {
        let (mut old, mut new) = (run.before.start, run.after.start);
        let mut lines = Vec::new();
        while old < run.before.end || new < run.after.end {
            let whole = if old < run.before.end && self.diff.is_removed(old) {
                let (text, whole) = self.old_line(old);
                lines.push(Line::Removed { old: old + 1, text });
                old += 1;
                whole
            } else if new < run.after.end && self.diff.is_added(new) {
                let (text, whole) = text(self.input.interner[self.input.after[new as usize]]);
                lines.push(Line::Added { new: new + 1, text });
                new += 1;
                whole
            } else {
                let (text, whole) = self.old_line(old);
                lines.push(Line::Same { old: old + 1, new: new + 1, text });
                (old, new) = (old + 1, new + 1);
                whole
            };
            if !whole {
                lines.push(Line::NoEnding);
            }
        }
        Hunk { lines }
    }

    fn old_line(&self, index: u32) -> (String, bool) {
        text(self.input.interner[self.input.before[index as usize]])
    }
}

/// The text of a line, and whether it has a line feed.
fn text(line: &[u8]) -> (String, bool) {
    let bare = line.strip_suffix(b"\n");
    (String::from_utf8_lossy(bare.unwrap_or(line)).into_owned(), bare.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `git diff` prints it, without headers.
    fn printed(before: &str, after: &str) -> String {
        let compared = Compared::of(before.as_bytes(), after.as_bytes());
        let hunks = compared.hunks(usize::MAX / 2, 3).unwrap();
        let print = |line: &Line| match line {
            Line::Same { old, new, text } => format!("{old},{new} {text}\n"),
            Line::Removed { old, text } => format!("{old}-{text}\n"),
            Line::Added { new, text } => format!("{new}+{text}\n"),
            Line::NoEnding => "\\\n".to_owned(),
        };
        let hunks: Vec<String> = hunks.iter().map(|hunk| hunk.lines.iter().map(print).collect()).collect();
        hunks.join("@\n")
    }

    fn numbered(range: Range<u32>) -> String {
        range.fold(String::new(), |text, n| text + &n.to_string() + "\n")
    }

    #[test]
    fn a_change_is_shown_with_three_lines_around_it() {
        let after = numbered(1..21).replace("10\n", "ten\n");
        let seen = printed(&numbered(1..21), &after);
        assert_eq!(seen, "7,7 7\n8,8 8\n9,9 9\n10-10\n10+ten\n11,11 11\n12,12 12\n13,13 13\n");
    }

    #[test]
    fn changes_are_joined_where_their_surroundings_touch_and_else_stand_apart() {
        let change = |second: &str| {
            numbered(1..30).replace("\n10\n", "\nx\n").replace(&format!("\n{second}\n"), "\ny\n")
        };
        assert_eq!(printed(&numbered(1..30), &change("17")).matches('@').count(), 0);
        assert_eq!(printed(&numbered(1..30), &change("18")).matches('@').count(), 1);
    }

    #[test]
    fn a_missing_line_feed_at_the_end_is_a_change_that_can_be_seen() {
        assert_eq!(printed("a\nb\n", "a\nb"), "1,1 a\n2-b\n2+b\n\\\n");
        assert_eq!(printed("a\nb", "x\nb"), "1-a\n1+x\n2,2 b\n\\\n");
        assert_eq!(printed("a\n", "a\r\n"), "1-a\n1+a\r\n");
    }

    #[test]
    fn all_of_a_file_comes_or_goes() {
        assert_eq!(printed("", "a\nb\n"), "1+a\n2+b\n");
        assert_eq!(printed("a\n", ""), "1-a\n");
        assert_eq!(printed("same\n", "same\n"), "");
        assert_eq!(printed("", ""), "");
    }

    #[test]
    fn a_file_is_shown_whole_with_all_that_does_not_change() {
        let after = numbered(1..21).replace("10\n", "ten\n");
        let hunks = Compared::of(numbered(1..21).as_bytes(), after.as_bytes()).hunks(1000, u32::MAX).unwrap();
        assert_eq!((hunks.len(), hunks[0].lines.len()), (1, 21));
    }

    #[test]
    fn hunks_over_the_bound_are_not_made() {
        let (before, after) = (numbered(0..0), numbered(0..100));
        let compared = Compared::of(before.as_bytes(), after.as_bytes());
        assert!(compared.hunks(99, 3).is_none());
        assert_eq!(compared.hunks(100, 3).unwrap()[0].lines.len(), 100);
    }
}
