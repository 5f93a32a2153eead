//! One changed file as the API tells it: the hunks as unified text.

use countersign_app::diff::view::{FileBody, FileChange as Kind, FileDiff, Hunk, Line};
use countersign_core::api::proposal::FileChange;

/// A file of a proposal.
pub(super) fn of(file: &FileDiff) -> FileChange {
    FileChange {
        path: file.path.clone(),
        from: file.from.clone(),
        change: match file.change {
            Kind::Added => "added",
            Kind::Modified if file.from.is_some() => "renamed",
            Kind::Modified => "modified",
            Kind::Removed => "removed",
        }
        .to_owned(),
        added: file.added,
        removed: file.removed,
        patch: match &file.body {
            FileBody::Text(hunks) => Some(hunks.iter().map(hunk).collect()),
            FileBody::Binary | FileBody::TooLarge(_) | FileBody::NotCompared => None,
        },
    }
}

/// A hunk as `diff -u` writes it.
fn hunk(hunk: &Hunk) -> String {
    let (mut old, mut new) = (Side::default(), Side::default());
    let mut body = String::new();
    for line in &hunk.lines {
        let (sign, text) = match line {
            Line::Same { old: o, new: n, text } => {
                old.count(*o);
                new.count(*n);
                (" ", text.as_str())
            }
            Line::Removed { old: o, text } => {
                old.count(*o);
                ("-", text.as_str())
            }
            Line::Added { new: n, text } => {
                new.count(*n);
                ("+", text.as_str())
            }
            Line::NoEnding => ("\\", " No newline at end of file"),
        };
        body.push_str(sign);
        body.push_str(text);
        body.push('\n');
    }
    format!("@@ -{},{} +{},{} @@\n{body}", old.first, old.lines, new.first, new.lines)
}

#[derive(Default)]
struct Side {
    first: u32,
    lines: u32,
}

impl Side {
    const fn count(&mut self, number: u32) {
        if self.lines == 0 {
            self.first = number;
        }
        self.lines += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hunk_reads_as_unified_text() {
        let lines = vec![
            Line::Same { old: 3, new: 3, text: "a".into() },
            Line::Removed { old: 4, text: "b".into() },
            Line::Added { new: 4, text: "c".into() },
            Line::Added { new: 5, text: "d".into() },
            Line::NoEnding,
        ];
        let text = hunk(&Hunk { lines });
        assert_eq!(text, "@@ -3,2 +3,3 @@\n a\n-b\n+c\n+d\n\\ No newline at end of file\n");
    }

    #[test]
    fn a_new_file_begins_at_nothing() {
        let text = hunk(&Hunk { lines: vec![Line::Added { new: 1, text: "a".into() }] });
        assert_eq!(text, "@@ -0,0 +1,1 @@\n+a\n");
    }
}
