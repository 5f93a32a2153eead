//! What stands around every page of a repository: its name, its tabs, the chooser of branches, the way in the tree.

use countersign_app::repository::view::{At, AtKind, CommitLine, Heading};
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::role::MemberRole;
use maud::{Markup, html};

use crate::address::{self, Leaf};
use crate::frame::{self, Page, Scene, Section};
use crate::part::badge::badge;
use crate::part::icon::{Icon, icon};
use crate::part::text::{name, oid, short, visible};
use crate::part::time::time;

/// A page before it is framed.
#[derive(Debug)]
pub(super) struct Shell<'a> {
    /// What stands in the tab of the browser, before the repository's name.
    pub(super) title: &'a str,
    /// Which tab of the repository it is.
    pub(super) tab: Leaf,
    /// Whose page.
    pub(super) heading: &'a Heading,
    /// The address of its live stream.
    pub(super) live: &'a str,
}

/// The whole page.
pub(super) fn shell(scene: &Scene<'_>, shell: &Shell<'_>, main: &Markup) -> Markup {
    let heading = shell.heading;
    let whole = html! {
        div.head {
            nav.crumb aria-label="Where" {
                a href="/repositories" { "Repositories" } span { "/" } span { (visible(&heading.project)) }
            }
            div.row { h1 { a.plain href=(address::at(Leaf::Files, heading.id, &TreePath::default(), None)) { (visible(&heading.name)) } } (gitnest(heading.gitnest)) }
            (tabs(heading, shell.tab))
        }
        (main)
    };
    let title = if shell.title.is_empty() {
        heading.name.clone()
    } else {
        format!("{} · {}", shell.title, heading.name)
    };
    let page =
        Page { title: &title, section: Section::Repositories, live: shell.live, bar: false, wide: true };
    frame::app(scene, &page, &whole)
}

fn tabs(heading: &Heading, current: Leaf) -> Markup {
    let root = TreePath::default();
    let here = |leaf| address::at(leaf, heading.id, &root, reference(heading));
    let tab = |leaf: Leaf, picture, word: &str| {
        html! { a href=(here(leaf)) aria-current=[(leaf == current).then_some("page")] { (icon(picture)) (word) } }
    };
    html! {
        nav.tabs aria-label="Repository" {
            (tab(Leaf::Files, Icon::File, "Files"))
            (tab(Leaf::History, Icon::Clock, "History"))
            (tab(Leaf::Branches, Icon::Branch, "Branches"))
            (tab(Leaf::Search, Icon::Search, "Search"))
            @if heading.role == MemberRole::Owner {
                a href=(address::at(Leaf::Settings, heading.id, &root, None)) aria-current=[(current == Leaf::Settings).then_some("page")] { (icon(Icon::Gear)) "Settings" }
            }
        }
    }
}

/// What addresses repeat so that they stay in the state that is looked at.
pub(super) fn reference(heading: &Heading) -> Option<&str> {
    heading.at.as_ref().and_then(|at| at.reference.as_deref())
}

/// Whether agents see it.
pub fn gitnest(on: bool) -> Markup {
    let (word, state) =
        if on { ("on", badge("good", "Agents see it")) } else { ("off", badge("off", "Hidden from agents")) };
    html! { span title={ "GitNest is " (word) } { (state) } }
}

/// The chooser of branches and tags: each leads to the same page in another state.
pub(super) fn chooser(heading: &Heading, leaf: Leaf, path: &TreePath) -> Markup {
    let Some(at) = &heading.at else { return html! {} };
    let to = |reference: Option<&str>| address::at(leaf, heading.id, path, reference);
    html! {
        details.menu {
            summary.button aria-label={ "Branch or tag: " (at.name) } {
                (icon(picture(at.kind))) span.cut { (visible(shown(at))) } span.turn { (icon(Icon::Chevron)) }
            }
            div.drop {
                p.label { "Branches" }
                ul {
                    @for branch in &heading.branches {
                        @let is_default = *branch == heading.default_branch;
                        li { a href=(to((!is_default).then_some(branch))) aria-current=[is_at(at, AtKind::Branch, branch)] {
                            span.cut { (visible(branch)) } @if is_default { span.tag { "default" } }
                        } }
                    }
                }
                @if !heading.tags.is_empty() {
                    p.label { "Tags" }
                    ul {
                        @for tag in &heading.tags {
                            li { a href=(to(Some(&format!("refs/tags/{tag}")))) aria-current=[is_at(at, AtKind::Tag, tag)] { span.cut { (visible(tag)) } } }
                        }
                    }
                }
                a.all href=(address::at(Leaf::Branches, heading.id, &TreePath::default(), None)) { @if heading.more { "All branches and tags" } @else { "Branches and tags" } }
            }
        }
    }
}

