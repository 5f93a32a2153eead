//! Commits and what they change are read as git reads them.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use countersign_core::gitnest::oid::Oid;
use countersign_git::diff::{Body, Bounds, Change, Diff, Line, Mode};

use crate::place::{Place, asked, at};
use crate::work::Work;

/// A flag that nobody raises.
static GOES_ON: AtomicBool = AtomicBool::new(false);

#[tokio::test]
async fn a_commit_is_read_with_all_that_it_says() {
    let (place, first) = Place::with_repository().await;
    let seen = asked(&place, move |repo| repo.commit(first)).await.unwrap();
    assert_eq!((seen.title(), seen.body(), seen.parents.len()), ("Begin", "", 0));
    assert_eq!((seen.author.name.as_str(), seen.author.mail.as_str()), ("Mira", "mira@example.com"));
    assert_eq!((seen.author.at, seen.committer.at), (at(1_700_000_000), at(1_700_000_000)));
    assert_eq!(seen.tree.to_string(), place.git(&["rev-parse", "main^{tree}"]));
    assert_eq!(String::from_utf8(seen.bytes).unwrap().trim_end(), place.git(&["cat-file", "commit", "main"]));
}

#[tokio::test]
async fn what_is_no_commit_or_not_there_is_none() {
    let (place, _) = Place::with_repository().await;
    let tree = Oid::parse(&place.git(&["rev-parse", "main^{tree}"])).unwrap();
    for oid in [tree, Oid::new([9; 20])] {
        assert_eq!(asked(&place, move |repo| repo.commit(oid)).await, None);
    }
}

#[tokio::test]
async fn commits_between_two_points_are_those_of_git_rev_list() {
    let (place, base) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("a", "1");
    work.commit("One");
    work.git(&["checkout", "--quiet", "-b", "side", &base.to_string()]);
    work.write("b", "2");
    work.git(&["add", "-A"]);
    work.git(&["commit", "--quiet", "-m", "Side"]);
    work.git(&["merge", "--quiet", "--no-edit", "origin/main"]);
    let tip = work.push();
    let wanted = work.git(&["rev-list", "--date-order", &format!("{base}..{tip}")]);
    let seen = asked(&place, move |repo| repo.commits_between(base, tip, 10)).await;
    let mut oids: Vec<String> = seen.items.iter().map(|commit| commit.oid.to_string()).collect();
    let mut wanted: Vec<String> = wanted.lines().map(str::to_owned).collect();
    assert_eq!(oids[0], tip.to_string(), "the latest comes first");
    oids.sort();
    wanted.sort();
    assert_eq!((oids, seen.more), (wanted, false));
    let cut = asked(&place, move |repo| repo.commits_between(base, tip, 2)).await;
    assert_eq!((cut.items.len(), cut.more), (2, true));
    let merged = asked(&place, move |repo| repo.diff_of_commit(tip, Bounds::COMMIT, &GOES_ON)).await;
    assert_eq!(summary(&merged), ["A\ta"], "a merge is seen from its first parent");
}

/// A commit with one of everything: comes, goes, changes, changes its mode, its kind, its bytes.
async fn busy() -> (Place, Work, Oid, Oid) {
    let (place, _) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("changed.txt", "one\ntwo\nthree\n");
    work.write("gone.txt", "gone\n");
    work.write("mode.sh", "#!/bin/sh\n");
    work.write("binary", "a\0b");
    work.write("kind", "was a file\n");
    work.write("z/deep/file", "deep\n");
    let before = work.commit("Before");
    work.write("changed.txt", "one\n2\nthree\n");
    work.remove("gone.txt");
    work.write("binary", "a\0c");
    work.remove("kind");
    work.write("kind/inside", "is in a folder now\n");
    work.write("z/deep/file", "deeper\n");
    work.write("z/new", "new");
    work.link("link", "changed.txt");
    work.git(&["add", "-A"]);
    work.git(&["update-index", "--chmod=+x", "mode.sh"]);
    let after = work.commit_index("After");
    (place, work, before, after)
}

fn summary(diff: &Diff) -> Vec<String> {
    let line = |file: &countersign_git::diff::FileDiff| {
        let letter = match file.change {
            Change::Added => 'A',
            Change::Modified => 'M',
            Change::Removed => 'D',
        };
        format!("{letter}\t{}", file.path)
    };
    diff.files.iter().map(line).collect()
}

