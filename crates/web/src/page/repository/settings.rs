//! The settings of a repository, for its owners: who sees it, what is protected, where it belongs, who may do what.

use countersign_app::project::view::ProjectView;
use countersign_app::repository::{ManageView, RepositoryMemberView};
use countersign_core::gitnest::protected::{always_at_root, always_named};
use countersign_core::problem::{Code, Problem};
use maud::{Markup, html};

use super::member;
use super::shell::{Shell, shell};
use crate::address::Leaf;
use crate::frame::Scene;
use crate::part::area::Area;
use crate::part::button::{Tone, submit};
use crate::part::field::csrf;
use crate::part::icon::{Icon, icon};
use crate::part::notice::{self, Kind, notice};
use crate::part::select::Select;
use crate::part::wrong::{above, beside};

/// What the page shows.
#[derive(Debug)]
pub struct Settings<'a> {
    /// How the settings stand.
    pub view: &'a ManageView,
    /// The projects that it may move to.
    pub projects: &'a [ProjectView],
    /// Everybody with a role on it.
    pub members: &'a [RepositoryMemberView],
    /// What was typed in the first form, or what stands there.
    pub ruled: &'a Ruled,
    /// What was saved just now.
    pub saved: Option<Saved>,
    /// What was refused just now.
    pub problem: Option<&'a Problem>,
}

/// The first form, as a browser sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruled {
    /// Whether agents see the repository.
    pub gitnest: bool,
    /// Which branch comes first.
    pub default_branch: String,
    /// One a line.
    pub protected_branches: String,
    /// One a line.
    pub protected_paths: String,
    /// Whether another person than the agent's own decides.
    pub other_decider: bool,
}

impl Ruled {
    /// What stands there.
    pub fn of(view: &ManageView) -> Self {
        Self {
            gitnest: view.heading.gitnest,
            default_branch: view.rules.default_branch.clone(),
            protected_branches: view.rules.protected_branches.join("\n"),
            protected_paths: view.rules.protected_paths.join("\n"),
            other_decider: view.rules.other_decider,
        }
    }
}

/// What was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// The first form.
    Settings,
    /// The project.
    Project,
    /// Somebody's role.
    Role,
}

impl Saved {
    const ALL: [Self; 3] = [Self::Settings, Self::Project, Self::Role];

    /// The word in the address.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Project => "project",
            Self::Role => "role",
        }
    }

    /// Reads the word in the address.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|saved| saved.word() == word)
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::Settings => "The settings are saved. They count from the next call on.",
            Self::Project => "The repository is in the project that is named above.",
            Self::Role => "The role is saved. It counts from that person's next call on.",
        }
    }
}

/// The fields that a refusal may concern.
const FIELDS: [&str; 3] = ["default_branch", "protected_branches", "protected_paths"];

/// The whole page.
pub fn page(scene: &Scene<'_>, settings: &Settings<'_>, live: &str) -> Markup {
    let heading = &settings.view.heading;
    let main = html! {
        @if let Some(saved) = settings.saved {
            div role="status" { (notice(Kind::Good, "Saved", &html! { (saved.sentence()) })) }
        }
        @if let Some(problem) = settings.problem { (refused(problem)) }
        (rules(scene, settings))
        (project(scene, settings))
        (member::list(scene, heading.id, settings.members))
    };
    shell(scene, &Shell { title: "Settings", tab: Leaf::Settings, heading, live }, &main)
}

fn refused(problem: &Problem) -> Markup {
    html! {
        @if problem.code == Code::VersionConflict {
            (notice::problem(problem))
            p.soft { "Nothing of it was saved. Below stands what counts now." }
        } @else { (above(problem, &FIELDS)) }
    }
}

fn rules(scene: &Scene<'_>, settings: &Settings<'_>) -> Markup {
    let (view, ruled, problem) = (settings.view, settings.ruled, settings.problem);
    let branches = view.branches.iter().map(|name| (name.clone(), name.clone())).collect();
    html! {
        section.card aria-label="Rules" {
            header { h2 { "Agents and rules" } }
            form.form.pad method="post" action={ "/repositories/" (view.heading.id) "/settings" } {
                (csrf(&scene.viewer.csrf))
                input type="hidden" name="seen" value=(view.rules.mark);
                (choice("gitnest", ruled.gitnest, "Agents see it", "Those whose connection has the project read it and propose changes (GitNest)."))
                (choice("other_decider", ruled.other_decider, "Another person must decide", "Who connected an agent does not approve or decline what it proposes."))
                (Select { name: "default_branch", id: "default_branch", label: "Default branch", options: branches, chosen: &ruled.default_branch,
                    hint: "What a clone checks out and every page shows first.", wrong: beside(problem, "default_branch") }.render())
                (Area { name: "protected_branches", label: "Protected branches", value: &ruled.protected_branches,
                    hint: "One a line. A maintainer decides what goes into them.", wrong: beside(problem, "protected_branches") }.render())
                (Area { name: "protected_paths", label: "Protected paths", value: &ruled.protected_paths,
                    hint: "One a line; a folder ends with /. A maintainer decides about them, on every branch.", wrong: beside(problem, "protected_paths") }.render())
                (always())
                div { (submit(Tone::Primary, &html! { "Save settings" })) }
            }
        }
    }
}

fn choice(name: &str, on: bool, label: &str, about: &str) -> Markup {
    html! {
        label.choice {
            input type="checkbox" name=(name) value="on" checked[on];
            span { b { (label) } small { (about) } }
        }
    }
}

/// The paths that nobody has to name.
fn always() -> Markup {
    let each = |paths: &[&str]| html! { @for path in paths { code { (path) } " " } };
    html! {
        details.fold {
            summary.small.opens { span.turn { (icon(Icon::Chevron)) } "Always protected, without an entry" }
            div.below.stack.tight.small.soft {
                p { "In every folder: " (each(always_named())) }
                p { "At the root: " (each(always_at_root())) }
            }
        }
    }
}

fn project(scene: &Scene<'_>, settings: &Settings<'_>) -> Markup {
    let view = settings.view;
    let chosen = view.project.to_string();
    let options = settings.projects.iter().map(|project| (project.id.to_string(), project.name.clone()));
    html! {
        section.card aria-label="Project" {
            header { h2 { "Project" } }
            form.form.pad method="post" action={ "/repositories/" (view.heading.id) "/project" } {
                (csrf(&scene.viewer.csrf))
                (Select { name: "project", id: "project", label: "The project that it is in", options: options.collect(), chosen: &chosen,
                    hint: "The people and agents of the new project see it from their next call on; those of this one no longer do, unless they have a role of their own below.",
                    wrong: beside(settings.problem, "project") }.render())
                div { (submit(Tone::Plain, &html! { "Move" })) }
            }
        }
    }
}
