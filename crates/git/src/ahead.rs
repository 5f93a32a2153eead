//! How far two tips are apart: what each has that the other has not.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use countersign_core::gitnest::oid::Oid;

use crate::error::Result;
use crate::repo::Repo;
use crate::walk::Walk;

/// How many commits are looked at to compare one pair.
const MOST_SEEN: usize = 5_000;

/// What a tip has beside a base, in commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apart {
    /// Those that the tip has and the base has not.
    pub ahead: usize,
    /// Those that the base has and the tip has not.
    pub behind: usize,
}

/// Which of the two has a commit.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Sides {
    tip: bool,
    base: bool,
}

impl Repo {
    /// Compares each of `tips` with `base`; `None` for one that is too far away, has a
    /// commit too large to be read, or when `stop` was raised before.
    ///
    /// Commits are looked at newest first until all that wait are in both: where a commit claims to be much younger
    /// than its child, a count can be too high.
    pub fn apart(&self, base: Oid, tips: &[Oid], stop: &AtomicBool) -> Result<Vec<Option<Apart>>> {
        let mut walk = Walk::of(self);
        let compare =
            |tip: &Oid| if stop.load(Ordering::Relaxed) { Ok(None) } else { pair(&mut walk, base, *tip) };
        tips.iter().map(compare).collect()
    }
}

fn pair(walk: &mut Walk, base: Oid, tip: Oid) -> Result<Option<Apart>> {
    let mut sides: HashMap<Oid, Sides> = HashMap::new();
    sides.entry(tip).or_default().tip = true;
    sides.entry(base).or_default().base = true;
    walk.restart();
    walk.push(tip)?;
    walk.push(base)?;
    let mut seen = HashSet::new();
    while walk.waits(|oid| !sides.get(&oid).is_some_and(|sides| sides.tip && sides.base)) {
        let Some(commit) = walk.pop() else { break };
        if seen.len() == MOST_SEEN {
            return Ok(None);
        }
        seen.insert(commit);
        // Of two commits of one second the parent can come first; what is learned later goes on through it.
        let mut learned = vec![commit];
        while let Some(commit) = learned.pop() {
            let here = sides.get(&commit).copied().unwrap_or_default();
            let Some(point) = walk.point(commit)? else { return Ok(None) };
            for parent in &point.parents {
                let there = sides.entry(*parent).or_default();
                let before = *there;
                *there = Sides { tip: there.tip || here.tip, base: there.base || here.base };
                if *there != before && seen.contains(parent) {
                    learned.push(*parent);
                }
                walk.push(*parent)?;
            }
        }
    }
    let of = |wanted: Sides| seen.iter().filter(|oid| sides.get(oid) == Some(&wanted)).count();
    Ok(Some(Apart {
        ahead: of(Sides { tip: true, base: false }),
        behind: of(Sides { tip: false, base: true }),
    }))
}
