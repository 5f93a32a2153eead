//! The imports that are under way or failed: a part of the list of repositories.

use countersign_app::repository::import::{ImportState, ImportView};
use maud::{Markup, html};

use crate::frame::Scene;
use crate::part::badge::badge;
use crate::part::field::csrf;
use crate::part::icon::{Icon, icon};
use crate::part::size::size;
use crate::part::text::visible;

/// What an owner of the workspace sees of the imports.
#[derive(Clone, Debug)]
pub struct Imports {
    /// Those that have not ended well, the oldest first.
    pub open: Vec<ImportView>,
    /// Whether the person sees more or fewer repositories now than stand on the page.
    pub listed_anew: bool,
}

/// The section above the list; the page and the live stream render it. Empty for who may not see imports.
pub fn part(scene: &Scene<'_>, imports: Option<&Imports>) -> Markup {
    html! {
        div.stack #imports {
            @if let Some(imports) = imports {
                @if imports.listed_anew {
                    div.notice.good role="status" {
                        (icon(Icon::Book))
                        div { b { "The list below has changed" } a href="/repositories" { "Show it as it is now" } }
                    }
                }
                @if !imports.open.is_empty() {
                    section.card aria-label="Imports" {
                        header { h2 { "Imports" } span.faint.small { "They go on without this page." } }
                        ul.list { @for import in &imports.open { (one(scene, import)) } }
                    }
                }
            }
        }
    }
}

fn one(scene: &Scene<'_>, import: &ImportView) -> Markup {
    let (percent, words) = progress(&import.state);
    html! {
        li id={ "i-" (import.id) } {
            span.faint { (icon(Icon::Download)) }
            div.what {
                span.name { (visible(&import.name)) }
                div.facts { span { (icon(Icon::Link)) span.cut title=(import.url) { (visible(&import.url)) } } }
                @if let ImportState::Failed(reason) = &import.state {
                    p.small.wrong { (visible(reason)) }
                } @else {
                    progress.meter max="100" value=[percent] aria-label={ "Import of " (import.name) } { (words) }
                    p.small.soft { (words) }
                }
            }
            div.trail {
                @if let ImportState::Failed(_) = &import.state { (badge("bad", "Failed")) (ways_on(scene, import)) }
                @else { (badge("works", "Importing")) }
            }
        }
    }
}

/// Percent of the step, where they are known, and the step in words.
fn progress(state: &ImportState) -> (Option<u8>, String) {
    match state {
        ImportState::Waiting => (None, "Asking for the repository".to_owned()),
        ImportState::Receiving { percent, bytes } => {
            (Some(*percent), format!("Receiving objects: {percent} %, {}", size(*bytes)))
        }
        ImportState::Resolving { percent } => {
            (Some(*percent), format!("Putting objects together: {percent} %"))
        }
        ImportState::Checking => (None, "Checking all of it".to_owned()),
        ImportState::Failed(_) => (None, "Failed".to_owned()),
        ImportState::Done => (Some(100), "Done".to_owned()),
    }
}

fn ways_on(scene: &Scene<'_>, import: &ImportView) -> Markup {
    html! {
        form method="post" action="/repositories/import" {
            (csrf(&scene.viewer.csrf))
            input type="hidden" name="url" value=(import.url);
            input type="hidden" name="name" value=(import.name);
            input type="hidden" name="project" value=(import.project);
            button.button type="submit" aria-label={ "Try again to import " (import.name) } { "Try again" }
        }
        form method="post" action={ "/repositories/" (import.id) "/import/discard" } {
            (csrf(&scene.viewer.csrf))
            button.button.quiet type="submit" aria-label={ "Discard the import of " (import.name) } { "Discard" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_its_words_and_only_those_that_are_counted_have_percents() {
        for (state, percent, words) in [
            (ImportState::Waiting, None, "Asking for the repository"),
            (
                ImportState::Receiving { percent: 42, bytes: 12_345_678 },
                Some(42),
                "Receiving objects: 42 %, 12 MB",
            ),
            (ImportState::Resolving { percent: 7 }, Some(7), "Putting objects together: 7 %"),
            (ImportState::Checking, None, "Checking all of it"),
        ] {
            assert_eq!(progress(&state), (percent, words.to_owned()));
        }
    }
}
