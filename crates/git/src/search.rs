//! Looking for a text in the files of a commit, whatever its case; bounded in bytes, matches and time.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;
use gix::bstr::ByteSlice as _;

use crate::error::Result;
use crate::file::Content;
use crate::host::GitHost;
use crate::repo::{Repo, from_gix};
use crate::revision::Revision;
use crate::tree::{EntryKind, decode};

/// How long a search goes on.
pub const MOST_TIME: Duration = Duration::from_secs(5);
/// How many bytes of files are searched.
const MOST_BYTES: u64 = 128 << 20;
/// How many entries of folders are looked at: a small repository can unfold to very many.
const MOST_ENTRIES: usize = 500_000;
/// A file of more bytes than this is not searched, like a binary one.
const MOST_FILE_BYTES: u64 = 2 << 20;
/// How many characters of a line are given, and how many of them stand before what was found.
const LINE: usize = 240;
const BEFORE: usize = 80;

/// What to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The text; never a pattern.
    pub query: String,
    /// What the paths begin with.
    pub path_prefix: String,
    /// How many lines to find.
    pub limit: usize,
    /// How many lines to give before and after each.
    pub around: usize,
}

/// A line that holds the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The path of its file.
    pub path: TreePath,
    /// Its number, from 1.
    pub line: usize,
    /// The line, or as much of it around what was found as is given.
    pub text: String,
    /// Where in it the text stands, in bytes.
    pub found: Vec<Range<usize>>,
    /// The lines before it, cut like itself.
    pub before: Vec<String>,
    /// The lines after it.
    pub after: Vec<String>,
}

/// What was found, and how much was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// In the order of paths and lines.
    pub items: Vec<Match>,
    /// Whether the search ended before it had seen everything.
    pub truncated: bool,
}

impl GitHost {
    /// Searches, and answers what was found so far when the time is over. `None` where there is no
    /// such commit. A search that nobody waits for any more stops by itself.
    pub async fn search(
        &self,
        id: ResourceId,
        revision: Revision,
        search: Search,
    ) -> Result<Option<Matches>> {
        let work = move |repo: &Repo, stop: &AtomicBool| match repo.resolve(&revision, stop)? {
            Some(commit) => repo.search(commit, &search, stop).map(Some),
            None => Ok(None),
        };
        self.within(id, MOST_TIME, work).await
    }
}

impl Repo {
    /// Searches the files of a commit until everything was seen, a bound was met, or `stop` was raised.
    pub fn search(&self, commit: Oid, search: &Search, stop: &AtomicBool) -> Result<Matches> {
        let Some(root) = self.find(commit, "")? else {
            return Ok(Matches::default());
        };
        let mut run = Run {
            search,
            needle: Needle::of(&search.query),
            stop,
            found: Matches::default(),
            bytes: 0,
            entries: 0,
        };
        run.found.truncated = !run.all(self, root.oid)?;
        Ok(run.found)
    }
}

struct Run<'a> {
    search: &'a Search,
    needle: Needle,
    stop: &'a AtomicBool,
    found: Matches,
    bytes: u64,
    entries: usize,
}

impl Run<'_> {
    /// Whether everything was seen.
    fn all(&mut self, repo: &Repo, root: Oid) -> Result<bool> {
        // What is still to be looked at, the next one last.
        let mut waiting = vec![(TreePath::default(), EntryKind::Folder, root)];
        while let Some((path, kind, oid)) = waiting.pop() {
            self.entries += 1;
            if self.stop.load(Ordering::Relaxed) || self.entries > MOST_ENTRIES {
                return Ok(false);
            }
            match kind {
                EntryKind::Folder => self.unfold(repo, &path, oid, &mut waiting)?,
                EntryKind::File if !self.file(repo, &path, oid)? => return Ok(false),
                EntryKind::File | EntryKind::Symlink | EntryKind::Submodule => {}
            }
        }
        Ok(true)
    }

    fn unfold(
        &self,
        repo: &Repo,
        path: &TreePath,
        oid: Oid,
        waiting: &mut Vec<(TreePath, EntryKind, Oid)>,
    ) -> Result<()> {
        let data = repo.tree_data(oid)?;
        let wanted = self.search.path_prefix.as_bytes();
        for entry in decode(&data)?.entries.iter().rev() {
            let path = path.join(entry.filename);
            let kind = EntryKind::of(entry.mode.kind());
            let leads_there =
                kind == EntryKind::Folder && wanted.starts_with(&[path.as_bytes(), b"/"].concat());
            if path.as_bytes().starts_with(wanted) || leads_there {
                waiting.push((path, kind, from_gix(entry.oid)?));
            }
        }
        Ok(())
    }

    /// Whether all of the file was seen.
    fn file(&mut self, repo: &Repo, path: &TreePath, oid: Oid) -> Result<bool> {
        let Content::Text(text) = repo.content(oid, MOST_FILE_BYTES)? else {
            return Ok(true);
        };
        self.bytes += text.len() as u64;
        if self.bytes > MOST_BYTES {
            return Ok(false);
        }
        let found = self.needle.lines(&text);
        if found.is_empty() {
            return Ok(true);
        }
        let lines: Vec<&str> = text.lines().collect();
        for (line, _) in found {
            if self.found.items.len() == self.search.limit {
                return Ok(false);
            }
            let found = self.found_at(path, &lines, line);
            self.found.items.push(found);
        }
        Ok(true)
    }

    fn found_at(&self, path: &TreePath, lines: &[&str], line: usize) -> Match {
        let (at, around) = (line - 1, self.search.around);
        let cut = |lines: &[&str]| lines.iter().map(|line| line.chars().take(LINE).collect()).collect();
        let text = self.needle.excerpt(lines[at]);
        Match {
            path: path.clone(),
            line,
            found: self.needle.places(&text),
            text,
            before: cut(&lines[at.saturating_sub(around)..at]),
            after: cut(&lines[line..lines.len().min(line + around)]),
        }
    }
}

