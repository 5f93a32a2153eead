//! What a page shows now, as parts that page and stream render alike.

use countersign_app::connection::view::{ConnectedView, ConnectionView};
use countersign_app::home::view::HomeView;
use countersign_app::invitation::view::InvitationView;
use countersign_app::project::view::ProjectPage;
use countersign_app::proposal::view::{ProposalView, QueueView};
use countersign_app::session::view::Viewer;
use countersign_app::workspace::view::PersonView;
use countersign_app::{connection, home, invitation, project, proposal, repository, workspace};
use countersign_core::caller::Caller;
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use maud::{Markup, html};
use sha2::{Digest, Sha256};

use super::Watched;
use crate::frame::{Scene, waiting_count};
use crate::page::import::{self, Imports};
use crate::page::{
    approval, approvals, connected, connection as connection_page, home as home_page, people,
    project as project_page,
};
use crate::state::Web;

/// The data of a page at one moment, each part behind the gate.
#[derive(Debug)]
pub(crate) struct Snapshot {
    watched: Watched,
    /// What waits for this viewer.
    pub(crate) queue: QueueView,
    /// What the page is about, but for the queue.
    pub(crate) shown: Shown,
}

/// What a page is about.
#[derive(Debug)]
pub(crate) enum Shown {
    /// The queue, or nothing that changes.
    Queue,
    /// What needs the person beside the queue.
    Home(HomeView),
    /// One proposal.
    Approval(Box<ProposalView>),
    /// The assistants.
    Connected(ConnectedView),
    /// One of them.
    Connection(Box<ConnectionView>),
    /// One project.
    Project(Box<ProjectPage>),
    /// The people of the workspace, and who is invited.
    People(Vec<PersonView>, Vec<InvitationView>),
    /// The imports, for whoever may see them.
    Imports(Option<Imports>),
}

/// One part: the id of its element, and the element.
pub(super) struct Part {
    pub(super) id: &'static str,
    pub(super) markup: Markup,
}

impl Snapshot {
    /// Looks at everything that the page shows.
    pub(crate) async fn load(web: &Web, caller: &Caller, watched: Watched) -> Result<Self, Problem> {
        let shown = match watched {
            Watched::Count | Watched::Approvals => Shown::Queue,
            Watched::Home => Shown::Home(home::look(&web.app, caller).await?),
            Watched::Approval(id, reach) => {
                Shown::Approval(Box::new(proposal::show(&web.app, caller, id, reach).await?))
            }
            Watched::Connected => Shown::Connected(connection::list(&web.app, caller).await?),
            Watched::Connection(id) => {
                Shown::Connection(Box::new(connection::read(&web.app, caller, id).await?))
            }
            Watched::Project(id) => Shown::Project(Box::new(project::read(&web.app, caller, id).await?)),
            Watched::People => Shown::People(
                workspace::people(&web.app, caller).await?,
                invitation::list(&web.app, caller).await?,
            ),
            Watched::Imports(listed) => Shown::Imports(imports(web, caller, listed).await?),
        };
        Ok(Self { watched, queue: proposal::queue(&web.app, caller).await?, shown })
    }

