//! Blame: beside each line of a file, the commit that wrote it.

use countersign_app::repository::blame::LINES;
use countersign_app::repository::view::{BlameBody, BlameRun, BlameView, Lines};
use maud::{Markup, html};

use super::shell::{Shell, chooser, next_page, reference, shell, title, way};
use crate::address::{self, Leaf};
use crate::frame::Scene;
use crate::highlight::{Highlighter, Language};
use crate::part::code::painted;
use crate::part::empty::empty;
use crate::part::icon::Icon;
use crate::part::text::{count, oid, visible};
use crate::part::time::time;

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &BlameView, live: &str) -> Markup {
    let (heading, path) = (&view.heading, &view.path);
    let shown = String::from_utf8_lossy(path.name()).into_owned();
    let file = address::at(Leaf::Files, heading.id, path, reference(heading));
    let main = html! {
        div.bar { (chooser(heading, Leaf::Blame, path)) (way(heading, Leaf::Blame, path)) }
        section.card.clip aria-label=(shown) {
            header.tools {
                span.small.soft { "Who wrote each line" @if let BlameBody::Done { lines, .. } = &view.body { " · " (count(lines.total, "line")) } }
                div.push.row {
                    a.button href=(file) { "File" }
                    a.button href=(address::at(Leaf::History, heading.id, path, reference(heading))) { "History" }
                }
            }
            @match &view.body {
                BlameBody::Done { lines, runs } => (done(scene, view, lines, runs)),
                BlameBody::Binary => (empty(Icon::File, "Not a text", "Lines are blamed in UTF-8 text alone. The history of the file names its commits.", None)),
                BlameBody::TooLarge => (empty(Icon::File, "Too large to blame here", "The file has more than 1 MB, or had once, or a commit of its history is too large to be read. In a clone, `git blame` has the time that a page has not.", None)),
                BlameBody::TooLong => (empty(Icon::Clock, "Its history is too long to blame here", "It was not walked within five seconds. In a clone, `git blame` has the time that a page has not.", None)),
                BlameBody::Failed => (empty(Icon::Alert, "This blame did not work", "The file itself can be read, and its history names its commits. The operator finds the cause in the server's log.", None)),
            }
        }
    };
    let title = format!("Blame of {shown}");
    shell(scene, &Shell { title: &title, tab: Leaf::Files, heading, live }, &main)
}

fn done(scene: &Scene<'_>, view: &BlameView, lines: &Lines, runs: &[BlameRun]) -> Markup {
    let here = address::at(Leaf::Blame, view.heading.id, &view.path, reference(&view.heading));
    let offset = lines.from - 1;
    let step = if lines.to < lines.total { lines.to + 1 - lines.from } else { LINES };
    html! {
        @if runs.is_empty() { p.pad.soft { @if lines.total == 0 { "This file is empty." } @else { "The file ends before this line." } } }
        @else { (table(scene, view, lines, runs)) }
        @if offset > 0 || lines.to < lines.total {
            div.foot { (next_page(&here, offset, step, lines.to < lines.total, &format!("Lines {} to {} of {}", lines.from, lines.to, lines.total))) }
        }
    }
}

fn table(scene: &Scene<'_>, view: &BlameView, lines: &Lines, runs: &[BlameRun]) -> Markup {
    let mut highlighter = Highlighter::new(Language::of_path(&view.path.to_string()));
    let mut text = lines.text.lines();
    html! {
        table.lines.source.blame {
            @for run in runs {
                @for at in 0..run.lines {
                    @let (number, line) = (run.from + at, text.next().unwrap_or_default());
                    tr.first[at == 0] id={ "L" (number) } {
                        @if at == 0 { td.who-wrote rowspan=(run.lines) { (who(scene, view, run)) } }
                        td.no { a href={ "#L" (number) } data-no=(number) tabindex="-1" aria-label={ "Line " (number) } {} }
                        td.text { (painted(line, &highlighter.line(line), &[])) }
                    }
                }
            }
        }
    }
}

fn who(scene: &Scene<'_>, view: &BlameView, run: &BlameRun) -> Markup {
    html! {
        div {
            @match &run.commit {
                Some(commit) => {
                    a.subject href=(address::commit(view.heading.id, commit.oid)) title=(title(commit)) { (visible(title(commit))) }
                    span.faint.about { span.cut { (visible(&commit.author)) } (time(commit.at, scene.now)) span.wide-only { (oid(&commit.oid.to_string())) } }
                },
                None => span.faint { "not found" },
            }
        }
    }
}
