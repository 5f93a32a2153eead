//! What is too large to be read is known by its header, and is no hindrance to reading the rest.

use std::sync::atomic::AtomicBool;

use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;
use countersign_git::diff::{Body, Bounds};
use countersign_git::named::{Named, Reference};
use countersign_git::tree::Page;
use countersign_git::{GitError, Repo};

use crate::place::{Place, asked};
use crate::work::Work;

const ALL: Page = Page { offset: 0, limit: 100 };

/// A commit that a list cuts, one too large to be shown, and one too large to be read.
const LONG: usize = 65 << 10;
const LONGER: usize = 1 << 20;
const TOO_LONG: usize = 16 << 20;

/// An object whose header promises many bytes and that has none: whoever reads it fails.
fn promise(place: &Place, header: &str) -> Oid {
    let data = [header.as_bytes(), b"\0"].concat();
    let len = u16::try_from(data.len()).unwrap();
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in &data {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    // A zlib stream of one stored block, as in RFC 1950 and RFC 1951.
    let mut bytes = vec![0x78, 0x01, 0x01];
    bytes.extend(len.to_le_bytes());
    bytes.extend((!len).to_le_bytes());
    bytes.extend(data);
    bytes.extend(((b << 16) | a).to_be_bytes());
    let folder = place.host.path(place.id).join("objects/ab");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("cd".repeat(19)), bytes).unwrap();
    Oid::parse(&format!("ab{}", "cd".repeat(19))).unwrap()
}

fn set(place: &Place, name: &str, oid: Oid) {
    std::fs::write(place.host.path(place.id).join(name), format!("{oid}\n")).unwrap();
}

/// Writes an object of any content and gives its id.
fn object(work: &Work, kind: &str, content: &str) -> Oid {
    let repository = work.git(&["config", "remote.origin.url"]);
    work.write("object", content);
    let git_dir = format!("--git-dir={repository}");
    let oid = work.git(&[&git_dir, "hash-object", "-t", kind, "-w", "--literally", "object"]);
    work.remove("object");
    Oid::parse(&oid).unwrap()
}

/// A commit with a message of so many bytes.
fn commit(place: &Place, work: &Work, parent: Oid, bytes: usize) -> Oid {
    let tree = place.git(&["rev-parse", &format!("{parent}^{{tree}}")]);
    let who = "T <t@t> 1700000100 +0000";
    let head = format!("tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\nLong one\n\n");
    object(work, "commit", &(head + &"x".repeat(bytes)))
}

async fn tags(place: &Place) -> Vec<String> {
    let tags = asked(place, |repo| repo.tags(100)).await;
    tags.items.iter().map(|tag| tag.name.to_string()).collect()
}

#[tokio::test]
async fn a_tag_on_a_file_is_left_out_and_the_file_is_not_read() {
    let (place, first) = Place::with_repository().await;
    place.git(&["tag", "good"]);
    let blob = promise(&place, "blob 8589934592");
    set(&place, "refs/tags/direct", blob);
    let work = Work::of(&place);
    let tag = format!("object {blob}\ntype blob\ntag via\ntagger T <t@t> 1 +0000\n\nOn a file\n");
    set(&place, "refs/tags/via", object(&work, "tag", &tag));
    set(&place, "refs/tags/nowhere", Oid::new([7; 20]));
    assert_eq!(tags(&place).await, ["good"]);
    for (name, tip) in [("direct", None), ("via", None), ("nowhere", None), ("good", Some(first))] {
        let name = BranchName::parse(name).unwrap();
        assert_eq!(asked(&place, move |repo| repo.tag(&name)).await, tip);
    }
}

#[tokio::test]
async fn a_tag_with_too_much_to_say_and_one_of_too_many_tags_are_left_out() {
    let (place, first) = Place::with_repository().await;
    let work = Work::of(&place);
    let tag = |of: Oid, kind: &str, said: &str| {
        object(&work, "tag", &format!("object {of}\ntype {kind}\ntag t\ntagger T <t@t> 1 +0000\n\n{said}\n"))
    };
    set(&place, "refs/tags/long", tag(first, "commit", &"x".repeat(1 << 20)));
    let mut chain = tag(first, "commit", "One");
    for _ in 0..3 {
        chain = tag(chain, "tag", "Next");
    }
    set(&place, "refs/tags/short-chain", chain);
    for _ in 0..20 {
        chain = tag(chain, "tag", "Next");
    }
    set(&place, "refs/tags/z-long-chain", chain);
    assert_eq!(tags(&place).await, ["short-chain"]);
}

#[tokio::test]
async fn a_history_ends_at_a_commit_too_large_to_be_read_and_says_so() {
    let (place, first) = Place::with_repository().await;
    let work = Work::of(&place);
    let huge = commit(&place, &work, first, TOO_LONG);
    set(&place, "refs/heads/huge", huge);
    work.git(&["fetch", "--quiet"]);
    work.git(&["checkout", "--quiet", "-B", "main", &huge.to_string()]);
    work.write("README.md", "# Changed\n");
    let tip = work.commit("After");
    for path in ["", "README.md"] {
        let path = TreePath::new(path);
        let log = asked(&place, move |repo| repo.log(tip, &path, ALL, &AtomicBool::new(false))).await;
        assert_eq!((log.items.len(), log.items[0].oid, log.more, log.cut), (1, tip, false, true));
    }
    let names = [b"README.md".to_vec()];
    let look = move |repo: &Repo| {
        let stop = AtomicBool::new(false);
        Ok((
            repo.last_changes(tip, &TreePath::default(), &names, &stop)?.of,
            repo.apart(first, &[tip], &stop)?,
        ))
    };
    assert_eq!(asked(&place, look).await, (vec![None], vec![None]), "nobody knows what lies behind it");
    let refused = place.host.with(place.id, move |repo| repo.find(huge, "")).await.unwrap_err();
    assert!(refused.to_string().contains("over its limit"), "{refused}");
}

