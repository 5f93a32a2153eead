//! The branches and tags.

use countersign_app::repository::branches::ROWS;
use countersign_app::repository::view::{BranchRow, BranchesView, CommitLine, Heading, Of, TagRow};
use countersign_core::gitnest::tree_path::TreePath;
use maud::{Markup, html};

use super::shell::{Shell, shell, title, turn_page};
use crate::address::{self, Leaf};
use crate::frame::Scene;
use crate::part::badge::badge;
use crate::part::empty::empty;
use crate::part::icon::{Icon, icon};
use crate::part::text::{count, visible};
use crate::part::time::time;

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &BranchesView, live: &str) -> Markup {
    let heading = &view.heading;
    let main = html! {
        @if !view.branches.is_empty() || !view.part.is_empty() { (find(view)) }
        section.card aria-label="Branches" {
            @if view.branches.is_empty() {
                (none(view))
            } @else {
                header { h2 { "Branches" } (count_of(view.branches_of)) }
                ul.list { @for row in &view.branches { (branch(scene, heading, row)) } }
            }
            (turn(view, "from", view.branches_of, (view.branches.len(), "branch")))
        }
        @if !view.tags.is_empty() || view.tags_of.offset > 0 {
            section.card aria-label="Tags" {
                header { h2 { "Tags" } (count_of(view.tags_of)) }
                ul.list { @for row in &view.tags { (tag(scene, heading, row)) } }
                (turn(view, "tags", view.tags_of, (view.tags.len(), "tag")))
            }
        }
    };
    shell(scene, &Shell { title: "Branches", tab: Leaf::Branches, heading, live }, &main)
}

fn here(view: &BranchesView) -> String {
    address::at(Leaf::Branches, view.heading.id, &TreePath::default(), None)
}

fn find(view: &BranchesView) -> Markup {
    html! {
        form.inline method="get" action=(here(view)) role="search" {
            input.input type="search" name="q" value=(view.part) maxlength="200" placeholder="Find a branch or tag by name" aria-label="Find a branch or tag by name" autocapitalize="none" spellcheck="false";
            button.button type="submit" { (icon(Icon::Search)) "Find" }
        }
    }
}

fn none(view: &BranchesView) -> Markup {
    let all = html! { a.button href=(here(view)) { "Show all" } };
    html! {
        @if !view.part.is_empty() { (empty(Icon::Search, "No branch has that in its name", "Look for a shorter part of the name.", Some(&all))) }
        @else if view.branches_of.offset > 0 { (empty(Icon::Branch, "No branch so far down", "The list is shorter than that.", Some(&all))) }
        @else { (empty(Icon::Branch, "No branch here", "A branch stands here once a commit was pushed to it.", None)) }
    }
}

fn count_of(of: Of) -> Markup {
    html! {
        span.faint.small { (of.total) @if of.more { " or more: find others by name" } }
    }
}

/// Turns the pages of one of the two lists; the other stays where it is.
fn turn(view: &BranchesView, field: &str, of: Of, (shown, word): (usize, &str)) -> Markup {
    let more = of.offset + shown < of.total;
    let mut address = here(view);
    if !view.part.is_empty() {
        address = address::with(&address, "q", &view.part);
    }
    for (other, stands) in [("from", view.branches_of), ("tags", view.tags_of)] {
        if other != field && stands.offset > 0 {
            address = address::with(&address, other, &stands.offset.to_string());
        }
    }
    html! {
        @if of.offset > 0 || more {
            div.foot { (turn_page(&address, (field, of.offset), ROWS, more, &format!("{shown} of {}", count(of.total, word)))) }
        }
    }
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
