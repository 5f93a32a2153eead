//! A file: its lines with numbers to point at, its picture, or why neither is shown.

use countersign_app::repository::browse::LINES;
use countersign_app::repository::view::{BrowseView, FileBody, FileView, Lines};
use countersign_core::gitnest::tree_path::TreePath;
use maud::{Markup, html};

use super::folder::is_markdown;
use super::shell::{latest, next_page, reference};
use crate::address::{self, Leaf};
use crate::frame::Scene;
use crate::highlight::{Highlighter, Language};
use crate::part::code::painted;
use crate::part::empty::empty;
use crate::part::icon::{Icon, icon};
use crate::part::markdown::{Base, markdown};
use crate::part::notice::{Kind, notice};
use crate::part::size::size;
use crate::part::text::count;

/// How many bytes of Markdown are rendered.
const MOST_RENDERED: u64 = 256 << 10;

/// The file.
pub(super) fn file(scene: &Scene<'_>, view: &BrowseView, file: &FileView, as_source: bool) -> Markup {
    let (heading, path) = (&view.heading, &view.path);
    let shown = String::from_utf8_lossy(path.name());
    let raw = address::at(Leaf::Raw, heading.id, path, reference(heading));
    let whole = matches!(&file.body, FileBody::Text(lines) if lines.from == 1 && lines.to == lines.total && !lines.cut);
    let renders = whole && file.size <= MOST_RENDERED && is_markdown(&shown);
    html! {
        section.card.clip aria-label=(shown) {
            (latest(scene, heading, path, view.latest.as_ref()))
            header.tools {
                span.small.soft { (facts(file)) }
                div.push.row {
                    @if renders { (rendering(view, as_source)) }
                    @if matches!(file.body, FileBody::Text(_)) { a.button href=(address::at(Leaf::Blame, heading.id, path, reference(heading))) { "Blame" } }
                    span.joined {
                        a.button href=(raw) { "Raw" }
                        a.button href=(address::with(&raw, "download", "1")) download aria-label="Download" title="Download" { (icon(Icon::Download)) }
                    }
                }
            }
            @match &file.body {
                FileBody::Text(lines) if renders && !as_source => {
                    @let folder = path.parent().unwrap_or_default();
                    div.prose { (markdown(&lines.text, &Base { repository: heading.id, reference: reference(heading), folder: &folder })) }
                },
                FileBody::Text(lines) => {
                    @if is_lfs_pointer(lines) {
                        (notice(Kind::Plain, "This is a pointer of Git LFS", &html! { "The file itself is kept outside of this repository, where this server does not look." }))
                    }
                    (text(view, lines))
                },
                FileBody::Image => figure.picture { img src=(raw) alt=(shown); },
                FileBody::Binary => (empty(Icon::File, "Not a text", "These are bytes that are no UTF-8 text. Download the file to use it.", None)),
                FileBody::TooLarge => (empty(Icon::File, "Too large to show", &format!("{} are more than a page holds. Download the file, or read it in a clone.", size(file.size)), None)),
            }
        }
    }
}

/// Whether it is what Git LFS puts in the place of a large file (its specification, "The Pointer").
fn is_lfs_pointer(lines: &Lines) -> bool {
    let first = "version https://git-lfs.github.com/spec/v1\n";
    lines.from == 1 && lines.total <= 10 && lines.text.starts_with(first) && lines.text.contains("\noid ")
}

fn facts(file: &FileView) -> Markup {
    html! { @if let FileBody::Text(lines) = &file.body { (count(lines.total, "line")) " · " } (size(file.size)) }
}

fn rendering(view: &BrowseView, as_source: bool) -> Markup {
    let here = address::at(Leaf::Files, view.heading.id, &view.path, reference(&view.heading));
    html! {
        span.joined {
            a class={ "button" @if !as_source { " on" } } href=(here) aria-current=[(!as_source).then_some("true")] { "Rendered" }
            a class={ "button" @if as_source { " on" } } href=(address::with(&here, "view", "source")) aria-current=[as_source.then_some("true")] { "Source" }
        }
    }
}

fn text(view: &BrowseView, lines: &Lines) -> Markup {
    let here = address::at(Leaf::Files, view.heading.id, &view.path, reference(&view.heading));
    let offset = lines.from - 1;
    html! {
        @if lines.total == 0 { p.pad.soft { "This file is empty." } }
        @else if lines.to < lines.from { p.pad.soft { "The file ends before this line. " a href=(here) { "Show its beginning" } "." } }
        @else { (table(&view.path, lines)) }
        @if lines.cut { div.pad { (notice(Kind::Plain, "The last line is cut", &html! { "It is too long for a page. The raw file holds all of it." })) } }
        @if offset > 0 || lines.to < lines.total {
            div.foot { (next_page(&here, offset, page_step(lines), lines.to < lines.total, &format!("Lines {} to {} of {}", lines.from, lines.to, lines.total))) }
        }
    }
}

/// How far the next page begins: a page of long lines holds fewer.
fn page_step(lines: &Lines) -> usize {
    if lines.to < lines.total { lines.to + 1 - lines.from } else { LINES }
}

fn table(path: &TreePath, lines: &Lines) -> Markup {
    let mut highlighter = Highlighter::new(Language::of_path(&path.to_string()));
    html! {
        table.lines.source {
            @for (number, line) in (lines.from..).zip(lines.text.split_inclusive('\n')) {
                @let line = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
                tr id={ "L" (number) } {
                    td.no { a href={ "#L" (number) } data-no=(number) tabindex="-1" aria-label={ "Line " (number) } {} }
                    td.text { (painted(line, &highlighter.line(line), &[])) }
                }
            }
        }
    }
}
