//! Fill: keys and rows of a backup, each in its empty place.

use std::fs::{DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;

use countersign_core::backup::EntryName;
use countersign_core::problem::{Code, Problem};
use countersign_store::load::{self, Filling};
use countersign_store::{Tx, table};

use super::Target;
use super::marker::sync;
use crate::backup::read::Archive;
use crate::backup::{Rows, Step, Tell, file_problem, store_problem};

/// Writes the keys, for this user alone.
pub(super) fn keys(archive: &Archive, folder: &Path) -> Result<(), Problem> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| file_problem("make", folder, error))?;
    for name in EntryName::keys() {
        let Some(bytes) = archive.whole(&EntryName::Key(name))? else { continue };
        let path = folder.join(name);
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let written = file.and_then(|mut file| file.write_all(&bytes).and_then(|()| file.sync_all()));
        written.map_err(|error| file_problem("write", &path, error))?;
    }
    sync(folder).map_err(|error| file_problem("sync", folder, error))
}

/// Loads every row in one transaction, and puts the database in its place.
pub(super) async fn store(
    archive: &Arc<Archive>,
    target: &Target<'_>,
    tell: Tell<'_>,
) -> Result<(), Problem> {
    tell(&Step::Table("of every kind".to_owned()));
    let filling = Filling::open(target.database_url).await.map_err(store_problem)?;
    let source = Arc::clone(archive);
    let loaded = filling.db.write(move |t| {
        Box::pin(async move {
            for table in table::all(t).await? {
                load::fill(t, &table, Rows::open(&source, &table)?).await?;
            }
            counted(t, &source).await
        })
    });
    if let Err(problem) = loaded.await {
        filling.db.close().await;
        return Err(problem);
    }
    filling.publish().await.map_err(store_problem)
}

/// Holds the rows of each table against what the backup says; how many there are.
pub(super) async fn counted(t: &Tx<'_>, archive: &Archive) -> Result<u64, Problem> {
    let (mut all, mut tables) = (0, 0);
    for table in table::all(t).await? {
        let name = EntryName::Table(table.name.clone());
        let said = archive.entries().find(|entry| entry.name == name).and_then(|entry| entry.rows);
        let found = table.count(t).await?;
        if said != Some(found) {
            let said = said.map_or("none".to_owned(), |rows| rows.to_string());
            let sentence = format!("The table {} has {found} rows; the backup has {said}.", table.name);
            return Err(Problem::new(Code::RestoreNotProven, sentence));
        }
        all += found;
        tables += 1;
    }
    let known = archive.entries().filter(|entry| matches!(entry.name, EntryName::Table(_))).count();
    if known == tables {
        Ok(all)
    } else {
        Err(archive.wrong("it has tables that this program does not know"))
    }
}
