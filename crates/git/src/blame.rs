//! Which commit wrote each line of a file; bounded in lines, bytes and time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;
use gix::blame::{BlameRanges, Options, Start};
use gix::bstr::ByteSlice as _;

use crate::bounded::Bounded;
use crate::error::{GitError, Result};
use crate::file::{Content, FileSlice, slice_of};
use crate::history::CommitInfo;
use crate::repo::{Repo, from_gix, to_gix};
use crate::tree::{EntryKind, Page};

/// A file of more bytes than this is not blamed, and none of its earlier states is compared.
pub const MOST_BYTES: u64 = 1 << 20;
/// How many bytes of decoded objects are kept at hand.
const CACHE: usize = 16 << 20;

/// Lines that one commit wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The number of the first, from 1.
    pub from: usize,
    /// How many.
    pub lines: usize,
    /// The commit; `None` where the history does not say.
    pub commit: Option<Oid>,
}

/// A page of a file with the commits that wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    /// The lines.
    pub text: FileSlice,
    /// Who wrote them, in their order, without gaps.
    pub stretches: Vec<Stretch>,
    /// What these commits say.
    pub commits: HashMap<Oid, CommitInfo>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blamed {
    /// It was found.
    Done(Box<Blame>),
    /// There is no file at that path.
    NoFile,
    /// It is no text.
    Binary,
    /// It has more bytes than are blamed, or had them once.
    TooLarge,
    /// The time was over before the history was walked.
    TooLong,
}

impl Repo {
    /// Blames a page of the lines of the file at `path` in `commit`, until `stop` is raised. Renames are followed.
    pub fn blame(&self, commit: Oid, path: &TreePath, page: Page, stop: &AtomicBool) -> Result<Blamed> {
        let Some(node) = self.find(commit, path)?.filter(|node| node.kind == EntryKind::File) else {
            return Ok(Blamed::NoFile);
        };
        if self.size_of(node.oid)? > MOST_BYTES {
            return Ok(Blamed::TooLarge);
        }
        let Content::Text(text) = self.content(node.oid, MOST_BYTES)? else {
            return Ok(Blamed::Binary);
        };
        let text = slice_of(&text, page);
        if text.to < text.from {
            return Ok(Blamed::Done(Box::new(Blame {
                text,
                stretches: Vec::new(),
                commits: HashMap::new(),
            })));
        }
        let mut gix = self.gix.clone();
        gix.object_cache_size_if_unset(CACHE);
        let objects = Bounded::of(&gix.objects, stop, MOST_BYTES);
        let found = self.entries(commit, path, (text.from, text.to), &objects);
        match found {
            Ok(found) => {
                let stretches = without_gaps(&found, text.from, text.to);
                let commits = self.commits_of(&stretches)?;
                Ok(Blamed::Done(Box::new(Blame { text, stretches, commits })))
            }
            Err(_) if objects.met_a_large_one() => Ok(Blamed::TooLarge),
            Err(_) if stop.load(Ordering::Relaxed) => Ok(Blamed::TooLong),
            Err(error) => Err(error),
        }
    }

    fn entries(
        &self,
        commit: Oid,
        path: &TreePath,
        (from, to): (usize, usize),
        objects: &Bounded<'_>,
    ) -> Result<Vec<Stretch>> {
        let wrong = "blame a file";
        let line = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let ranges = BlameRanges::from_one_based_inclusive_range(line(from)..=line(to));
        let options = Options {
            diff_algorithm: gix::diff::blob::Algorithm::Histogram,
            ranges: ranges.map_err(GitError::engine(wrong))?,
            since: None,
            rewrites: Some(gix::diff::Rewrites::default()),
            debug_track_path: false,
        };
        let mut cache = self.diff_cache()?;
        let path = path.as_bytes().as_bstr();
        let outcome =
            gix::blame::file(objects, Start::Commit(to_gix(commit)), None, &mut cache, path, options)
                .map_err(GitError::engine(wrong))?;
        let stretch = |entry: &gix::blame::BlameEntry| {
            Ok(Stretch {
                from: entry.start_in_blamed_file as usize + 1,
                lines: entry.len.get() as usize,
                commit: Some(from_gix(&entry.commit_id)?),
            })
        };
        outcome.entries.iter().map(stretch).collect()
    }

    /// What compares two files: without attributes, so that no file in the repository decides what is a text.
    fn diff_cache(&self) -> Result<gix::diff::blob::Platform> {
        let wrong = "prepare to compare files";
        let none = gix::index::State::new(gix::hash::Kind::Sha1);
        let source = gix::worktree::stack::state::attributes::Source::IdMapping;
        let attributes = self.gix.attributes_only(&none, source).map_err(GitError::engine(wrong))?;
        gix::diff::resource_cache(
            &self.gix,
            gix::diff::blob::pipeline::Mode::ToGit,
            attributes.detach(),
            gix::diff::blob::pipeline::WorktreeRoots::default(),
        )
        .map_err(GitError::engine(wrong))
    }

    fn commits_of(&self, stretches: &[Stretch]) -> Result<HashMap<Oid, CommitInfo>> {
        let mut commits = HashMap::new();
        for oid in stretches.iter().filter_map(|stretch| stretch.commit) {
            if !commits.contains_key(&oid) {
                commits.extend(self.commit_line(oid)?.map(|commit| (oid, commit)));
            }
        }
        Ok(commits)
    }
}

/// The stretches from line to line, with those that were left out. gix gives lines of a second root to nobody.
fn without_gaps(found: &[Stretch], from: usize, to: usize) -> Vec<Stretch> {
    let mut whole = Vec::new();
    let mut next = from;
    for stretch in found {
        if stretch.from > next {
            whole.push(Stretch { from: next, lines: stretch.from - next, commit: None });
        }
        whole.push(*stretch);
        next = stretch.from + stretch.lines;
    }
    if next <= to {
        whole.push(Stretch { from: next, lines: to + 1 - next, commit: None });
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_nobody_was_found_for_are_still_lines() {
        let known = |from, lines| Stretch { from, lines, commit: Some(Oid::new([1; 20])) };
        let unknown = |from, lines| Stretch { from, lines, commit: None };
        assert_eq!(
            without_gaps(&[known(12, 3), known(17, 1)], 11, 20),
            [unknown(11, 1), known(12, 3), unknown(15, 2), known(17, 1), unknown(18, 3)]
        );
        assert_eq!(without_gaps(&[known(1, 2)], 1, 2), [known(1, 2)]);
    }
}
