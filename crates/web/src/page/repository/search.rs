//! Search in the files of one repository.

use std::collections::BTreeMap;
use std::ops::Range;

use countersign_app::repository::grep::HITS;
use countersign_app::repository::view::{FileHits, GrepView, Heading};
use countersign_core::gitnest::tree_path::TreePath;
use maud::{Markup, html};

use super::shell::{Shell, chooser, reference, shell};
use crate::address::{self, Leaf};
use crate::frame::Scene;
use crate::highlight::{Highlighter, Language};
use crate::part::code::painted;
use crate::part::empty::empty;
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Kind, notice};
use crate::part::text::{count, name};

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &GrepView, live: &str) -> Markup {
    let heading = &view.heading;
    let found: usize = view.files.iter().map(|file| file.hits.len()).sum();
    let main = html! {
        div.bar { (chooser(heading, Leaf::Search, &TreePath::default())) (form(view)) }
        @if let Some(wrong) = view.wrong { (notice(Kind::Bad, wrong, &html! { "It is taken as it is, in any case of letters." })) }
        @else if view.query.is_empty() {
            section.card aria-label="Search" { (empty(Icon::Search, "Look for a text in the files", "It is taken as it is, in any case of letters, in every text file of this branch, tag or commit.", None)) }
        } @else if view.files.is_empty() {
            section.card aria-label="Search" { (empty(Icon::Search, "Nothing found", if view.truncated { "The search ended before it had seen every file. Name a folder to look in." } else { "No text file here holds it. Look for less of it, or in another branch." }, None)) }
        } @else {
            p.small.soft role="status" { (count(found, "line")) " in " (count(view.files.len(), "file")) @if view.truncated { ", and perhaps more" } }
            @for file in &view.files { (one(heading, file)) }
        }
        @if view.truncated && !view.files.is_empty() {
            (notice(Kind::Warn, "The search was cut", &html! {
                "It ends after " (HITS) " lines or five seconds, whichever comes first. Name a folder, or look for more of the text."
            }))
        }
    };
    shell(scene, &Shell { title: "Search", tab: Leaf::Search, heading, live }, &main)
}

fn form(view: &GrepView) -> Markup {
    let heading = &view.heading;
    html! {
        form.inline.grow method="get" action=(address::at(Leaf::Search, heading.id, &TreePath::default(), None)) role="search" {
            @if let Some(reference) = reference(heading) { input type="hidden" name="ref" value=(reference); }
            input.input type="search" name="q" value=(view.query) maxlength="200" required placeholder="Text in files" aria-label="Text in files";
            input.input type="text" name="path" value=(view.prefix) maxlength="1024" placeholder="In folder, for example src/" aria-label="What the paths begin with" autocapitalize="none" spellcheck="false";
            button.button.primary type="submit" { (icon(Icon::Search)) "Search" }
        }
    }
}

fn one(heading: &Heading, file: &FileHits) -> Markup {
    let to = address::at(Leaf::Files, heading.id, &file.path, reference(heading));
    let language = Language::of_path(&file.path.to_string());
    html! {
        section.card.clip aria-label=(file.path) {
            header { span.faint { (icon(Icon::File)) } h2.mono { a data-walk href=(to) { (name(&file.path.to_string())) } } span.push.faint.small { (count(file.hits.len(), "line")) } }
            table.lines.source {
                @for (before, (number, shown)) in follow(&lines(file)) {
                    @if before.is_some_and(|before| before + 1 < number) { tr.gap { td colspan="2" {} } }
                    (row(&to, language, number, shown))
                }
            }
        }
    }
}

/// A line to show, and where in it the text stands.
#[derive(Clone, Copy)]
struct Shown<'a> {
    text: &'a str,
    marks: &'a [Range<usize>],
}

/// Every line of a file that is shown, once: the neighbour of one hit can be another.
fn lines(file: &FileHits) -> BTreeMap<usize, Shown<'_>> {
    let mut lines = BTreeMap::new();
    for hit in &file.hits {
        let before = (hit.line - hit.before.len()..).zip(&hit.before);
        for (number, text) in before.chain((hit.line + 1..).zip(&hit.after)) {
            lines.entry(number).or_insert(Shown { text, marks: &[] });
        }
        lines.insert(hit.line, Shown { text: &hit.text, marks: &hit.found });
    }
    lines
}

/// Each line with the number of the one before.
fn follow<'m, 'a>(
    lines: &'m BTreeMap<usize, Shown<'a>>,
) -> impl Iterator<Item = (Option<usize>, (usize, Shown<'a>))> + use<'m, 'a> {
    let before = std::iter::once(None).chain(lines.keys().copied().map(Some));
    before.zip(lines.iter().map(|(number, shown)| (*number, *shown)))
}

fn row(to: &str, language: Option<&'static Language>, number: usize, shown: Shown<'_>) -> Markup {
    let Shown { text, marks } = shown;
    html! {
        tr.hit[!marks.is_empty()] {
            td.no { a href={ (to) "#L" (number) } data-no=(number) tabindex=[marks.is_empty().then_some("-1")] aria-label={ "Line " (number) } {} }
            td.text { (painted(text, &Highlighter::new(language).line(text), marks)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use countersign_app::repository::view::Hit;

    use super::*;

    #[test]
    fn a_line_that_is_a_hit_and_a_neighbour_is_shown_once_and_marked() {
        let hit = |line: usize| Hit {
            line,
            text: format!("hit {line}"),
            found: std::iter::once(0..3).collect(),
            before: vec!["before".into()],
            after: vec!["after".into()],
        };
        let file = FileHits { path: TreePath::new("a"), hits: vec![hit(2), hit(3), hit(9)] };
        let lines = lines(&file);
        let seen: Vec<(usize, bool)> = lines.iter().map(|(n, shown)| (*n, !shown.marks.is_empty())).collect();
        assert_eq!(seen, [(1, false), (2, true), (3, true), (4, false), (8, false), (9, true), (10, false)]);
        let gaps = follow(&lines).filter(|(before, (n, _))| before.is_some_and(|before| before + 1 < *n));
        assert_eq!(gaps.count(), 1);
    }
}