#[tokio::test]
async fn a_commit_is_found_past_a_branch_that_cannot_be_read() {
    let (place, first) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("a", "1");
    work.commit("Second");
    let promised = promise(&place, "commit 8589934592");
    set(&place, "refs/heads/a-promise", promised);
    let reference = Reference::Commit(first);
    let found = asked(&place, move |repo| repo.look_up(&reference, &AtomicBool::new(false))).await;
    assert_eq!(found, Some((Named::Commit(first), first)));
    assert!(!asked(&place, move |repo| repo.is_ancestor(first, promised)).await);
}

#[tokio::test]
async fn a_commit_is_looked_for_until_the_time_is_over_and_then_refused_in_words() {
    let (place, first) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("a", "1");
    let tip = work.commit("Second");
    place.git(&["tag", "v1"]);
    let look = |oid: Oid| {
        let over = move |repo: &Repo| repo.look_up(&Reference::Commit(oid), &AtomicBool::new(true));
        place.host.with(place.id, over)
    };
    assert!(look(tip).await.unwrap().is_some(), "what stands at a tip needs no walk");
    let refused = look(first).await.unwrap_err();
    assert!(matches!(refused, GitError::TooFar), "{refused}");
}

async fn bodies(place: &Place, oid: Oid, bounds: Bounds, stop: bool) -> Vec<(String, Body)> {
    let read = move |repo: &Repo| repo.diff_of_commit(oid, bounds, &AtomicBool::new(stop));
    let diff = asked(place, read).await;
    diff.files.into_iter().map(|file| (file.path.to_string(), file.body)).collect()
}

fn compared(bodies: &[(String, Body)]) -> Vec<&str> {
    let done = bodies.iter().filter(|(_, body)| !matches!(body, Body::NotCompared));
    done.map(|(path, _)| path.as_str()).collect()
}

#[tokio::test]
async fn of_a_change_no_more_bytes_are_read_and_compared_than_its_bounds_have() {
    let (place, _) = Place::with_repository().await;
    let work = Work::of(&place);
    for name in ["a", "b", "c"] {
        work.write(name, format!("{}\n", name.repeat(999)));
    }
    // A line as long as it likes: lines alone are no bound.
    work.write("long", "x".repeat(5000));
    let tip = work.commit("Four");
    let bounds = |file_bytes, bytes| Bounds { file_bytes, bytes, ..Bounds::COMMIT };
    let seen = bodies(&place, tip, bounds(5000, 10_000), false).await;
    assert_eq!(compared(&seen), ["a", "b", "c", "long"]);
    let seen = bodies(&place, tip, bounds(4999, 10_000), false).await;
    assert_eq!((seen.len(), compared(&seen)), (4, vec!["a", "b", "c"]));
    let seen = bodies(&place, tip, bounds(5000, 2999), false).await;
    assert_eq!(compared(&seen), ["a", "b"]);
}

#[tokio::test]
async fn a_change_whose_time_is_over_lists_its_files_without_comparing_them() {
    let (place, _) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("a", "1\n");
    let tip = work.commit("One");
    let seen = bodies(&place, tip, Bounds::COMMIT, true).await;
    assert_eq!((seen.len(), compared(&seen)), (1, Vec::new()));
    work.write("folder/b", "1\n");
    let tip = work.commit("Deeper");
    let read = move |repo: &Repo| repo.diff_of_commit(tip, Bounds::COMMIT, &AtomicBool::new(true));
    assert!(asked(&place, read).await.more, "a folder was not looked into");
}

#[tokio::test]
async fn in_a_list_a_large_commit_is_cut_and_hides_no_other() {
    let (place, first) = Place::with_repository().await;
    let work = Work::of(&place);
    let long = commit(&place, &work, first, LONG);
    let longer = commit(&place, &work, long, LONGER);
    for oid in [long, longer] {
        let line = asked(&place, move |repo| repo.commit_line(oid)).await.unwrap();
        assert_eq!((line.title(), line.body(), line.bytes.len()), ("Long one", "", 0));
        assert_eq!((line.author.name.as_str(), line.parents.len()), ("T", 1));
    }
    let whole = asked(&place, move |repo| repo.commit_line(first)).await;
    assert_eq!(whole, asked(&place, move |repo| repo.commit(first)).await);
    assert_eq!(asked(&place, move |repo| repo.commit(long)).await.unwrap().body().len(), LONG);
    let refused = place.host.with(place.id, move |repo| repo.commit(longer)).await.unwrap_err();
    assert!(matches!(refused, GitError::TooMuch { .. }), "{refused}");
    let none = commit(&place, &work, longer, TOO_LONG);
    assert_eq!(asked(&place, move |repo| repo.commit_line(none)).await, None);
    assert_eq!(asked(&place, move |repo| repo.commit_time(none)).await, None);
    let walked =
        asked(&place, move |repo| repo.log(longer, &TreePath::default(), ALL, &AtomicBool::new(false)));
    let oids: Vec<Oid> = walked.await.items.iter().map(|commit| commit.oid).collect();
    assert_eq!(oids, [longer, long, first]);
    let between = asked(&place, move |repo| repo.commits_between(first, longer, 9)).await;
    assert_eq!(between.items.len(), 2);
}
