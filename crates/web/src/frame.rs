//! What stands around every page: the document, the navigation, the viewer, the one live stream.

mod dialog;

use countersign_app::session::view::Viewer;
use countersign_core::role::WorkspaceRole;
use countersign_core::time::Timestamp;
use maud::{DOCTYPE, Markup, html};

use crate::asset;
use crate::part::field::csrf;
use crate::part::icon::{Icon, icon, mark};
use crate::part::text::{initials, visible};

/// Who looks, and when: what pages and live parts are rendered for.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The person.
    pub viewer: &'a Viewer,
    /// How many proposals wait in their workspace.
    pub waiting: usize,
    /// The moment that distances are counted from.
    pub now: Timestamp,
}

/// The entry of the navigation that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// What needs the person.
    Home,
    /// Needs your approval.
    Approvals,
    /// Connected.
    Connected,
    /// Repositories.
    Repositories,
    /// The audit log.
    Audit,
    /// Projects.
    Projects,
    /// The people of the workspace.
    People,
    /// None of them.
    Elsewhere,
}

/// One entry of the navigation.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The pages that belong to it.
    pub section: Section,
    /// Where it leads.
    pub href: &'static str,
    /// Its picture.
    pub picture: Icon,
    /// Its name.
    pub name: &'static str,
    /// The key that leads there, after `g`.
    pub key: &'static str,
    /// Whether owners of the workspace alone have it.
    pub owners: bool,
}

impl Entry {
    const fn new(
        section: Section,
        href: &'static str,
        picture: Icon,
        (name, key): (&'static str, &'static str),
    ) -> Self {
        Self { section, href, picture, name, key, owners: false }
    }

    /// For owners of the workspace alone.
    const fn of_owners(self) -> Self {
        Self { owners: true, ..self }
    }
}

/// The navigation, in its order.
const ENTRIES: [Entry; 7] = [
    Entry::new(Section::Home, "/", Icon::Home, ("Home", "h")),
    Entry::new(Section::Approvals, "/approvals", Icon::Inbox, ("Approvals", "a")),
    Entry::new(Section::Repositories, "/repositories", Icon::Book, ("Repositories", "r")),
    Entry::new(Section::Projects, "/projects", Icon::Folder, ("Projects", "p")),
    Entry::new(Section::Connected, "/connected", Icon::Plug, ("Connected", "c")),
    Entry::new(Section::People, "/people", Icon::Person, ("People", "o")).of_owners(),
    Entry::new(Section::Audit, "/audit", Icon::Shield, ("Audit", "l")).of_owners(),
];

/// What is the person's own, and stands under their name.
pub const OWN: [Entry; 2] = [
    Entry::new(Section::Elsewhere, "/settings", Icon::Gear, ("Settings", "s")),
    Entry::new(Section::Elsewhere, "/tokens", Icon::Key, ("Tokens", "t")),
];

/// The entries that this person has.
pub fn entries(viewer: &Viewer) -> impl Iterator<Item = Entry> {
    let owner = viewer.role == WorkspaceRole::Owner;
    ENTRIES.into_iter().filter(move |entry| owner || !entry.owners)
}

/// A page of the app before it is rendered.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// What stands in the tab.
    pub title: &'a str,
    /// Where in the navigation it is.
    pub section: Section,
    /// The address of its live stream.
    pub live: &'a str,
    /// Whether a bar of decisions stands at its foot on a phone.
    pub bar: bool,
    /// Whether it takes the whole width.
    pub wide: bool,
}

/// A page with navigation, for someone who is signed in.
pub fn app(scene: &Scene<'_>, page: &Page<'_>, main: &Markup) -> Markup {
    let body = html! {
        a.skip href="#main" { "Skip to content" }
        div class={ "app" @if page.bar { " has-bar" } } {
            (side(scene, page.section))
            main.main #main tabindex="-1" {
                div class={ "sheet" @if page.wide { " wide" } } { (main) }
            }
        }
        div hx-sse:connect=(page.live) hx-swap="none" hidden {}
        (dialog::palette())
        (dialog::keys(scene.viewer))
    };
    document(page.title, &body)
}

/// How wide a page is that has one thing on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// A short form.
    Narrow,
    /// Something to read first.
    Roomy,
}

/// A page with one thing on it, for someone who is not signed in or must answer one question.
pub fn alone(title: &str, width: Width, main: &Markup) -> Markup {
    let class = match width {
        Width::Narrow => "alone",
        Width::Roomy => "alone roomy",
    };
    let body = html! {
        main class=(class) #main {
            div.brand { (mark()) span { "Countersign" } }
            (main)
        }
    };
    document(title, &body)
}

fn document(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { (title) " · Countersign" }
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="light dark";
                meta name="theme-color" content="#f7f7f9" media="(prefers-color-scheme: light)";
                meta name="theme-color" content="#15181c" media="(prefers-color-scheme: dark)";
                meta name="htmx-config" content=(HTMX);
                link rel="icon" href=(asset::ICON.address()) type="image/svg+xml";
                link rel="stylesheet" href=(asset::STYLE.address());
                script src=(asset::HTMX.address()) defer {}
                script type="module" src=(asset::SCRIPT.address()) {}
            }
            body { (body) }
        }
    }
}

/// No style of its own (the policy forbids it), no history snapshots, and a fold stays as the reader left it.
const HTMX: &str = r#"{"includeIndicatorCSS":false,"history":false,"extensions":"sse","morphIgnore":["data-htmx-powered","open"]}"#;

fn side(scene: &Scene<'_>, section: Section) -> Markup {
    let viewer = scene.viewer;
    html! {
        header.side {
            a.brand href="/" title=(viewer.workspace_name) { (mark()) span { (visible(&viewer.workspace_name)) } }
            a.find href="/go" data-palette { (icon(Icon::Search)) span { "Go to…" } kbd aria-hidden="true" { "Ctrl K" } }
            nav.nav aria-label="Main" {
                @for entry in entries(viewer) { (link(entry, section == entry.section, scene.waiting)) }
            }
            div.who {
                a.self href="/settings" data-go="s" title="Settings" {
                    span.unseen { "Settings of " }
                    span.avatar aria-hidden="true" { (initials(&viewer.name)) }
                    div { b { (visible(&viewer.name)) } small { (visible(&viewer.mail)) } }
                }
                form method="post" action="/sign-out" {
                    (csrf(&viewer.csrf))
                    button.button.quiet.square type="submit" title="Sign out" aria-label="Sign out" { (icon(Icon::Out)) }
                }
            }
        }
    }
}

fn link(entry: Entry, current: bool, waiting: usize) -> Markup {
    html! {
        a href=(entry.href) data-go=(entry.key) aria-current=[current.then_some("page")] {
            (icon(entry.picture)) (entry.name)
            @if entry.section == Section::Approvals { (waiting_count(waiting)) }
        }
    }
}

/// How many proposals wait; the page and the live stream both render it.
pub fn waiting_count(waiting: usize) -> Markup {
    html! {
        span #waiting class=[(waiting > 0).then_some("count")] {
            @if waiting > 0 { (waiting) span.unseen { " waiting" } }
        }
    }
}
