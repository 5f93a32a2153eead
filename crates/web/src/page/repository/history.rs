//! The commits of a branch or of a path, by day.

use countersign_app::repository::history::COMMITS;
use countersign_app::repository::view::{CommitLine, Heading, HistoryView};
use countersign_core::gitnest::tree_path::TreePath;
use maud::{Markup, html};

use super::shell::{Shell, chooser, next_page, reference, shell, title, way};
use crate::address::{self, Leaf};
use crate::frame::Scene;
use crate::part::badge::badge;
use crate::part::empty::empty;
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Kind, notice};
use crate::part::text::{count, oid, visible};
use crate::part::time::{exact, time};

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &HistoryView, live: &str) -> Markup {
    let (heading, path) = (&view.heading, &view.path);
    let here = address::at(Leaf::History, heading.id, path, reference(heading));
    let main = html! {
        div.bar { (chooser(heading, Leaf::History, path)) (way(heading, Leaf::History, path)) }
        @if view.commits.is_empty() { section.card aria-label="Commits" { (none(view)) } }
        @for day in days(&view.commits) {
            section.card aria-label={ "Commits of " (date(&day[0])) } {
                header { span.faint { (icon(Icon::Commit)) } h2 { (date(&day[0])) } span.faint.small { (count(day.len(), "commit")) } }
                ul.list.dense { @for commit in day { (one(scene, heading, path, commit)) } }
            }
        }
        @if view.cut {
            (notice(Kind::Warn, "The history goes on", &html! { "It was walked as far as a page may take. In a clone, " code { "git log" } " walks all of it." }))
        }
        @if view.more || view.offset > 0 { (next_page(&here, view.offset, COMMITS, view.more, &count(view.commits.len(), "commit"))) }
    };
    let title = if path.is_root() {
        "History".to_owned()
    } else {
        format!("History of {}", String::from_utf8_lossy(path.name()))
    };
    shell(scene, &Shell { title: &title, tab: Leaf::History, heading, live }, &main)
}

fn none(view: &HistoryView) -> Markup {
    if view.heading.at.is_none() {
        return empty(
            Icon::Commit,
            "No commit yet",
            "Push a first commit; the page of the repository shows how.",
            None,
        );
    }
    if view.offset > 0 {
        return empty(Icon::Commit, "No more commits", "The history ends before this page.", None);
    }
    empty(
        Icon::Commit,
        "No commit changed this path",
        "Nothing was ever at this path in the history of this state.",
        None,
    )
}

/// The day of a commit, as `2026-11-29`.
fn date(commit: &CommitLine) -> String {
    exact(commit.at).get(..10).unwrap_or_default().to_owned()
}

/// The commits of each day that follow one another.
fn days(commits: &[CommitLine]) -> impl Iterator<Item = &[CommitLine]> {
    commits.chunk_by(|a, b| date(a) == date(b))
}

fn one(scene: &Scene<'_>, heading: &Heading, path: &TreePath, commit: &CommitLine) -> Markup {
    let id = commit.oid.to_string();
    html! {
        li {
            div.what {
                a.name.cover data-walk href=(address::commit(heading.id, &id)) { (visible(title(commit))) }
                div.facts {
                    span { (icon(Icon::Person)) span.cut { (visible(&commit.author)) } }
                    span { (icon(Icon::Clock)) (time(commit.at, scene.now)) }
                }
            }
            div.trail {
                @if commit.signed { (badge("good", "Signed")) }
                (oid(&id))
                a.button.over href=(address::at(Leaf::Files, heading.id, path, Some(&id))) aria-label={ "Files at " (id) } { "Files" }
            }
        }
    }
}