    /// Who looks at it, and when.
    pub(crate) fn scene<'a>(&self, viewer: &'a Viewer, now: Timestamp) -> Scene<'a> {
        let waiting = self.queue.waiting.iter().filter(|row| row.may_decide).count();
        Scene { viewer, waiting, now }
    }

    /// The address of the stream that goes on from here.
    pub(crate) fn live(&self, viewer: &Viewer) -> String {
        if matches!(self.shown, Shown::Imports(None)) {
            // Who is refused the imports is not asked for them again and again.
            return self.live_count(viewer);
        }
        self.watched.address(&self.digests(viewer).whole())
    }

    /// The address of a stream that tells how many proposals wait, and leaves the rest of the page alone.
    pub(crate) fn live_count(&self, viewer: &Viewer) -> String {
        let mut digests = self.digests(viewer);
        digests.0.retain(|(id, _)| *id == "waiting");
        Watched::Count.address(&digests.whole())
    }

    /// The parts for this viewer.
    pub(super) fn parts(&self, viewer: &Viewer, now: Timestamp) -> Vec<Part> {
        let scene = &self.scene(viewer, now);
        let part = |id, markup| Part { id, markup };
        let mut parts = vec![part("waiting", waiting_count(scene.waiting))];
        match &self.shown {
            Shown::Queue if self.watched == Watched::Count => {}
            Shown::Queue => parts.push(part("queue", approvals::queue(scene, &self.queue))),
            Shown::Home(view) => parts.push(part("home", home_page::now(scene, view, &self.queue))),
            Shown::Approval(view) => {
                parts.push(part("state", approval::state(view)));
                parts.push(part("standing", approval::standing(scene, view)));
                parts.push(part("decision", approval::decision(scene, view)));
                parts.push(part("history", approval::history(scene, view)));
                parts.push(part("bar", approval::bar(view)));
            }
            Shown::Connected(view) => parts.push(part("connections", connected::list(scene, view))),
            Shown::Connection(view) => {
                parts.push(part("connection", connection_page::head(scene, view)));
                parts.push(part("projects", connection_page::projects(scene, view)));
                parts.push(part("tools", connection_page::tools(scene, view)));
                parts.push(part("activity", connection_page::activity(scene, view)));
                parts.push(part("revoke", connection_page::revoke(scene, view)));
            }
            Shown::Project(view) => {
                parts.push(part("in-project", project_page::repositories(view)));
                parts.push(part("members", project_page::members(scene, view, "")));
                parts.push(part("connected-to", project_page::connections(view)));
            }
            Shown::People(everybody, invited) => {
                parts.push(part("people", people::list(scene, everybody, "")));
                parts.push(part("invitations", people::invitations(scene, invited)));
            }
            Shown::Imports(view) => parts.push(part("imports", import::part(scene, view.as_ref()))),
        }
        parts
    }

    /// What tells two moments apart. Distances in time are taken from a fixed moment, since their passing alone
    /// is no news.
    pub(super) fn digests(&self, viewer: &Viewer) -> Digests {
        let parts = self.parts(viewer, Timestamp::from_millis(0));
        Digests(parts.into_iter().map(|part| (part.id, digest(&part.markup.into_string()))).collect())
    }
}

/// The imports; `None` where the use case lets the caller see none.
async fn imports(web: &Web, caller: &Caller, listed: usize) -> Result<Option<Imports>, Problem> {
    let open = match repository::import::imports(&web.app, caller).await {
        Ok(open) => open,
        Err(problem) if problem.code == Code::RoleRequired => return Ok(None),
        Err(problem) => return Err(problem),
    };
    let now = repository::list(&web.app, caller).await?.len();
    Ok(Some(Imports { open, listed_anew: now != listed }))
}

/// The digest of each part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Digests(Vec<(&'static str, String)>);

impl Digests {
    /// One digest for all parts together.
    pub(super) fn whole(&self) -> String {
        digest(&self.0.iter().map(|(_, digest)| digest.as_str()).collect::<String>())
    }

    /// Whether a part is the same in both.
    pub(super) fn agrees(&self, other: &Self, id: &str) -> bool {
        let find = |all: &Self| all.0.iter().find(|(key, _)| *key == id).map(|(_, digest)| digest.clone());
        find(self) == find(other)
    }
}

fn digest(text: &str) -> String {
    let hash = Sha256::digest(text);
    hash.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes)).to_string()
}

/// A part as a message that replaces its element, keeping the focus and what is being typed.
pub(super) fn replace(part: &Part) -> Markup {
    html! { hx-partial hx-target={ "#" (part.id) } hx-swap="outerMorph" { (part.markup) } }
}
