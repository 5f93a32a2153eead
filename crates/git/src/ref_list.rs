//! Every branch and tag of a repository with what it points at, for whoever compares them with what was seen before.

use std::collections::BTreeMap;
use std::path::Path;

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use gix::refs::Target;

use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::refs::Refs;
use crate::repo::from_gix;

/// Where the refs of people live.
const OF_PEOPLE: [&str; 2] = ["refs/heads/", "refs/tags/"];

impl GitHost {
    /// What every branch and every tag points at (a tag: at its own object), by full name. What is no UTF-8 has no
    /// name here; a symbolic ref points at no object of its own.
    ///
    /// Loose files are read first and packed-refs after them, as for a single ref: a ref leaves its file only once
    /// it is packed, so that none is missed and none is old.
    pub async fn refs_of_people(&self, id: ResourceId) -> Result<BTreeMap<String, Oid>> {
        self.with_refs(id, read).await
    }
}

fn read(refs: &Refs<'_>) -> Result<BTreeMap<String, Oid>> {
    let mut found = BTreeMap::new();
    let mut symbolic = Vec::new();
    for prefix in OF_PEOPLE {
        for name in loose_names(refs.path(), prefix)? {
            let loose = refs.store().try_find_loose(name.as_str());
            match loose.map_err(GitError::engine("read a ref"))?.map(|loose| loose.target) {
                Some(Target::Object(id)) => drop(found.insert(name, from_gix(&id)?)),
                Some(Target::Symbolic(_)) => symbolic.push(name),
                // It was packed or removed since the folder was listed.
                None => {}
            }
        }
    }
    let wrong = "read packed-refs";
    if let Some(packed) = refs.store().open_packed_buffer().map_err(GitError::engine(wrong))? {
        for prefix in OF_PEOPLE {
            let listed = packed.iter_prefixed(prefix.into()).map_err(GitError::engine(wrong))?;
            for entry in listed {
                let entry = entry.map_err(GitError::engine(wrong))?;
                let Ok(name) = std::str::from_utf8(entry.name.as_bstr()) else { continue };
                if !found.contains_key(name) && !symbolic.iter().any(|other| other == name) {
                    found.insert(name.to_owned(), from_gix(&entry.target())?);
                }
            }
        }
    }
    Ok(found)
}

/// The names of the files below a folder of refs, without git's lock files.
fn loose_names(repository: &Path, prefix: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut folders = vec![prefix.trim_end_matches('/').to_owned()];
    while let Some(folder) = folders.pop() {
        let place = repository.join(&folder);
        let listed = match std::fs::read_dir(&place) {
            Ok(listed) => listed,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            Err(e) => return Err(GitError::disk("list", place)(e)),
        };
        for entry in listed {
            let entry = entry.map_err(GitError::disk("list", &place))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let kind = entry.file_type().map_err(GitError::disk("read", entry.path()))?;
            if kind.is_dir() {
                folders.push(format!("{folder}/{name}"));
            } else if Path::new(&name).extension().is_none_or(|end| end != "lock") {
                names.push(format!("{folder}/{name}"));
            }
        }
    }
    Ok(names)
}
