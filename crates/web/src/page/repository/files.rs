//! What lies at a path: a folder, a file, or one of the things that are neither.

use countersign_app::repository::view::{BrowseBody, BrowseView};
use maud::{Markup, html};

use super::shell::{Shell, chooser, latest, shell, way};
use super::{clone, folder, source};
use crate::address::Leaf;
use crate::frame::Scene;
use crate::part::notice::{Kind, notice};
use crate::part::text::{oid, visible};

/// The whole page. `as_source` asks for the text of what would be rendered.
pub fn page(scene: &Scene<'_>, view: &BrowseView, as_source: bool, live: &str) -> Markup {
    let heading = &view.heading;
    let main = html! {
        @if matches!(view.body, BrowseBody::Empty) { (clone::empty(heading)) } @else {
            div.bar {
                (chooser(heading, Leaf::Files, &view.path))
                (way(heading, Leaf::Files, &view.path))
                @if view.path.is_root() { div.push { (clone::menu(heading)) } }
            }
            @match &view.body {
                BrowseBody::Empty => {},
                BrowseBody::Folder(body) => (folder::folder(scene, view, body)),
                BrowseBody::File(body) => (source::file(scene, view, body, as_source)),
                BrowseBody::Symlink { target } => (odd(scene, view, &html! {
                    (notice(Kind::Plain, "A symbolic link", &html! {
                        @match target {
                            Some(target) => { "It points to " code { (visible(target)) } ". It is not followed here." },
                            None => "Where it points is no text.",
                        }
                    }))
                })),
                BrowseBody::Submodule { oid: commit } => (odd(scene, view, &html! {
                    (notice(Kind::Plain, "A submodule", &html! {
                        "It stands for the commit " (oid(&commit.to_string())) " of another repository, which " code { ".gitmodules" } " names."
                    }))
                })),
            }
        }
    };
    let title = String::from_utf8_lossy(view.path.name()).into_owned();
    shell(scene, &Shell { title: &title, tab: Leaf::Files, heading, live }, &main)
}

fn odd(scene: &Scene<'_>, view: &BrowseView, said: &Markup) -> Markup {
    html! {
        section.card aria-label="Last change" { (latest(scene, &view.heading, &view.path, view.latest.as_ref())) }
        (said)
    }
}
