//! Go: pages, proposals, repositories and assistants by name. The palette of every page shows the same list.

use countersign_app::home::find::{Found, Target, Wanted};
use countersign_app::session::view::Viewer;
use maud::{Markup, html};

use crate::frame::{self, Entry, Page, Scene, Section};
use crate::part::icon::{Icon, icon};
use crate::part::text::visible;

/// The whole page.
pub fn page(scene: &Scene<'_>, (typed, wanted): (&str, &Wanted), found: &[Found], live: &str) -> Markup {
    let main = html! {
        div.head {
            h1 { "Go to" }
            p.lead { "Pages, proposals that wait, repositories and assistants, by name." }
        }
        form.inline method="get" action="/go" role="search" {
            input.input type="search" name="q" value=(typed) maxlength="100" aria-label="Name" autocomplete="off" autofocus;
            button.button type="submit" { (icon(Icon::Search)) "Find" }
        }
        section.card aria-label="Found" { (list(scene.viewer, wanted, found)) }
    };
    frame::app(
        scene,
        &Page { title: "Go to", section: Section::Elsewhere, live, bar: false, wide: false },
        &main,
    )
}

/// What was found, as links; the page and the palette show it.
pub fn list(viewer: &Viewer, wanted: &Wanted, found: &[Found]) -> Markup {
    let pages: Vec<Entry> = frame::entries(viewer).filter(|entry| wanted.is_in(&[entry.name])).collect();
    html! {
        ul.found {
            @for entry in &pages { (link(entry.href, entry.picture, &html! { (entry.name) }, "Page")) }
            @for found in found {
                @let (href, picture) = target(found.target);
                (link(&href, picture, &visible(&found.name), &found.about))
            }
            @if pages.is_empty() && found.is_empty() { li.none { "Nothing bears this name." } }
        }
    }
}

fn target(target: Target) -> (String, Icon) {
    match target {
        Target::Proposal(id) => (format!("/approvals/{id}"), Icon::Inbox),
        Target::Repository(id) => (format!("/repositories/{id}"), Icon::Book),
        Target::Connection(id) => (format!("/connected/{id}"), Icon::Plug),
    }
}

fn link(href: &str, picture: Icon, name: &Markup, about: &str) -> Markup {
    html! {
        li { a href=(href) data-walk { (icon(picture)) span.cut { (name) } span.about.cut { (visible(about)) } } }
    }
}
