//! Make: the store at one moment, the keys, and of each repository what the store named then.

use std::path::Path;

use countersign_core::backup::{EntryName, FORMAT, Head, NEEDED_KEYS, RefList};
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use countersign_git::lock::ObjectsKept;
use countersign_git::{GitError, GitHost};
use countersign_store::Snapshot;
use serde::Serialize;

use super::write::Writer;
use super::{Step, Tell, file_problem, picture, row, store_problem};
use crate::edge::Clock;
use crate::git_problem::git_problem;

/// How often a pack is begun: a repack that ends at this moment may take away what git is about to read.
const TRIES: usize = 3;

/// Where everything of a server is.
pub struct Source<'a> {
    /// `sqlite:PATH` or `postgres://…`.
    pub database_url: &'a str,
    /// The folder of repositories, with the keys in it.
    pub repositories: &'a Path,
    /// The git to use instead of the first one on the path.
    pub git: Option<&'a Path>,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// The version of this program.
    pub program: &'a str,
}

/// What becomes of a file that stands where the backup shall be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and the backup is refused.
    Keep,
    /// The backup takes its place, when all of it is there.
    Replace,
}

/// A backup that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Made {
    /// When it was begun: everything that was answered before is in it.
    pub made_at: Timestamp,
    /// How many bytes it has.
    pub bytes: u64,
    /// How many rows.
    pub rows: u64,
    /// How many repositories.
    pub repositories: usize,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
}

/// Makes a backup beside `place` and gives it its name when all of it is on the disk. Nobody is stopped meanwhile.
pub async fn make(
    source: &Source<'_>,
    place: &Path,
    existing: Existing,
    tell: Tell<'_>,
) -> Result<Made, Problem> {
    let made_at = source.clock.now();
    let mut writer = Writer::create(place, existing)?;
    let git = GitHost::open(source.repositories, source.git).await.map_err(git_problem)?;
    let (snapshot, kept) = picture::take(source.database_url, &git, tell).await?;
    let head = Head {
        format: FORMAT,
        program: source.program.to_owned(),
        schema: countersign_store::table::schema(),
        engine: snapshot.engine().to_owned(),
        made_at,
    };
    writer.json(EntryName::Head, &head)?;
    let rows = store(&snapshot, &mut writer, tell).await?;
    let told = picture::repositories(&snapshot).await?;
    // The log of SQLite grows for as long as somebody looks at it.
    drop(snapshot);
    keys(&source.repositories.join("keys"), &mut writer)?;
    let repositories = told.len();
    for (at, told) in told.into_iter().enumerate() {
        tell(&Step::Repository(at + 1, repositories));
        let id = told.id;
        let list = told.refs(&git).await?;
        writer.whole(EntryName::Refs(id), list.to_text().as_bytes())?;
        if let Some(kept) = kept.get(&id).filter(|_| !list.refs.is_empty()) {
            pack(&git, kept, (&list, &mut writer)).await?;
        }
    }
    let bytes = writer.publish(existing)?;
    let took_ms = source.clock.now().millis() - made_at.millis();
    Ok(Made { made_at, bytes, rows, repositories, took_ms })
}

async fn store(snapshot: &Snapshot, writer: &mut Writer, tell: Tell<'_>) -> Result<u64, Problem> {
    let mut all = 0;
    for table in snapshot.tables().await.map_err(store_problem)? {
        tell(&Step::Table(table.name.clone()));
        writer.begin(EntryName::Table(table.name.clone()))?;
        writer.add(&row::heading(&table))?;
        let mut rows = snapshot.rows(&table).await.map_err(store_problem)?;
        let mut count = 0;
        while let Some(cells) = rows.next().await.map_err(store_problem)? {
            writer.add(&row::row(cells))?;
            count += 1;
        }
        writer.end(Some(count))?;
        all += count;
    }
    Ok(all)
}

/// After the store: a key that was changed meanwhile has left its public one among the retired.
fn keys(folder: &Path, writer: &mut Writer) -> Result<(), Problem> {
    for name in EntryName::keys() {
        let path = folder.join(name);
        match std::fs::read(&path) {
            Ok(bytes) => writer.whole(EntryName::Key(name), &bytes)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !NEEDED_KEYS.contains(&name) => {}
            Err(error) => return Err(file_problem("read the key", &path, error)),
        }
    }
    Ok(())
}

async fn pack(
    git: &GitHost,
    kept: &ObjectsKept,
    (list, writer): (&RefList, &mut Writer),
) -> Result<(), Problem> {
    let id = kept.repository();
    let mut tried = 1;
    loop {
        writer.begin(EntryName::Pack(id))?;
        match git.pack(kept, list.refs.values().copied(), |bytes| writer.write(bytes)).await {
            Ok(()) => return writer.end(None),
            Err(GitError::Process { .. }) if tried < TRIES => tried += 1,
            Err(GitError::Process { stderr, .. }) => {
                let sentence = format!("Repository {id} lacks something that the store names: {stderr}.");
                return Err(Problem::new(Code::BackupRefused, sentence)
                    .next("Run `git fsck` in its folder and mend it, then run the backup again."));
            }
            Err(error) => return Err(git_problem(error)),
        }
    }
}
