//! What the log of a repository tells of a ref: the moves from where it was last seen to where it is.

use super::oid::Oid;
use super::push::PushRef;
use super::push_policy::Motion;
use crate::text;

/// A ref that went from one place to another. `None` is "not there".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it was.
    pub old: Option<Oid>,
    /// Where it went.
    pub new: Option<Oid>,
}

/// How much is known of a push that asked for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// git said that it made the move.
    Made(Move),
    /// It was allowed, and nobody knows whether git came so far.
    Allowed(Move),
}

/// One thing to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The move of the push that is asked about.
    Own(Move),
    /// A move of which a crash took the story.
    Recovered(Move),
}

/// What is still to be told of a ref that was last `seen` there and is there `now`. Only while nobody can be between
/// the move of a ref and its story.
///
/// The moves follow each other from `seen` to `now` without a gap, and each is told once.
pub fn still_to_tell(seen: Option<Oid>, now: Option<Oid>, own: Option<Own>) -> Vec<Told> {
    let step = |old, new, told: fn(Move) -> Told| (old != new).then(|| told(Move { old, new }));
    if seen == now {
        return Vec::new();
    }
    let made = match own {
        Some(Own::Made(own)) => Some(own).filter(|own| own.old == seen || own.new == now),
        Some(Own::Allowed(own)) => Some(own).filter(|own| own.new == now),
        None => None,
    };
    match made {
        None => step(seen, now, Told::Recovered).into_iter().collect(),
        Some(own) => [
            step(seen, own.old, Told::Recovered),
            step(own.old, own.new, Told::Own),
            step(own.new, now, Told::Recovered),
        ]
        .into_iter()
        .flatten()
        .collect(),
    }
}

/// How many commits a push brought, as far as they were counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Commits {
    /// How many are new to the ref.
    pub added: u64,
    /// How many the ref lost.
    pub lost: u64,
}

/// One line on what became of a ref.
pub fn summary(name: &PushRef, motion: Motion, commits: Commits) -> String {
    let short = name.short();
    let noun = match name {
        PushRef::Branch(_) => "branch",
        PushRef::Tag(_) => "tag",
    };
    let count = |n: u64| text::count(n, "commit");
    match (motion, name) {
        (Motion::Created, PushRef::Branch(_)) if commits.added > 0 => {
            format!("made the branch {short} with {}", count(commits.added))
        }
        (Motion::Created, _) => format!("made the {noun} {short}"),
        (Motion::Deleted, _) => format!("deleted the {noun} {short}"),
        (Motion::Forward, PushRef::Branch(_)) => format!("pushed {} to {short}", count(commits.added)),
        (Motion::Forced, PushRef::Branch(_)) => {
            format!("forced {short}: {} on, {} off", count(commits.added), count(commits.lost))
        }
        (Motion::Forward | Motion::Forced, PushRef::Tag(_)) => format!("moved the tag {short}"),
    }
}

/// The same where nobody knows any more who did it.
pub fn summary_of_recovered(full: &str, told: Move) -> String {
    match (told.old, told.new) {
        (_, None) => format!("{full} was deleted"),
        (None, Some(_)) => format!("{full} was made"),
        (Some(_), Some(_)) => format!("{full} was moved"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oid(n: u8) -> Option<Oid> {
        (n > 0).then(|| Oid::new([n; 20]))
    }

    fn moved(old: u8, new: u8) -> Move {
        Move { old: oid(old), new: oid(new) }
    }

    #[test]
    fn what_was_seen_where_it_is_has_nothing_to_tell() {
        for own in [None, Some(Own::Made(moved(1, 2))), Some(Own::Allowed(moved(2, 1)))] {
            assert_eq!(still_to_tell(oid(1), oid(1), own), []);
        }
    }

    #[test]
    fn a_push_that_was_cut_short_is_its_persons_if_the_ref_is_where_it_wanted_it() {
        let own = Some(Own::Allowed(moved(1, 2)));
        assert_eq!(still_to_tell(oid(1), oid(2), own), [Told::Own(moved(1, 2))]);
        assert_eq!(still_to_tell(oid(1), oid(3), own), [Told::Recovered(moved(1, 3))]);
    }

    #[test]
    fn a_gap_before_or_behind_a_push_is_told_as_recovered() {
        let own = Some(Own::Made(moved(2, 3)));
        let before = [Told::Recovered(moved(1, 2)), Told::Own(moved(2, 3))];
        assert_eq!(still_to_tell(oid(1), oid(3), own), before);
        let behind = [Told::Own(moved(2, 3)), Told::Recovered(moved(3, 4))];
        assert_eq!(still_to_tell(oid(2), oid(4), own), behind);
    }

    #[test]
    fn whatever_is_asked_the_story_leads_from_what_was_seen_to_what_is() {
        for bits in 0..3_u32.pow(4) * 3 {
            let digit = |n: u32| u8::try_from(bits / 3_u32.pow(n) % 3).unwrap();
            let (seen, now) = (oid(digit(0)), oid(digit(1)));
            let own = moved(digit(2), digit(3));
            let own = [None, Some(Own::Made(own)), Some(Own::Allowed(own))][usize::from(digit(4))];
            let mut at = seen;
            for told in still_to_tell(seen, now, own) {
                let (Told::Own(step) | Told::Recovered(step)) = told;
                assert_eq!(step.old, at, "{seen:?} {now:?} {own:?}");
                assert_ne!(step.old, step.new);
                at = step.new;
            }
            assert_eq!(at, now, "{seen:?} {now:?} {own:?}");
        }
    }

    #[test]
    fn a_line_says_what_became_of_the_ref() {
        let (main, tag) =
            (PushRef::parse("refs/heads/main").unwrap(), PushRef::parse("refs/tags/v1").unwrap());
        let commits = |added, lost| Commits { added, lost };
        for (said, name, motion, counted) in [
            ("pushed 1 commit to main", &main, Motion::Forward, commits(1, 0)),
            ("pushed 3 commits to main", &main, Motion::Forward, commits(3, 0)),
            ("made the branch main with 2 commits", &main, Motion::Created, commits(2, 0)),
            ("made the branch main", &main, Motion::Created, commits(0, 0)),
            ("forced main: 1 commit on, 2 commits off", &main, Motion::Forced, commits(1, 2)),
            ("deleted the branch main", &main, Motion::Deleted, commits(0, 0)),
            ("made the tag v1", &tag, Motion::Created, commits(0, 0)),
            ("moved the tag v1", &tag, Motion::Forced, commits(0, 0)),
            ("deleted the tag v1", &tag, Motion::Deleted, commits(0, 0)),
        ] {
            assert_eq!(summary(name, motion, counted), said);
        }
    }
}
