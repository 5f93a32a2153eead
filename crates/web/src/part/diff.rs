//! A diff for a reviewer: one fold a file, unified or side by side, coloured, the changed words marked.

mod line;
mod mode;
mod pair;

use countersign_app::diff::view::{FileBody, FileChange, FileDiff, Hunk};
use maud::{Markup, html};

use super::icon::{Icon, icon};
use super::text::{count, name, visible};
use line::{Row, Side, rows};
use mode::note;

/// How the two sides stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One below the other.
    Unified,
    /// Side by side.
    Split,
}

/// Files with more lines than this, taken together, start folded.
const OPEN_LINES: usize = 1_500;

/// Every file of a change.
pub fn files(files: &[FileDiff], layout: Layout) -> Markup {
    folds(files, (layout, ""), |_| None)
}

/// Every file of one of several changes on a page; `mark` tells their folds apart.
pub fn files_of(mark: &str, files: &[FileDiff], layout: Layout) -> Markup {
    folds(files, (layout, mark), |_| None)
}

/// Every file of a change, each with a link to where `place` says that it stands now.
pub fn files_with(files: &[FileDiff], layout: Layout, place: impl Fn(&FileDiff) -> Option<String>) -> Markup {
    folds(files, (layout, ""), place)
}

fn folds(
    files: &[FileDiff],
    (layout, mark): (Layout, &str),
    place: impl Fn(&FileDiff) -> Option<String>,
) -> Markup {
    let before =
        files.iter().scan(0, |sum, file| Some(std::mem::replace(sum, *sum + file.added + file.removed)));
    html! {
        @for ((position, file), before) in files.iter().enumerate().zip(before) {
            @let id = format!("{mark}file-{}", position + 1);
            (one(file, &id, (layout, before <= OPEN_LINES), place(file).as_deref()))
        }
    }
}

/// The list of the files, each a link to its fold.
pub fn contents(files: &[FileDiff]) -> Markup {
    html! {
        ul.files {
            @for (position, file) in files.iter().enumerate() {
                li {
                    a href={ "#file-" (position + 1) } {
                        span.path title=(file.path) { bdi { (visible(&file.path)) } }
                        (sums(file))
                    }
                }
            }
        }
    }
}

/// `+12 −3`, or in a word why lines are not counted.
pub fn sums(file: &FileDiff) -> Markup {
    html! {
        span.nowrap {
            @match file.body {
                FileBody::Binary => span.faint { "binary" },
                FileBody::NotCompared => span.faint { "not compared" },
                FileBody::Text(_) | FileBody::TooLarge(_) => {
                    span.plus { "+" (file.added) }
                    @if file.change != FileChange::Added { " " span.minus { "−" (file.removed) } }
                }
            }
        }
    }
}

fn one(file: &FileDiff, id: &str, (layout, open): (Layout, bool), place: Option<&str>) -> Markup {
    html! {
        @if let Some(place) = place { a.place.small href=(place) aria-label={ "File " (file.path) } { "File" } }
        details.diff id=(id) open[open] {
            summary {
                span.turn { (icon(Icon::Chevron)) }
                @if let Some(from) = &file.from { code.was { (name(from)) } span.faint { "→" } }
                code { (name(&file.path)) }
                @match file.change {
                    FileChange::Added => span.tag { "new" },
                    FileChange::Removed => span.tag { "removed" },
                    FileChange::Modified => { @if file.from.is_some() { span.tag { "renamed" } } },
                }
                @if let Some(note) = note(file) { span.faint.small { (note) } }
                span.push.row {
                    @if matches!(file.body, FileBody::Text(_)) { span.mono { (sums(file)) } }
                }
            }
            @match &file.body {
                FileBody::Binary => p.none { "Binary content. It is not shown." },
                FileBody::TooLarge(lines) => p.none { "Too large to show: " (count(*lines, "line")) ". Read it in a clone." },
                FileBody::NotCompared => p.none { "More than this page has room or time for. Read it in a clone." },
                FileBody::Text(hunks) if hunks.is_empty() => p.none { @if file.change == FileChange::Modified { "No line changes." } @else { "Empty file." } },
                FileBody::Text(hunks) => div.scroll { (table(&file.path, hunks, layout)) },
            }
        }
    }
}

fn table(path: &str, hunks: &[Hunk], layout: Layout) -> Markup {
    let rows = rows(path, hunks);
    match layout {
        Layout::Unified => unified(&rows),
        Layout::Split => split(&rows),
    }
}

fn gap(text: &str, columns: u8) -> Markup {
    html! { tr.gap { td colspan=(columns) { (text) } } }
}

fn unified(rows: &[Row]) -> Markup {
    html! {
        table.lines {
            @for row in rows {
                @match row {
                    Row::Gap(text) => (gap(text, 4)),
                    Row::Same(old, new) => tr {
                        td.no.old data-no=(old.number) {} td.no.new data-no=(new.number) {} td.sign {} td.text { (new.text) }
                    },
                    Row::Changed(old, new) => {
                        @for side in old { (unified_side(side, "del", "−")) }
                        @for side in new { (unified_side(side, "add", "+")) }
                    },
                }
            }
        }
    }
}

fn unified_side(side: &Side, class: &str, sign: &str) -> Markup {
    let (old, new) = if class == "del" { (Some(side.number), None) } else { (None, Some(side.number)) };
    html! {
        tr {
            td class={ "no old " (class) } data-no=[old] {}
            td class={ "no new " (class) } data-no=[new] {}
            td class={ "sign " (class) } data-sign=(sign) {}
            td class={ "text " (class) } { (side.text) }
        }
    }
}

fn split(rows: &[Row]) -> Markup {
    html! {
        table.lines.split {
            colgroup { col.number; col; col.number; col; }
            @for row in rows {
                @match row {
                    Row::Gap(text) => (gap(text, 4)),
                    Row::Same(old, new) => tr { (half(Some(old), "same")) (half(Some(new), "same")) },
                    Row::Changed(old, new) => {
                        @for at in 0..old.len().max(new.len()) {
                            tr { (half(old.get(at), "del")) (half(new.get(at), "add")) }
                        }
                    },
                }
            }
        }
    }
}

fn half(side: Option<&Side>, class: &str) -> Markup {
    html! {
        @if let Some(side) = side {
            td class={ "no " (class) } data-no=(side.number) {}
            td class={ "text " (class) } { (side.text) }
        } @else {
            td.no.void {} td.text.void {}
        }
    }
}