const fn picture(kind: AtKind) -> Icon {
    match kind {
        AtKind::Branch => Icon::Branch,
        AtKind::Tag => Icon::Tag,
        AtKind::Commit => Icon::Commit,
    }
}

fn shown(at: &At) -> &str {
    if at.kind == AtKind::Commit { short(&at.name) } else { &at.name }
}

fn is_at(at: &At, kind: AtKind, name: &str) -> Option<&'static str> {
    (at.kind == kind && at.name == name).then_some("true")
}

/// The way from the root to a path; the last part is where one is.
pub(super) fn way(heading: &Heading, leaf: Leaf, path: &TreePath) -> Markup {
    let to = |path: &TreePath| address::at(leaf, heading.id, path, reference(heading));
    let folder = |path: &TreePath| address::at(Leaf::Files, heading.id, path, reference(heading));
    html! {
        nav.way aria-label="Path" {
            @if path.is_root() && leaf == Leaf::Files { b { (visible(&heading.name)) } }
            @else { a href=(folder(&TreePath::default())) { (visible(&heading.name)) } }
            @for step in path.steps() {
                span.faint { "/" }
                @let shown = name(&String::from_utf8_lossy(step.name()));
                @if step == *path { b { @if leaf == Leaf::Files { (shown) } @else { a href=(folder(&step)) { (shown) } } } }
                @else { a href=(if leaf == Leaf::History { to(&step) } else { folder(&step) }) { (shown) } }
            }
        }
    }
}

/// The last commit, in the line above a folder or a file.
pub(super) fn latest(
    scene: &Scene<'_>,
    heading: &Heading,
    path: &TreePath,
    commit: Option<&CommitLine>,
) -> Markup {
    html! {
        div.latest {
            @if let Some(commit) = commit {
                b.cut { (visible(&commit.author)) }
                a.subject href=(address::commit(heading.id, commit.oid)) { (visible(title(commit))) }
                @if commit.signed { (badge("good", "Signed")) }
                span.push.faint.nowrap { span.wide-only { (oid(&commit.oid.to_string())) " · " } (time(commit.at, scene.now)) }
            }
            a.nowrap.small href=(address::at(Leaf::History, heading.id, path, reference(heading))) { "History" }
        }
    }
}

/// The first line of a commit's message, or words for one that says nothing.
pub(super) fn title(commit: &CommitLine) -> &str {
    if commit.title.trim().is_empty() { "(no message)" } else { &commit.title }
}

/// Turns the pages of a list that is longer than one.
pub fn next_page(address: &str, offset: usize, step: usize, more: bool, shown: &str) -> Markup {
    turn_page(address, ("from", offset), step, more, shown)
}

/// The same for one of two lists of a page: its offset stands in the query by a name of its own.
pub(super) fn turn_page(
    address: &str,
    (field, offset): (&str, usize),
    step: usize,
    more: bool,
    shown: &str,
) -> Markup {
    let at = |offset: usize| {
        if offset == 0 { address.to_owned() } else { address::with(address, field, &offset.to_string()) }
    };
    html! {
        nav.turn-page aria-label="Pages" {
            @if offset > 0 { a.button rel="prev" href=(at(offset.saturating_sub(step))) { "Back" } }
            span.faint.small { (shown) @if offset > 0 { ", from " (offset + 1) } }
            @if more { a.button rel="next" href=(at(offset + step)) { "Next" } }
        }
    }
}