#[tokio::test]
async fn a_commit_changes_the_files_that_git_says_it_changes() {
    let (place, work, before, after) = busy().await;
    let diff = asked(&place, move |repo| repo.diff_of_commit(after, Bounds::COMMIT, &GOES_ON)).await;
    let range = format!("{before}..{after}");
    let mut wanted: Vec<String> =
        work.git(&["diff", "--no-renames", "--name-status", &range]).lines().map(str::to_owned).collect();
    wanted.sort_by(|a, b| a[2..].cmp(&b[2..]));
    assert_eq!(summary(&diff), wanted);
    let paths = asked(&place, move |repo| repo.paths_between(before, after, 100)).await;
    assert_eq!(paths.items, wanted.iter().map(|line| line[2..].to_owned()).collect::<Vec<_>>());
    let numbers = work.git(&["diff", "--no-renames", "--numstat", &range]);
    for line in numbers.lines() {
        let [added, removed, path] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let file = diff.files.iter().find(|file| file.path.to_string() == path).unwrap();
        if added == "-" {
            assert_eq!(file.body, Body::Binary, "{path}");
        } else {
            assert_eq!(
                (file.added.to_string(), file.removed.to_string()),
                (added.into(), removed.into()),
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn a_change_of_mode_or_kind_is_told_with_the_modes_that_git_tells() {
    let (place, work, before, after) = busy().await;
    work.remove("mode.sh");
    work.link("mode.sh", "changed.txt");
    let last = work.commit("A link now");
    for (before, after) in [(before, after), (after, last)] {
        let diff = asked(&place, move |repo| repo.diff_of_commit(after, Bounds::COMMIT, &GOES_ON)).await;
        let digits = |mode: Option<Mode>| match mode {
            None => "000000",
            Some(Mode::File) => "100644",
            Some(Mode::Executable) => "100755",
            Some(Mode::Symlink) => "120000",
            Some(Mode::Submodule) => "160000",
        };
        let line = |file: &countersign_git::diff::FileDiff| {
            format!(":{} {} {}", digits(file.old_mode), digits(file.new_mode), file.path)
        };
        let seen: Vec<String> = diff.files.iter().map(line).collect();
        let said = work.git(&["diff", "--raw", "--no-renames", &format!("{before}..{after}")]);
        let short = |line: &str| format!("{} {}", &line[..14], line.rsplit('\t').next().unwrap());
        let mut wanted: Vec<String> = said.lines().map(short).collect();
        wanted.sort_by(|a, b| a[15..].cmp(&b[15..]));
        assert_eq!(seen, wanted);
    }
}

#[tokio::test]
async fn a_file_under_another_name_is_found_where_git_finds_it() {
    let (place, _) = Place::with_repository().await;
    let work = Work::of(&place);
    let numbered = |from: i32| (from..from + 20).fold(String::new(), |text, n| text + &n.to_string() + "\n");
    for (path, from) in [("same.txt", 0), ("edited.txt", 100), ("rewritten.txt", 200), ("twice.txt", 300)] {
        work.write(path, numbered(from));
    }
    work.write("empty.txt", "");
    let before = work.commit("Before");
    for path in ["same.txt", "edited.txt", "rewritten.txt", "twice.txt", "empty.txt"] {
        work.remove(path);
    }
    work.write("moved/same.txt", numbered(0));
    work.write("moved/edited.md", numbered(100).replace("105\n", "a hundred and five\n"));
    work.write("moved/rewritten.txt", numbered(200).replace("20", "x").replace("21", "y"));
    work.write("moved/twice-a.txt", numbered(300));
    work.write("moved/twice-b.txt", numbered(300));
    work.write("moved/empty.txt", "");
    let after = work.commit("After");
    let diff = asked(&place, move |repo| repo.diff_of_commit(after, Bounds::COMMIT, &GOES_ON)).await;
    let renamed =
        |file: &countersign_git::diff::FileDiff| Some(format!("{} {}", file.from.as_ref()?, file.path));
    let seen: Vec<String> = diff.files.iter().filter_map(renamed).collect();
    let said = work.git(&["diff", "-M", "--name-status", &format!("{before}..{after}")]);
    let wanted: Vec<String> = said
        .lines()
        .filter_map(|line| line.strip_prefix('R'))
        .filter_map(|line| Some(line.split_once('\t')?.1.replace('\t', " ")))
        .collect();
    assert_eq!(seen, wanted);
    assert_eq!(seen.len(), 4, "{seen:?}");
    let edited = diff.files.iter().find(|file| file.path.to_string() == "moved/edited.md").unwrap();
    assert_eq!((edited.change, edited.added, edited.removed), (Change::Modified, 1, 1));
}

#[tokio::test]
async fn the_first_commit_adds_everything() {
    let (place, first) = Place::with_repository().await;
    let diff = asked(&place, move |repo| repo.diff_of_commit(first, Bounds::COMMIT, &GOES_ON)).await;
    assert_eq!(summary(&diff), ["A\tREADME.md"]);
    assert_eq!(diff.files[0].added, 1);
}

#[tokio::test]
async fn a_change_is_listed_as_far_as_its_bounds_go() {
    let (place, _, before, after) = busy().await;
    let few = Bounds { files: 3, ..Bounds::COMMIT };
    let diff = asked(&place, move |repo| repo.diff_of_commit(after, few, &GOES_ON)).await;
    assert_eq!((diff.files.len(), diff.more), (3, true));
    let short = Bounds { file_lines: 1, ..Bounds::COMMIT };
    let diff = asked(&place, move |repo| repo.diff_of_commit(after, short, &GOES_ON)).await;
    let changed = diff.files.iter().find(|file| file.path.to_string() == "changed.txt").unwrap();
    assert_eq!((changed.added, changed.removed, &changed.body), (1, 1, &Body::TooLarge(2)));
    let none = Bounds { lines: 0, ..Bounds::COMMIT };
    let diff = asked(&place, move |repo| repo.diff_of_commit(after, none, &GOES_ON)).await;
    let texts = |body: &Body| matches!(body, Body::Text(hunks) if !hunks.is_empty());
    assert!(!diff.files.iter().any(|file| texts(&file.body)));
    let paths = asked(&place, move |repo| repo.paths_between(before, after, 2)).await;
    assert_eq!((paths.items.len(), paths.more), (2, true));
}

#[tokio::test]
async fn proposed_files_are_compared_with_the_base_in_their_order() {
    let (place, _, before, _) = busy().await;
    let files = [
        ("z/new", "new\n"),
        ("changed.txt", "one\ntwo\nthree\nfour"),
        ("gone.txt", "gone\n"),
        ("binary", "text\n"),
    ];
    let files: Vec<(String, String)> = files.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    let diff = asked(&place, move |repo| repo.diff_of_files(before, &files, Bounds::PROPOSAL)).await;
    assert_eq!(summary(&diff), ["A\tz/new", "M\tchanged.txt", "M\tgone.txt", "M\tbinary"]);
    let Body::Text(hunks) = &diff.files[1].body else { panic!("{diff:?}") };
    let same = |n: u32, text: &str| Line::Same { old: n, new: n, text: text.into() };
    let added = Line::Added { new: 4, text: "four".into() };
    assert_eq!(hunks[0].lines, [same(1, "one"), same(2, "two"), same(3, "three"), added, Line::NoEnding]);
    assert_eq!(diff.files[2].body, Body::Text(Vec::new()));
    let Body::Text(hunks) = &diff.files[3].body else { panic!("what comes must be shown: {diff:?}") };
    assert_eq!(hunks[0].lines, [Line::Added { new: 1, text: "text".into() }]);
}

#[tokio::test]
async fn a_diff_applied_to_the_old_lines_gives_the_new_ones() {
    let (place, _) = Place::with_repository().await;
    let work = Work::of(&place);
    let lines = |text: String, n: i32| text + &n.to_string() + "\n";
    let old = (0..400).map(|n| n * 7 % 40).fold(String::new(), lines);
    let new = (0..400).filter(|n| n % 11 != 0).map(|n| (n * 7 + n / 90) % 40).fold(String::new(), lines);
    work.write("file", &old);
    let base = work.commit("Old");
    let files = vec![("file".to_owned(), new.clone())];
    let diff = asked(&place, move |repo| repo.diff_of_files(base, &files, Bounds::PROPOSAL)).await;
    let Body::Text(hunks) = &diff.files[0].body else { panic!("{diff:?}") };
    let mut patch = String::from("--- a/file\n+++ b/file\n");
    for hunk in hunks {
        let (mut lines, mut first, mut counts) = (String::new(), (0, 0), (0, 0));
        for line in &hunk.lines {
            let (sign, text, old, new) = match line {
                Line::Same { old, new, text } => (' ', text, *old, *new),
                Line::Removed { old, text } => ('-', text, *old, 0),
                Line::Added { new, text } => ('+', text, 0, *new),
                Line::NoEnding => panic!("all lines end"),
            };
            writeln!(lines, "{sign}{text}").unwrap();
            counts = (counts.0 + u32::from(old > 0), counts.1 + u32::from(new > 0));
            first = (if first.0 == 0 { old } else { first.0 }, if first.1 == 0 { new } else { first.1 });
        }
        write!(patch, "@@ -{},{} +{},{} @@\n{lines}", first.0, counts.0, first.1, counts.1).unwrap();
    }
    let file = place.dir.path().join("patch");
    std::fs::write(&file, patch).unwrap();
    work.git(&["apply", "--unidiff-zero", &file.display().to_string()]);
    assert_eq!(work.read("file"), new);
}
