//! Who may push what: protected branches and paths, the default branch, tags. Why so: docs/decisions/07-push.md.

use super::alike::Alike;
use super::names::Names;
use super::oid::Oid;
use super::protected::is_protected_path;
use super::push::{PushRef, RefUpdate, visible};
use crate::role::MemberRole;

/// How an update moves its ref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// The ref is made.
    Created,
    /// What was at the ref stays in its history.
    Forward,
    /// What was at the ref leaves its history, or the ref is a tag that is moved.
    Forced,
    /// The ref is removed.
    Deleted,
}

/// What a repository protects.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The branch that HEAD names.
    pub default_branch: &'a str,
    /// Protected branches, by their short names.
    pub branches: &'a [String],
    /// Protected paths beside the built-in ones.
    pub paths: &'a [String],
}

/// A refusal: a sentence about the ref, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What is refused.
    pub line: String,
    /// What the person can do next.
    pub next: &'static str,
}

const AS_MAINTAINER: &str =
    "Push to another branch and ask a maintainer to bring it in, or ask an owner for the role.";
const NEVER_FORCED: &str = "Fetch, merge or rebase onto what is there, and push without force.";
const NEVER_DELETED: &str =
    "Leave the branch where it is, or ask an owner of the repository about its protection.";
const TAGS_STAY: &str = "Push a new tag under another name, or ask a maintainer to move this one.";

/// Whether somebody of this role may move a ref so.
pub fn check(update: &RefUpdate, motion: Motion, role: MemberRole, rules: Rules<'_>) -> Result<(), Refused> {
    match &update.name {
        PushRef::Branch(name) => of_branch(name.as_str(), motion, role, rules),
        PushRef::Tag(name) => of_tag(name.as_str(), motion, role),
    }
}

fn of_branch(name: &str, motion: Motion, role: MemberRole, rules: Rules<'_>) -> Result<(), Refused> {
    let refuse = |line: String, next| Err(Refused { line, next });
    if motion == Motion::Deleted && name == rules.default_branch {
        return refuse(
            format!("{name} is the default branch and cannot be deleted."),
            "Delete another branch, or leave it.",
        );
    }
    if !rules.branches.iter().any(|branch| branch == name) {
        return Ok(());
    }
    match motion {
        Motion::Deleted => refuse(format!("{name} is protected: nobody can delete it."), NEVER_DELETED),
        Motion::Forced => {
            refuse(format!("{name} is protected: nobody can take commits off it by force."), NEVER_FORCED)
        }
        Motion::Created | Motion::Forward if role < MemberRole::Maintainer => {
            refuse(format!("{name} is protected: pushing to it takes the role maintainer."), AS_MAINTAINER)
        }
        Motion::Created | Motion::Forward => Ok(()),
    }
}

fn of_tag(name: &str, motion: Motion, role: MemberRole) -> Result<(), Refused> {
    let verb = match motion {
        Motion::Created => return Ok(()),
        Motion::Forward | Motion::Forced => "moving",
        Motion::Deleted => "deleting",
    };
    if role >= MemberRole::Maintainer {
        return Ok(());
    }
    Err(Refused {
        line: format!("The tag {name} is there: {verb} it takes the role maintainer."),
        next: TAGS_STAY,
    })
}

/// Whether a push has seen the ref where it is now. git compares by itself when it moves a ref, but not when it removes
/// one whose old object it does not know.
pub fn check_seen(update: &RefUpdate, there: Option<Oid>) -> Result<(), Refused> {
    let short = update.name.short();
    let line = match (update.old, update.new) {
        (None, None) => format!("{short} is not there for this push, so it cannot delete it."),
        (old, _) if old != there => format!("{short} is not where this push has seen it."),
        _ => return Ok(()),
    };
    Err(Refused { line, next: "Fetch, look at what has changed, and push again." })
}

/// Whether a ref that is made can be told from the others that are there or are made with it, and from the branches that
/// the repository protects, and whether there is room for its name.
pub fn check_name(
    update: &RefUpdate,
    motion: Motion,
    names: &Names,
    rules: Rules<'_>,
) -> Result<(), Refused> {
    if motion != Motion::Created {
        return Ok(());
    }
    let kept =
        || Alike::new(rules.branches.iter().map(String::as_str).chain(std::iter::once(rules.default_branch)));
    let name = update.name.short();
    let like = match &update.name {
        PushRef::Branch(_) => names
            .like_branch(name)
            .or_else(|| kept().other(name).map(|other| format!("the branch {other}")))
            .map(|other| format!("{name} would be taken for {other}.")),
        PushRef::Tag(_) => {
            kept().any(name).map(|branch| format!("The tag {name} would be taken for the branch {branch}."))
        }
    };
    let in_the_way = || {
        let other = names.in_the_way(&update.name)?;
        Some(format!("{} cannot be made beside {other}.", update.name.full()))
    };
    let next = "Push it under another name.";
    like.or_else(in_the_way).map_or(Ok(()), |line| Err(Refused { line, next }))
}

