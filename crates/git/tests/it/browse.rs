//! What people browse is what git says: listings, histories of a path, last changes, blame, tags, distances.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::UserId;
use countersign_git::ahead::Apart;
use countersign_git::blame::{Blame, Blamed, MOST_BYTES};
use countersign_git::last::LastChanges;
use countersign_git::log::Log;
use countersign_git::named::{Named, Reference};
use countersign_git::raw::HEAD_BYTES;
use countersign_git::tree::{EntryKind, Page};
use countersign_git::{Repo, Result};
use uuid::Uuid;

use crate::place::Place;
use crate::work::Work;

const ALL: Page = Page { offset: 0, limit: 1000 };
const LONG: Duration = Duration::from_mins(1);

fn mira() -> UserId {
    UserId::new(Uuid::from_u128(1))
}

async fn asked<T: Send + 'static>(
    place: &Place,
    work: impl FnOnce(&Repo, &AtomicBool) -> Result<T> + Send + 'static,
) -> T {
    place.host.within(place.id, LONG, work).await.unwrap()
}

/// A history with a branch that was merged: files change on both sides, one is renamed, one has an odd name.
async fn garden() -> (Place, Work, Oid) {
    let (place, first) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("bed/roses.txt", "one\ntwo\nthree\nfour\nfive\n");
    work.write("bed/tulips.txt", "tulip\n");
    work.write("path with space/a%b#c?d\"é.txt", "odd\n");
    work.commit("Plant");
    work.git(&["checkout", "--quiet", "-b", "side", &first.to_string()]);
    work.write("shed/tools", "spade\n");
    work.git(&["add", "-A"]);
    work.git(&["commit", "--quiet", "-m", "Build a shed"]);
    work.git(&["checkout", "--quiet", "-B", "main", "origin/main"]);
    work.write("bed/roses.txt", "one\nTWO\nthree\nfour\nfive\n");
    work.commit("Water");
    work.git(&["merge", "--quiet", "--no-ff", "--no-edit", "side"]);
    work.push();
    work.git(&["mv", "bed/roses.txt", "bed/rose.txt"]);
    work.commit("Rename");
    work.write("bed/rose.txt", "one\nTWO\nthree\nfour\nfive\nsix\n");
    let tip = work.commit("Grow");
    (place, work, tip)
}

async fn log(place: &Place, tip: Oid, path: &str, page: Page) -> Log {
    let path = TreePath::new(path);
    asked(place, move |repo, stop| repo.log(tip, &path, page, stop)).await
}

fn titles(log: &Log) -> Vec<&str> {
    log.items.iter().map(countersign_git::history::CommitInfo::title).collect()
}

#[tokio::test]
async fn the_history_of_a_path_is_that_of_git_log() {
    let (place, work, tip) = garden().await;
    for path in ["", "bed", "bed/rose.txt", "bed/roses.txt", "shed/tools", "README.md", "nowhere"] {
        let seen = log(&place, tip, path, ALL).await;
        let wanted =
            work.git(&["log", "--format=%H", "HEAD", "--", if path.is_empty() { "." } else { path }]);
        let mut wanted: Vec<&str> = wanted.lines().collect();
        // `git log -- .` leaves out a merge that took over; the history of a branch names every commit.
        let all = work.git(&["rev-list", "HEAD"]);
        if path.is_empty() {
            wanted = all.lines().collect();
        }
        let mut oids: Vec<String> = seen.items.iter().map(|commit| commit.oid.to_string()).collect();
        oids.sort();
        wanted.sort_unstable();
        assert_eq!(oids, wanted, "{path}");
        assert!(!seen.more && !seen.cut);
    }
}

#[tokio::test]
async fn a_history_comes_a_page_at_a_time_and_says_when_it_was_cut() {
    let (place, _, tip) = garden().await;
    let all = log(&place, tip, "", ALL).await;
    let first = log(&place, tip, "", Page { offset: 0, limit: 2 }).await;
    let second = log(&place, tip, "", Page { offset: 2, limit: 100 }).await;
    assert_eq!((first.items.len(), first.more, second.more), (2, true, false));
    let joined: Vec<&str> = titles(&first).into_iter().chain(titles(&second)).collect();
    assert_eq!(joined, titles(&all));
    let stopped = move |repo: &Repo| repo.log(tip, &TreePath::default(), ALL, &AtomicBool::new(true));
    let stopped = place.host.with(place.id, stopped).await.unwrap();
    assert_eq!((stopped.items.len(), stopped.more, stopped.cut), (0, false, true));
}

#[tokio::test]
async fn the_last_change_of_each_entry_is_the_first_commit_of_git_log() {
    let (place, work, tip) = garden().await;
    for folder in ["", "bed", "shed", "path with space"] {
        let path = TreePath::new(folder);
        let node = asked(&place, move |repo, _| repo.find(tip, folder)).await.unwrap();
        let names: Vec<Vec<u8>> = asked(&place, move |repo, _| repo.listing(node.oid, ALL))
            .await
            .items
            .into_iter()
            .map(|item| item.name)
            .collect();
        let (of, all) = (path.clone(), names.clone());
        let found: LastChanges =
            asked(&place, move |repo, stop| repo.last_changes(tip, &of, &all, stop)).await;
        for (name, oid) in names.iter().zip(&found.of) {
            let file = path.join(name).to_string();
            let wanted = work.git(&["log", "-1", "--format=%H", "HEAD", "--", &format!(":(literal){file}")]);
            assert_eq!(oid.unwrap().to_string(), wanted, "{file}");
            assert!(found.commits.contains_key(&oid.unwrap()));
        }
    }
}

