//! A folder: its entries with their last changes, and what introduces it.

use countersign_app::repository::browse::ENTRIES;
use countersign_app::repository::view::{BrowseView, FolderRow, FolderRowKind, FolderView, Heading, Readme};
use countersign_core::gitnest::tree_path::TreePath;
use maud::{Markup, html};

use super::shell::{latest, next_page, reference, title};
use crate::address::{self, Leaf};
use crate::frame::Scene;
use crate::part::icon::{Icon, icon};
use crate::part::markdown::{Base, markdown};
use crate::part::size::size;
use crate::part::text::{count, name, visible};
use crate::part::time::time;

/// The entries, and what introduces them.
pub(super) fn folder(scene: &Scene<'_>, view: &BrowseView, body: &FolderView) -> Markup {
    let (heading, path) = (&view.heading, &view.path);
    let here = address::at(Leaf::Files, heading.id, path, reference(heading));
    let end = body.offset + body.rows.len();
    html! {
        section.card aria-label="Files" {
            (latest(scene, heading, path, view.latest.as_ref()))
            @if body.total == 0 { p.pad.soft { "This folder is empty." } }
            @else if body.rows.is_empty() { p.pad.soft { "There are no more entries." } }
            @else {
                table.tree {
                    thead { tr { th.entry { span.unseen { "Name" } } th.subject { span.unseen { "Last change" } } th.bytes { span.unseen { "Size" } } th.when { span.unseen { "When" } } } }
                    tbody {
                        @if let Some(parent) = path.parent() { tr { td.entry colspan="4" { a href=(address::at(Leaf::Files, heading.id, &parent, reference(heading))) aria-label="Parent folder" { span.faint { (icon(Icon::Folder)) } ".." } } } }
                        @for row in &body.rows { (one(scene, heading, row)) }
                    }
                }
            }
            @if body.offset > 0 || end < body.total {
                div.foot { (next_page(&here, body.offset, ENTRIES, end < body.total, &format!("{} of {}", body.rows.len(), count(body.total, "entry")))) }
            }
        }
        @if let Some(readme) = &body.readme { (introduction(heading, path, readme)) }
    }
}

fn one(scene: &Scene<'_>, heading: &Heading, row: &FolderRow) -> Markup {
    let shown = String::from_utf8_lossy(row.path.name());
    html! {
        tr {
            td.entry {
                a data-walk href=(address::at(Leaf::Files, heading.id, &row.path, reference(heading))) {
                    span class=(if row.kind == FolderRowKind::Folder { "of-folder" } else { "faint" }) { (icon(picture(row.kind))) }
                    span { (name(&shown)) @if let Some(word) = kind(row.kind) { " " span.tag { (word) } } }
                }
            }
            td.subject { @if let Some(last) = &row.last { a href=(address::commit(heading.id, last.oid)) { (visible(title(last))) } } }
            td.bytes { @if let Some(bytes) = row.size { (size(bytes)) } }
            td.when { @if let Some(last) = &row.last { (time(last.at, scene.now)) } }
        }
    }
}

const fn picture(kind: FolderRowKind) -> Icon {
    match kind {
        FolderRowKind::File => Icon::File,
        FolderRowKind::Folder => Icon::Folder,
        FolderRowKind::Symlink => Icon::Link,
        FolderRowKind::Submodule => Icon::Book,
    }
}

const fn kind(kind: FolderRowKind) -> Option<&'static str> {
    match kind {
        FolderRowKind::File | FolderRowKind::Folder => None,
        FolderRowKind::Symlink => Some("link"),
        FolderRowKind::Submodule => Some("submodule"),
    }
}

fn introduction(heading: &Heading, folder: &TreePath, readme: &Readme) -> Markup {
    let file = String::from_utf8_lossy(readme.path.name()).into_owned();
    let to = address::at(Leaf::Files, heading.id, &readme.path, reference(heading));
    html! {
        section.card aria-label=(file) {
            header { span.faint { (icon(Icon::File)) } h2 { a.plain href=(to) { (name(&file)) } } }
            @match &readme.text {
                None => p.pad.soft { "It is too long to be shown here, or no text. " a href=(to) { "Open it" } "." },
                Some(text) if text.trim().is_empty() => p.pad.soft { "It is empty." },
                Some(text) if is_markdown(&file) => {
                    div.prose { (markdown(text, &Base { repository: heading.id, reference: reference(heading), folder })) }
                },
                Some(text) => pre.prose.plain-text tabindex="0" { (visible(text)) },
            }
        }
    }
}

/// Whether a file is Markdown, by its name.
pub(super) fn is_markdown(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["md", "markdown"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}