/// The refusal of new commits that change a protected path, to somebody who is no maintainer. `changed` are the
/// paths that they change.
pub fn check_paths<'p>(
    changed: impl IntoIterator<Item = &'p str>,
    role: MemberRole,
    rules: Rules<'_>,
) -> Result<(), Refused> {
    if role >= MemberRole::Maintainer {
        return Ok(());
    }
    match changed.into_iter().find(|path| is_protected_path(path, rules.paths)) {
        None => Ok(()),
        Some(path) => Err(Refused {
            line: format!("{} is protected: changing it takes the role maintainer.", visible(path)),
            next: "Take the change out of your commits, or ask a maintainer to push it.",
        }),
    }
}

/// The refusal of more new commits than are looked through, to somebody who is no maintainer.
pub fn too_much_to_look_through() -> Refused {
    Refused {
        line: "This is more new history than is searched for protected paths: it takes the role maintainer."
            .to_owned(),
        next: "Push it in parts, or ask a maintainer to push it.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MemberRole::{Editor, Maintainer, Owner};
    use Motion::{Created, Deleted, Forced, Forward};

    fn update(full: &str) -> RefUpdate {
        RefUpdate { name: PushRef::parse(full).unwrap(), old: None, new: None }
    }

    fn may(full: &str, motion: Motion, role: MemberRole) -> bool {
        let branches = ["main".to_owned(), "release".to_owned()];
        let rules = Rules { default_branch: "main", branches: &branches, paths: &[] };
        match check(&update(full), motion, role, rules) {
            Ok(()) => true,
            Err(refused) => {
                assert!(refused.line.ends_with('.') && refused.next.ends_with('.'), "{refused:?}");
                false
            }
        }
    }

    #[test]
    fn a_protected_branch_takes_a_maintainer_and_only_grows() {
        for name in ["refs/heads/main", "refs/heads/release"] {
            for motion in [Created, Forward] {
                assert!(!may(name, motion, Editor) && may(name, motion, Maintainer), "{name} {motion:?}");
            }
            for role in [Editor, Maintainer, Owner] {
                assert!(!may(name, Forced, role) && !may(name, Deleted, role), "{name} {role:?}");
            }
        }
    }

    #[test]
    fn the_default_branch_is_never_deleted_even_unprotected() {
        let rules = Rules { default_branch: "main", branches: &[], paths: &[] };
        assert!(check(&update("refs/heads/main"), Deleted, Owner, rules).is_err());
        assert!(check(&update("refs/heads/main"), Forced, Editor, rules).is_ok());
    }

    #[test]
    fn any_other_branch_is_the_editors() {
        for motion in [Created, Forward, Forced, Deleted] {
            assert!(may("refs/heads/topic", motion, Editor), "{motion:?}");
        }
    }

    #[test]
    fn a_tag_is_made_by_editors_and_moved_or_removed_by_maintainers() {
        assert!(may("refs/tags/v1", Created, Editor));
        for motion in [Forward, Forced, Deleted] {
            assert!(!may("refs/tags/v1", motion, Editor) && may("refs/tags/v1", motion, Maintainer));
        }
    }

    #[test]
    fn a_ref_is_moved_and_removed_from_where_it_is_alone() {
        let at = |digit: &str| Oid::parse(&digit.repeat(40)).ok();
        let from = |old, new| RefUpdate { old, new, ..update("refs/heads/topic") };
        let (a, b) = (at("a"), at("b"));
        for (old, new, there) in [(a, b, a), (a, None, a), (None, a, None), (a, a, a)] {
            assert!(check_seen(&from(old, new), there).is_ok(), "{old:?} {new:?} {there:?}");
        }
        for (old, new, there) in [
            (b, None, a),
            (None, None, a),
            (None, None, None),
            (b, a, a),
            (None, b, a),
            (a, b, None),
            (a, None, None),
        ] {
            assert!(check_seen(&from(old, new), there).is_err(), "{old:?} {new:?} {there:?}");
        }
    }

    #[test]
    fn what_would_be_taken_for_another_ref_is_not_made_by_anybody() {
        let protected = ["release".to_owned()];
        let rules = Rules { default_branch: "main", branches: &protected, paths: &[] };
        let there = ["refs/heads/topic", "refs/heads/Main", "refs/tags/v1"];
        let names = Names::new(there.map(str::to_owned));
        let made = |full: &str| check_name(&update(full), Created, &names, rules).is_ok();
        for full in [
            "refs/heads/Topic",
            "refs/heads/MAIN",
            "refs/heads/Release",
            "refs/tags/main",
            "refs/tags/RELEASE",
            "refs/heads/v1",
            "refs/heads/topic/x",
        ] {
            assert!(!made(full), "{full}");
        }
        for full in ["refs/heads/main2", "refs/heads/release", "refs/tags/topic", "refs/tags/v2"] {
            assert!(made(full), "{full}");
        }
        for motion in [Forward, Forced, Deleted] {
            assert!(check_name(&update("refs/heads/Main"), motion, &names, rules).is_ok(), "{motion:?}");
        }
    }

    #[test]
    fn a_protected_path_takes_a_maintainer() {
        let paths = ["deploy/".to_owned()];
        let rules = Rules { default_branch: "main", branches: &[], paths: &paths };
        for path in ["Deploy/prod", ".github/workflows/ci.yml", "src/.gitattributes"] {
            assert!(check_paths(["a", path], Editor, rules).is_err(), "{path}");
            assert!(check_paths(["a", path], Maintainer, rules).is_ok(), "{path}");
        }
        assert!(check_paths(["a", "deployed"], Editor, rules).is_ok());
    }
}
