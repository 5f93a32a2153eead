//! The files of one proposal together: bounds, and no two of them in each other's way.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::content::check_content;
use super::fold;
use super::path::{PathBreach, Rule, check_path};

/// How many files a proposal holds at most.
pub const MOST_FILES: usize = 20;
/// How many bytes they have together at most.
pub const MOST_BYTES: usize = 204_800;

/// A file that is added, or replaces one that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedFile {
    /// Where it goes.
    pub path: String,
    /// All of its text, byte for byte.
    pub content: String,
}

/// Holds the files of a proposal against every rule that needs nothing but them. Run when it
/// is proposed and again before it is carried out.
pub fn check_files(files: &[ProposedFile]) -> Result<(), PathBreach> {
    if files.is_empty() || files.len() > MOST_FILES {
        let path = files.get(MOST_FILES).map(|file| file.path.as_str()).unwrap_or_default();
        return Err(PathBreach::new(path, Rule::TooMany));
    }
    let mut bytes = 0;
    let mut seen = Seen::default();
    for file in files {
        check_path(&file.path)?;
        let breach = |rule| PathBreach::new(&file.path, rule);
        check_content(&file.path, &file.content).map_err(breach)?;
        bytes += file.content.len();
        if bytes > MOST_BYTES {
            return Err(breach(Rule::TooMuch));
        }
        seen.add(&file.path).map_err(breach)?;
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
}

/// Every name so far, by the key under which a forgiving file system finds it.
#[derive(Default)]
struct Seen<'p>(HashMap<String, (&'p str, Kind)>);

impl<'p> Seen<'p> {
    fn add(&mut self, path: &'p str) -> Result<(), Rule> {
        let ends = path.match_indices('/').map(|(at, _)| (at, Kind::Folder));
        for (end, kind) in ends.chain([(path.len(), Kind::File)]) {
            let name = &path[..end];
            let (spelled, found) = match self.0.entry(fold::key(name)) {
                Entry::Vacant(free) => {
                    free.insert((name, kind));
                    continue;
                }
                Entry::Occupied(taken) => *taken.get(),
            };
            match (found, kind) {
                (Kind::File, Kind::Folder) => return Err(Rule::FolderOverFile),
                (Kind::Folder, Kind::File) => return Err(Rule::FileOverFolder),
                (Kind::File, Kind::File) | (Kind::Folder, Kind::Folder) if spelled != name => {
                    return Err(Rule::CaseClash);
                }
                (Kind::File, Kind::File) => return Err(Rule::SamePath),
                (Kind::Folder, Kind::Folder) => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
