//! Restoring a backup into an empty place, and proving that it is what was backed up (docs/decisions/15-backup.md).
//!
//! The operator's, as the backup is. Killed anywhere it begins anew; until it has proved everything no server starts on
//! what there is.

mod fill;
mod marker;
mod prove;

pub use marker::{MARKER, is_under_way};

use std::path::Path;
use std::sync::Arc;

use countersign_core::backup::{EntryName, NEEDED_KEYS, RefList};
use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_git::GitHost;
use countersign_git::sign::Signer;
use countersign_store::load;
use serde::Serialize;

use crate::backup::read::Archive;
use crate::backup::{Checked, Step, Tell, open, store_problem};
use crate::edge::Clock;
use crate::git_problem::git_problem;
use marker::{Begun, Marker};

/// Where everything goes.
pub struct Target<'a> {
    /// `sqlite:PATH` or `postgres://…`; empty, or not there.
    pub database_url: &'a str,
    /// The data folder.
    pub data: &'a Path,
    /// The folder of repositories; empty, or not there.
    pub repositories: &'a Path,
    /// The git to use instead of the first one on the path.
    pub git: Option<&'a Path>,
    /// The clock.
    pub clock: &'a dyn Clock,
}

/// What was restored and proved.
#[derive(Clone, Debug, Serialize)]
pub struct Restored {
    /// The backup.
    pub backup: Checked,
    /// What was proved, in its order.
    pub proven: Vec<Proof>,
    /// How long all of it took, in milliseconds.
    pub took_ms: i64,
}

/// One thing that was proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// What of it is so.
    pub what: &'static str,
    /// How many of them.
    pub count: u64,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
}

/// Notes what was proved, each with the time since the one before.
pub(crate) struct Proofs<'a> {
    clock: &'a dyn Clock,
    since: i64,
    list: Vec<Proof>,
}

impl Proofs<'_> {
    fn add(&mut self, what: &'static str, count: u64) {
        let now = self.clock.now().millis();
        self.list.push(Proof { what, count, took_ms: now - self.since });
        self.since = now;
    }
}

/// Restores a backup into an empty place.
pub async fn restore(target: &Target<'_>, file: &Path, tell: Tell<'_>) -> Result<Restored, Problem> {
    let began = target.clock.now().millis();
    let mut proofs = Proofs { clock: target.clock, since: began, list: Vec::new() };
    tell(&Step::Check);
    let archive = Arc::new(open(file).await?);
    complete(&archive)?;
    proofs.add("entries are byte for byte as they were written", archive.entries().count() as u64);
    let marker = Marker::take(target).await?;
    let git = GitHost::open(target.repositories, target.git).await.map_err(git_problem)?;
    fill::keys(&archive, &target.repositories.join("keys"))?;
    repositories(&git, &archive, tell).await?;
    proofs.add(
        "repositories have every object that their branches and tags lead to",
        repositories_of(&archive).count() as u64,
    );
    let loaded = match marker.begun() {
        Begun::Anew => false,
        Begun::Again => load::obstacle(target.database_url).await.map_err(store_problem)?.is_some(),
    };
    if !loaded {
        fill::store(&archive, target, tell).await?;
    }
    tell(&Step::Prove);
    // The key is there: none is made.
    let signer = Signer::open(&target.repositories.join("keys"), |_| {}).map_err(git_problem)?;
    let db = countersign_store::Db::open(target.database_url).await.map_err(store_problem)?;
    let proved = prove::all((&db, &git, &signer), &archive, &mut proofs).await;
    db.close().await;
    proved.map_err(|problem| still_marked(problem, &marker))?;
    marker.remove()?;
    let took_ms = target.clock.now().millis() - began;
    Ok(Restored { backup: Checked::of(&archive), proven: proofs.list, took_ms })
}

/// What is in the place is all that there is: whoever knows that it was so before may take it as it is.
fn still_marked(problem: Problem, marker: &Marker) -> Problem {
    let next = format!(
        "No server starts on it while {} is there. Restore another backup into an empty place; only if it was so on \
         the old server too, remove that file and start.",
        marker.path().display()
    );
    problem.next(next)
}

/// Whether all is there that a server cannot go on without, and nothing that belongs to nothing.
fn complete(archive: &Archive) -> Result<(), Problem> {
    for name in NEEDED_KEYS {
        if archive.content(&EntryName::Key(name)).is_none() {
            return Err(archive.wrong(format!("the key {name} is missing")));
        }
    }
    for entry in archive.entries() {
        if let EntryName::Pack(id) = entry.name
            && archive.content(&EntryName::Refs(id)).is_none()
        {
            return Err(archive.wrong(format!("nothing says what is in the pack of {id}")));
        }
    }
    for id in repositories_of(archive) {
        refs(archive, id)?;
    }
    Ok(())
}

/// The repositories of a backup.
fn repositories_of(archive: &Archive) -> impl Iterator<Item = ResourceId> {
    archive.entries().filter_map(|entry| match entry.name {
        EntryName::Refs(id) => Some(id),
        EntryName::Head
        | EntryName::Table(_)
        | EntryName::Key(_)
        | EntryName::Pack(_)
        | EntryName::Manifest => None,
    })
}

/// The refs of one of them.
fn refs(archive: &Archive, id: ResourceId) -> Result<RefList, Problem> {
    let bytes = archive.whole(&EntryName::Refs(id))?.unwrap_or_default();
    let list = String::from_utf8(bytes).ok().and_then(|text| RefList::parse(&text));
    list.ok_or_else(|| archive.wrong(format!("the refs of {id} cannot be read")))
}

async fn repositories(git: &GitHost, archive: &Archive, tell: Tell<'_>) -> Result<(), Problem> {
    let of = repositories_of(archive).count();
    for (at, id) in repositories_of(archive).enumerate() {
        tell(&Step::Repository(at + 1, of));
        let list = refs(archive, id)?;
        let mut pack = archive.content(&EntryName::Pack(id));
        let pack = pack.as_mut().map(|pack| pack as &mut (dyn std::io::Read + Send));
        git.restore(id, &list, pack).await.map_err(|error| {
            Problem::new(Code::RestoreNotProven, format!("Repository {id} cannot be restored."))
                .because(error)
        })?;
    }
    Ok(())
}
