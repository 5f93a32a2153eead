//! A new repository: begun here, with a README or empty, or imported from a URL.

use countersign_app::project::view::ProjectView;
use countersign_core::problem::Problem;
use maud::{Markup, html};

use crate::frame::{self, Page, Scene, Section};
use crate::part::button::{Tone, submit};
use crate::part::field::{Field, Takes, csrf};
use crate::part::select::Select;
use crate::part::wrong::{above, beside};

/// Where a repository comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// It is begun here.
    Here,
    /// Another repository.
    Url,
}

/// What was typed, given back with what was wrong.
#[derive(Debug)]
pub struct Typed {
    /// In which form.
    pub source: Source,
    /// The name.
    pub name: String,
    /// The project.
    pub project: String,
    /// The URL; empty for one that is begun here.
    pub url: String,
    /// What it begins with.
    pub first: String,
    /// What was wrong.
    pub problem: Problem,
}

/// How long a name may be.
const NAME: u16 = 64;
/// How long a URL may be.
const URL: u16 = 2_000;
const NAME_HINT: &str = "1 to 64 letters, digits, - and _. It stands in the address to clone from.";

/// The whole page.
pub fn page(scene: &Scene<'_>, projects: &[ProjectView], typed: Option<&Typed>, live: &str) -> Markup {
    let main = html! {
        div.head {
            nav.crumb aria-label="Where" { a href="/repositories" { "Repositories" } }
            h1 { "New repository" }
            p.lead { "Agents do not see it until you show it to them, in its settings." }
        }
        (form(scene, projects, Source::Here, typed))
        (form(scene, projects, Source::Url, typed))
    };
    let page =
        Page { title: "New repository", section: Section::Repositories, live, bar: false, wide: false };
    frame::app(scene, &page, &main)
}

fn form(scene: &Scene<'_>, projects: &[ProjectView], source: Source, typed: Option<&Typed>) -> Markup {
    let typed = typed.filter(|typed| typed.source == source);
    let problem = typed.map(|typed| &typed.problem);
    let kept = |pick: fn(&Typed) -> &str| typed.map_or("", pick);
    let (heading, action, ids) = match source {
        Source::Here => ("Start here", "/repositories/new", ["name", "project"]),
        Source::Url => ("Import from a URL", "/repositories/import", ["import-name", "import-project"]),
    };
    html! {
        section.card aria-label=(heading) {
            header { h2 { (heading) } }
            form.form.pad method="post" action=(action) {
                (csrf(&scene.viewer.csrf))
                @if let Some(problem) = problem { (above(problem, &["name", "project", "url"])) }
                @if source == Source::Url {
                    p.small.soft { "Taken is what anybody may clone: a public https address without a password, at most 2 GiB and 10 minutes, with every branch and tag." }
                    (Field::new("url", "URL", Takes::Url).value(kept(|typed| &typed.url)).wrong(beside(problem, "url")).limit(URL)
                        .hint("For example https://example.org/team/notes.git").render())
                }
                (Field::new("name", "Name", Takes::Text).id(ids[0]).value(kept(|typed| &typed.name)).wrong(beside(problem, "name")).limit(NAME).hint(NAME_HINT).render())
                (project(projects, ids[1], kept(|typed| &typed.project), beside(problem, "project")))
                @if source == Source::Here { (first(kept(|typed| &typed.first))) }
                div { (submit(Tone::Primary, &html! { @match source { Source::Here => "Make repository", Source::Url => "Import" } })) }
            }
        }
    }
}

fn first(chosen: &str) -> Markup {
    let options = [("readme", "With a README"), ("nothing", "Empty")];
    let options = options.map(|(value, words)| (value.to_owned(), words.to_owned())).into();
    let hint = "Choose empty to push a history that you have already.";
    Select { name: "first", id: "first", label: "Begins", options, chosen, hint, wrong: None }.render()
}

fn project(projects: &[ProjectView], id: &str, chosen: &str, wrong: Option<&str>) -> Markup {
    let options = projects.iter().map(|project| (project.id.to_string(), project.name.clone())).collect();
    let hint = "Who has a role in the project has it on the repository too.";
    Select { name: "project", id, label: "Project", options, chosen, hint, wrong }.render()
}