/// The text to look for, folded.
struct Needle {
    folded: String,
}

impl Needle {
    fn of(query: &str) -> Self {
        Self { folded: query.to_lowercase() }
    }

    /// The lines that hold it, with their numbers.
    fn lines<'t>(&self, text: &'t str) -> Vec<(usize, &'t str)> {
        // Lowering keeps line feeds, so that the lines of both stay the same.
        let folded = if self.folded.is_ascii() { text.to_ascii_lowercase() } else { text.to_lowercase() };
        if folded.as_bytes().find(self.folded.as_bytes()).is_none() {
            return Vec::new();
        }
        let lines = text.lines().zip(folded.lines()).enumerate();
        lines
            .filter(|(_, (_, folded))| folded.contains(&self.folded))
            .map(|(index, (line, _))| (index + 1, line))
            .collect()
    }

    /// Where it stands in a line, without overlaps.
    fn places(&self, line: &str) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = Vec::new();
        for (at, _) in line.char_indices() {
            let free = places.last().is_none_or(|last| last.end <= at);
            if let Some(bytes) = self.begins(&line[at..]).filter(|_| free) {
                places.push(at..at + bytes);
            }
        }
        places
    }

    /// How many bytes of `text` are the text that is looked for, when it begins with it.
    fn begins(&self, text: &str) -> Option<usize> {
        let mut rest = self.folded.as_str();
        for (at, c) in text.char_indices() {
            if rest.is_empty() {
                return Some(at);
            }
            // A final sigma is folded by its place, so that the two forms of it are one here.
            let mut folded = c.to_lowercase();
            rest = folded.try_fold(rest, |rest, c| {
                let end = if c == 'σ' { rest.strip_prefix('ς') } else { None };
                rest.strip_prefix(c).or(end)
            })?;
        }
        rest.is_empty().then_some(text.len())
    }

    /// The line, cut to what stands around the first place of the text.
    fn excerpt(&self, line: &str) -> String {
        if line.chars().count() <= LINE {
            return line.to_owned();
        }
        let folded = line.to_lowercase();
        let at = folded.find(&self.folded).map_or(0, |at| folded[..at].chars().count());
        line.chars().skip(at.saturating_sub(BEFORE)).take(LINE).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_case_of_letters_does_not_matter_in_any_script() {
        let text = "Größe\nGRÖSSE\nΣΊΣΥΦΟΣ\nnothing\n";
        assert_eq!(Needle::of("größe").lines(text), [(1, "Größe")]);
        assert_eq!(Needle::of("GRÖ").lines(text), [(1, "Größe"), (2, "GRÖSSE")]);
        assert_eq!(Needle::of("σίσ").lines(text), [(3, "ΣΊΣΥΦΟΣ")]);
    }

    #[test]
    fn a_query_is_a_text_and_not_a_pattern() {
        assert_eq!(Needle::of("a.*b").lines("axxb\nA.*B\r\n"), [(2, "A.*B")]);
        assert!(Needle::of("a\nb").lines("a\nb\n").is_empty());
    }

    #[test]
    fn what_was_found_is_marked_where_it_stands() {
        let marked = |query: &str, line: &str| -> Vec<String> {
            Needle::of(query).places(line).into_iter().map(|place| line[place].to_owned()).collect()
        };
        assert_eq!(marked("AA", "aaaa Aa b"), ["aa", "aa", "Aa"]);
        assert_eq!(marked("größe", "GRÖßE, Größe"), ["GRÖßE", "Größe"]);
        assert_eq!(marked("φος", "ΣΊΣΥΦΟΣ"), ["ΦΟΣ"]);
        assert!(marked("x", "").is_empty());
    }

    #[test]
    fn a_long_line_is_cut_to_the_surroundings_of_the_match() {
        let line = format!("{}Needle{}", "é".repeat(500), "x".repeat(500));
        let cut = Needle::of("NEEDLE").excerpt(&line);
        assert_eq!((cut.chars().count(), cut.find("Needle")), (LINE, Some(BEFORE * 2)));
    }
}
