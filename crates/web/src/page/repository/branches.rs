//! The branches and tags.

use countersign_app::repository::branches::ROWS;
use countersign_app::repository::view::{BranchRow, BranchesView, CommitLine, Heading, TagRow};
use countersign_core::gitnest::tree_path::TreePath;
use maud::{Markup, html};

use super::shell::{Shell, next_page, shell, title};
use crate::address::{self, Leaf};
use crate::frame::Scene;
use crate::part::badge::badge;
use crate::part::empty::empty;
use crate::part::icon::{Icon, icon};
use crate::part::text::visible;
use crate::part::time::time;

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &BranchesView, live: &str) -> Markup {
    let heading = &view.heading;
    let here = address::at(Leaf::Branches, heading.id, &TreePath::default(), None);
    let end = view.offset + view.branches.len();
    let main = html! {
        section.card aria-label="Branches" {
            @if view.branches.is_empty() {
                (empty(Icon::Branch, "No branch here", "A branch stands here once a commit was pushed to it.", None))
            } @else {
                header { h2 { "Branches" } span.faint.small { (view.total) @if view.more { " or more" } } }
                ul.list { @for row in &view.branches { (branch(scene, heading, row)) } }
            }
            @if view.offset > 0 || end < view.total {
                div.foot { (next_page(&here, view.offset, ROWS, end < view.total, &format!("{} of {} branches", view.branches.len(), view.total))) }
            }
        }
        @if !view.tags.is_empty() {
            section.card aria-label="Tags" {
                header { h2 { "Tags" } span.faint.small { (view.tags.len()) @if view.more { " or more" } } }
                ul.list { @for row in &view.tags { (tag(scene, heading, row)) } }
            }
        }
    };
    shell(scene, &Shell { title: "Branches", tab: Leaf::Branches, heading, live }, &main)
}

fn branch(scene: &Scene<'_>, heading: &Heading, row: &BranchRow) -> Markup {
    let to =
        address::at(Leaf::Files, heading.id, &TreePath::default(), (!row.is_default).then_some(&row.name));
    html! {
        li {
            span.faint { (icon(Icon::Branch)) }
            div.what {
                a.name.cover data-walk href=(to) { (visible(&row.name)) }
                (facts(scene, row.last.as_ref()))
            }
            div.trail {
                @if row.is_default { span.tag { "default" } } @else { (apart(row)) }
                @if row.is_protected { (badge("works", "Protected")) }
            }
        }
    }
}

fn apart(row: &BranchRow) -> Markup {
    html! {
        @match row.apart {
            Some((0, 0)) => span { "the same as the default" },
            Some((ahead, behind)) => span.nowrap title="beside the default branch" { (ahead) " ahead, " (behind) " behind" },
            None => span title="beside the default branch" { "far away" },
        }
    }
}

fn facts(scene: &Scene<'_>, last: Option<&CommitLine>) -> Markup {
    html! {
        @if let Some(last) = last {
            div.facts {
                span { (icon(Icon::Commit)) span.cut { (visible(title(last))) } }
                span { (icon(Icon::Person)) span.cut { (visible(&last.author)) } }
                span { (icon(Icon::Clock)) (time(last.at, scene.now)) }
            }
        }
    }
}

fn tag(scene: &Scene<'_>, heading: &Heading, row: &TagRow) -> Markup {
    let to =
        address::at(Leaf::Files, heading.id, &TreePath::default(), Some(&format!("refs/tags/{}", row.name)));
    html! {
        li {
            span.faint { (icon(Icon::Tag)) }
            div.what { a.name.cover data-walk href=(to) { (visible(&row.name)) } (facts(scene, row.last.as_ref())) }
        }
    }
}
