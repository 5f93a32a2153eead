//! Which of the files that go and come are one file under another name, as `git diff -M` finds them: first those with
//! the same content, then those that have at least half of their lines in common.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use countersign_core::gitnest::oid::Oid;

use super::SNIFFED;
use super::walk::Changed;
use crate::error::Result;
use crate::repo::Repo;
use crate::tree::EntryKind;

/// How many files on each side are compared by their lines.
const MOST_COMPARED: usize = 40;
/// The largest of them, in bytes.
const MOST_BYTES: u64 = 64 << 10;

/// The lines of a text, each with how often it stands there.
struct Lines {
    counts: HashMap<Vec<u8>, usize>,
    total: usize,
}

impl Lines {
    fn of(bytes: &[u8]) -> Self {
        let mut counts: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut total = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            *counts.entry(line.to_vec()).or_default() += 1;
            total += 1;
        }
        Self { counts, total }
    }

    /// How many lines stand in both, in percent of the longer one.
    fn likeness(&self, other: &Self) -> usize {
        let both = |(line, count): (&Vec<u8>, &usize)| other.counts.get(line).map_or(0, |o| *count.min(o));
        self.counts.iter().map(both).sum::<usize>() * 100 / self.total.max(other.total).max(1)
    }
}

impl Repo {
    /// Joins what goes and what comes where they are one file; the order stays that of the new paths.
    pub(super) fn join_renamed(&self, files: &mut Vec<Changed>, stop: &AtomicBool) -> Result<()> {
        let (mut gone, mut come): (Vec<usize>, Vec<usize>) = Default::default();
        for (at, file) in files.iter().enumerate() {
            match (&file.old, &file.new) {
                (Some((EntryKind::File, _)), None) => gone.push(at),
                (None, Some((EntryKind::File, _))) => come.push(at),
                _ => {}
            }
        }
        let mut pairs = same_content(files, &mut gone, &mut come);
        pairs.extend(self.alike(files, &gone, &come, stop)?);
        let mut joined: Vec<usize> = Vec::new();
        for (from, to) in pairs {
            let (path, old, old_mode) = (files[from].path.clone(), files[from].old, files[from].old_mode);
            let file = &mut files[to];
            (file.old, file.old_mode, file.from) = (old, old_mode, Some(path));
            joined.push(from);
        }
        joined.sort_unstable();
        for at in joined.into_iter().rev() {
            files.remove(at);
        }
        Ok(())
    }

    /// The pairs with the most lines in common, each file once. Many files are not compared, nor large ones, nor bytes.
    fn alike(
        &self,
        files: &[Changed],
        gone: &[usize],
        come: &[usize],
        stop: &AtomicBool,
    ) -> Result<Vec<(usize, usize)>> {
        if gone.len() > MOST_COMPARED || come.len() > MOST_COMPARED || gone.is_empty() || come.is_empty() {
            return Ok(Vec::new());
        }
        let read = |at: &usize, oid: Option<Oid>| {
            Ok((*at, oid.map(|oid| self.lines_of(oid)).transpose()?.flatten()))
        };
        let old =
            gone.iter().map(|at| read(at, files[*at].old.map(|(_, oid)| oid))).collect::<Result<Vec<_>>>()?;
        let mut likest = Vec::new();
        for to in come {
            if stop.load(Ordering::Relaxed) {
                return Ok(Vec::new());
            }
            let (_, Some(new)) = read(to, files[*to].new.map(|(_, oid)| oid))? else { continue };
            let known = old.iter().filter_map(|(from, lines)| Some((*from, lines.as_ref()?)));
            likest.extend(known.map(|(from, lines)| (lines.likeness(&new), from, *to)));
        }
        likest.retain(|(likeness, ..)| *likeness >= 50);
        likest.sort_by(|a, b| b.cmp(a));
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (_, from, to) in likest {
            if pairs.iter().all(|(f, t)| *f != from && *t != to) {
                pairs.push((from, to));
            }
        }
        Ok(pairs)
    }

    fn lines_of(&self, oid: Oid) -> Result<Option<Lines>> {
        if self.size_of(oid)? > MOST_BYTES {
            return Ok(None);
        }
        let bytes = self.blob(oid)?;
        let binary = bytes.iter().take(SNIFFED).any(|byte| *byte == 0);
        Ok((!binary && !bytes.is_empty()).then(|| Lines::of(&bytes)))
    }
}

/// The pairs of one content; they are taken out of both lists.
fn same_content(files: &[Changed], gone: &mut Vec<usize>, come: &mut Vec<usize>) -> Vec<(usize, usize)> {
    let mut by_content: HashMap<Oid, Vec<usize>> = HashMap::new();
    for at in gone.iter().rev() {
        if let Some((_, oid)) = files[*at].old {
            by_content.entry(oid).or_default().push(*at);
        }
    }
    let mut pairs = Vec::new();
    come.retain(|to| {
        let oid = files[*to].new.map(|(_, oid)| oid);
        let from = oid.and_then(|oid| by_content.get_mut(&oid)).and_then(Vec::pop);
        pairs.extend(from.map(|from| (from, *to)));
        from.is_none()
    });
    gone.retain(|at| pairs.iter().all(|(from, _)| from != at));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_is_the_part_of_the_longer_text_that_both_have() {
        let likeness = |a: &str, b: &str| Lines::of(a.as_bytes()).likeness(&Lines::of(b.as_bytes()));
        assert_eq!(likeness("a\nb\n", "b\na\n"), 100);
        assert_eq!(likeness("a\na\nb\n", "a\n"), 33);
        assert_eq!(likeness("a\nb\n", "a\nc\nd\ne\n"), 25);
        assert_eq!(likeness("", "a\n"), 0);
    }
}