#[tokio::test]
async fn a_search_for_last_changes_that_is_stopped_leaves_what_it_did_not_find() {
    let (place, _, tip) = garden().await;
    let look = move |repo: &Repo| {
        repo.last_changes(tip, &TreePath::default(), &[b"bed".to_vec()], &AtomicBool::new(true))
    };
    let found = place.host.with(place.id, look).await.unwrap();
    assert_eq!(found, LastChanges { of: vec![None], commits: std::collections::HashMap::new() });
}

#[tokio::test]
async fn a_listing_has_folders_first_and_names_the_file_that_introduces_it() {
    let (place, work, _) = garden().await;
    work.write("a-file", "x");
    work.link("z-link", "bed");
    let tip = work.commit("More");
    let root = asked(&place, move |repo, _| repo.find(tip, "")).await.unwrap().oid;
    let seen = asked(&place, move |repo, _| repo.listing(root, ALL)).await;
    let names: Vec<String> =
        seen.items.iter().map(|item| String::from_utf8_lossy(&item.name).into_owned()).collect();
    assert_eq!(names, ["bed", "path with space", "shed", "README.md", "a-file", "z-link"]);
    assert_eq!((seen.items[5].kind, seen.items[5].size), (EntryKind::Symlink, Some(3)));
    assert_eq!((seen.total, seen.readme.unwrap().0.as_slice()), (6, &b"README.md"[..]));
    let page = asked(&place, move |repo, _| repo.listing(root, Page { offset: 2, limit: 2 })).await;
    assert_eq!((page.items.len(), page.total), (2, 6));
}

async fn blame(place: &Place, tip: Oid, path: &'static str, page: Page) -> Blamed {
    asked(place, move |repo, stop| repo.blame(tip, &TreePath::new(path), page, stop)).await
}

fn done(blamed: Blamed) -> Blame {
    let Blamed::Done(blame) = blamed else { panic!("{blamed:?}") };
    *blame
}

#[tokio::test]
async fn each_line_is_blamed_on_the_commit_that_git_blames() {
    let (place, work, tip) = garden().await;
    let seen = done(blame(&place, tip, "bed/rose.txt", ALL).await);
    let said = work.git(&["blame", "--porcelain", "HEAD", "--", "bed/rose.txt"]);
    let wanted: Vec<&str> = said
        .lines()
        .filter(|line| {
            line.len() > 41
                && line.as_bytes()[40] == b' '
                && line[..40].bytes().all(|b| b.is_ascii_hexdigit())
        })
        .map(|line| &line[..40])
        .collect();
    let lines: Vec<String> = seen
        .stretches
        .iter()
        .flat_map(|stretch| std::iter::repeat_n(stretch.commit.unwrap().to_string(), stretch.lines))
        .collect();
    assert_eq!(lines, wanted, "the rename is followed");
    assert_eq!((lines.len(), seen.commits.len()), (6, 3));
    let page = done(blame(&place, tip, "bed/rose.txt", Page { offset: 1, limit: 2 }).await);
    assert_eq!((page.text.text.as_str(), page.text.from, page.stretches[0].from), ("TWO\nthree\n", 2, 2));
    assert_eq!(page.stretches.iter().map(|stretch| stretch.lines).sum::<usize>(), 2);
}

#[tokio::test]
async fn what_cannot_be_blamed_is_said_and_not_tried() {
    let (place, work, _) = garden().await;
    work.write("binary", b"a\0b");
    work.write("empty", "");
    work.write("large", "x".repeat(usize::try_from(MOST_BYTES).unwrap() + 1));
    work.commit("Odd ones");
    work.write("large", "small now\n");
    let tip = work.commit("Smaller");
    let before = Oid::parse(&work.git(&["rev-parse", "HEAD~1"])).unwrap();
    assert_eq!(blame(&place, tip, "binary", ALL).await, Blamed::Binary);
    assert_eq!(blame(&place, before, "large", ALL).await, Blamed::TooLarge);
    assert_eq!(blame(&place, tip, "large", ALL).await, Blamed::TooLarge, "an earlier state counts too");
    for path in ["bed", "nowhere"] {
        assert_eq!(blame(&place, tip, path, ALL).await, Blamed::NoFile);
    }
    assert!(done(blame(&place, tip, "empty", ALL).await).stretches.is_empty());
    assert!(
        done(blame(&place, tip, "bed/tulips.txt", Page { offset: 9, limit: 1 }).await).stretches.is_empty()
    );
    let stopped =
        move |repo: &Repo| repo.blame(tip, &TreePath::new("bed/rose.txt"), ALL, &AtomicBool::new(true));
    assert_eq!(place.host.with(place.id, stopped).await.unwrap(), Blamed::TooLong);
}

#[tokio::test]
async fn no_attribute_of_the_repository_hides_a_line_from_blame() {
    let (place, work, _) = garden().await;
    work.write(".gitattributes", "* -diff\n*.txt diff=nothing binary\n");
    let tip = work.commit("Hide");
    let seen = done(blame(&place, tip, "bed/rose.txt", ALL).await);
    assert_eq!(seen.commits.len(), 3);
}

#[tokio::test]
async fn two_tips_are_as_far_apart_as_git_says() {
    let (place, work, tip) = garden().await;
    let refs = ["side", "HEAD~3", "HEAD", "HEAD~1"];
    let tips: Vec<Oid> =
        refs.iter().map(|name| Oid::parse(&work.git(&["rev-parse", name])).unwrap()).collect();
    let seen = asked(&place, move |repo, stop| repo.apart(tip, &tips, stop)).await;
    for (name, apart) in refs.iter().zip(seen) {
        let said = work.git(&["rev-list", "--left-right", "--count", &format!("{name}...{tip}")]);
        let Apart { ahead, behind } = apart.unwrap();
        assert_eq!(format!("{ahead}\t{behind}"), said, "{name}");
    }
    let stopped = move |repo: &Repo| repo.apart(tip, &[tip], &AtomicBool::new(true));
    assert_eq!(place.host.with(place.id, stopped).await.unwrap(), [None]);
}

#[tokio::test]
async fn a_name_is_a_branch_before_it_is_a_tag_and_an_id_must_be_led_to() {
    let (place, work, tip) = garden().await;
    let first = Oid::parse(&work.git(&["rev-parse", "HEAD~1"])).unwrap();
    place.git(&["tag", "v1", &first.to_string()]);
    work.git(&["tag", "-a", "-m", "Release", "rel/2", &first.to_string()]);
    work.git(&["push", "--quiet", "origin", "rel/2", "HEAD~1:refs/heads/feature/x", "HEAD~1:refs/heads/v1x"]);
    place.git(&["tag", "feature/x", &tip.to_string()]);
    place.git(&["tag", "of-a-tree", "main^{tree}"]);
    let only = Oid::parse(&place.git(&["commit-tree", "main^{tree}", "-m", "only tagged"])).unwrap();
    let hidden = Oid::parse(&place.git(&["commit-tree", "main^{tree}", "-m", "hidden"])).unwrap();
    place.git(&["tag", "alone", &only.to_string()]);
    let name = |text: &str| BranchName::parse(text).unwrap();
    for (text, wanted) in [
        ("main", Some((Named::Branch(name("main")), tip))),
        ("feature/x", Some((Named::Branch(name("feature/x")), first))),
        ("refs/tags/feature/x", Some((Named::Tag(name("feature/x")), tip))),
        ("v1", Some((Named::Tag(name("v1")), first))),
        ("refs/heads/v1", None),
        ("rel/2", Some((Named::Tag(name("rel/2")), first))),
        ("of-a-tree", None),
        ("nowhere", None),
        (&first.to_string(), Some((Named::Commit(first), first))),
        (&only.to_string(), Some((Named::Commit(only), only))),
        (&hidden.to_string(), None),
    ] {
        let reference = Reference::parse(text).unwrap();
        assert_eq!(asked(&place, move |repo, stop| repo.look_up(&reference, stop)).await, wanted, "{text}");
    }
    for (most, wanted, more) in
        [(9, &["alone", "feature/x", "rel/2", "v1"][..], false), (2, &["rel/2", "v1"], true)]
    {
        let tags = asked(&place, move |repo, _| repo.tags(most)).await;
        let names: Vec<&str> = tags.items.iter().map(|tag| tag.name.as_str()).collect();
        assert_eq!((names.as_slice(), tags.truncated), (wanted, more));
    }
}

#[tokio::test]
async fn a_file_is_streamed_as_it_is() {
    let (place, work, _) = garden().await;
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| u8::try_from(n * 7 % 251).unwrap()).collect();
    work.write("big", &bytes);
    let tip = work.commit("Big");
    let oid = asked(&place, move |repo, _| repo.find(tip, "big")).await.unwrap().oid;
    assert_eq!(asked(&place, move |repo, _| repo.size(oid)).await, 3_000_000);
    assert_eq!(asked(&place, move |repo, _| repo.whole(oid, 2_999_999)).await, None);
    let mut streamed = place.host.desk(mira()).stream(place.id, oid).await.unwrap();
    let mut seen = streamed.head().await.unwrap();
    assert!(seen.len() >= HEAD_BYTES && seen.len() < bytes.len());
    while let Some(piece) = streamed.next().await {
        seen.extend(piece.unwrap());
    }
    assert!(seen == bytes);
    let mut broken = place.host.desk(mira()).stream(place.id, Oid::new([9; 20])).await.unwrap();
    assert!(broken.head().await.is_err(), "what is not there does not end as if it were empty");
}
