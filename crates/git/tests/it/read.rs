//! What lies at a path of a commit is what git says lies there.

use std::sync::atomic::AtomicBool;

use countersign_core::gitnest::oid::Oid;
use countersign_git::GitError;
use countersign_git::file::FileSlice;
use countersign_git::revision::Revision;
use countersign_git::tree::{Entry, EntryKind, Node, Page};

use crate::place::{Place, asked};
use crate::work::Work;

const ALL: Page = Page { offset: 0, limit: 1000 };

async fn found(place: &Place, commit: Oid, path: &str) -> Option<Node> {
    let path = path.to_owned();
    asked(place, move |repo| repo.find(commit, &path)).await
}

async fn listed(place: &Place, commit: Oid, path: &str) -> Vec<Entry> {
    let node = found(place, commit, path).await.unwrap();
    asked(place, move |repo| repo.folder(node.oid, ALL)).await.entries
}

async fn text(place: &Place, commit: Oid, path: &str) -> FileSlice {
    let node = found(place, commit, path).await.unwrap();
    asked(place, move |repo| repo.file(node.oid, ALL)).await
}

fn entry(name: &str, kind: EntryKind, size: Option<u64>) -> Entry {
    Entry { name: name.to_owned(), kind, size }
}

#[tokio::test]
async fn a_folder_lists_what_git_lists_with_kinds_and_sizes() {
    let (place, first) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("docs/one.md", "one\n");
    work.write("docs/deep/two.md", "two");
    work.link("docs/link", "../README.md");
    work.git(&["add", "-A"]);
    work.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{first},docs/module")]);
    let commit = work.commit_index("Docs");
    let seen = listed(&place, commit, "docs").await;
    let wanted = [
        entry("deep", EntryKind::Folder, None),
        entry("link", EntryKind::Symlink, Some(12)),
        entry("module", EntryKind::Submodule, None),
        entry("one.md", EntryKind::File, Some(4)),
    ];
    assert_eq!(seen, wanted);
    let names: Vec<String> = seen.into_iter().map(|entry| entry.name).collect();
    let said = work.git(&["ls-tree", "--name-only", "HEAD", "docs/"]);
    assert_eq!(said.lines().map(|path| path.trim_start_matches("docs/")).collect::<Vec<_>>(), names);
    let root = listed(&place, commit, "/").await;
    assert_eq!(root.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["README.md", "docs"]);
}

#[tokio::test]
async fn a_long_folder_comes_a_page_at_a_time() {
    let (place, _) = Place::with_repository().await;
    let work = Work::of(&place);
    for n in 0..25 {
        work.write(&format!("many/{n:02}"), "");
    }
    let commit = work.commit("Many");
    let folder = found(&place, commit, "many").await.unwrap().oid;
    let page = asked(&place, move |repo| repo.folder(folder, Page { offset: 20, limit: 10 })).await;
    assert_eq!((page.total, page.entries.len()), (25, 5));
    assert_eq!(page.entries[0].name, "20");
}

#[tokio::test]
async fn a_path_leads_only_downwards_and_through_no_link() {
    let (place, _) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("a/b.txt", "b");
    work.link("c", "a");
    let commit = work.commit("Paths");
    assert!(found(&place, commit, "a/b.txt/").await.is_some());
    for path in ["..", "a/../a/b.txt", ".", "a//b.txt", "c/b.txt", "a/b.txt/c", "A/b.txt", "a\\b.txt", "a/b"]
    {
        assert_eq!(found(&place, commit, path).await, None, "{path}");
    }
    assert_eq!(text(&place, commit, "c").await.text, "a", "a link reads as its target");
}

#[tokio::test]
async fn a_file_is_text_only_when_it_is_utf_8_without_nul_and_not_too_large() {
    let (place, _) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("text", "größe\nzwei\n");
    work.write("nul", "a\0b\n");
    work.write("late-nul", format!("{}\0", "a\n".repeat(10_000)));
    work.write("latin-1", b"gr\xf6\xdfe\n");
    work.write("large", vec![b'\n'; 8 * 1024 * 1024 + 1]);
    work.write("at-the-bound", vec![b'\n'; 8 * 1024 * 1024]);
    let commit = work.commit("Kinds");
    let seen = text(&place, commit, "text").await;
    assert_eq!((seen.text.as_str(), seen.total_lines, seen.binary), ("größe\nzwei\n", 2, false));
    for path in ["nul", "late-nul", "latin-1", "large"] {
        let seen = text(&place, commit, path).await;
        assert_eq!((seen.text.as_str(), seen.total_lines, seen.binary), ("", 0, true), "{path}");
    }
    assert!(!text(&place, commit, "at-the-bound").await.binary);
}

#[tokio::test]
async fn a_revision_is_a_branch_or_a_commit_that_a_branch_leads_to_and_nothing_else() {
    let (place, first) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("a", "a");
    let second = work.commit("Second");
    let tree = Oid::parse(&place.git(&["rev-parse", "main^{tree}"])).unwrap();
    let unborn = Oid::parse(&place.git(&["commit-tree", &tree.to_string(), "-m", "nobody's"])).unwrap();
    let hidden = Oid::parse(&place.git(&["commit-tree", &tree.to_string(), "-m", "hidden"])).unwrap();
    place.git(&["update-ref", "refs/proposals/1", &hidden.to_string()]);
    place.git(&["update-ref", "refs/tags/v1", &unborn.to_string()]);
    let resolve = |text: &str| {
        let revision = Revision::parse(text).unwrap();
        async { asked(&place, move |repo| repo.resolve(&revision, &AtomicBool::new(false))).await }
    };
    assert_eq!(resolve("main").await, Some(second));
    assert_eq!(resolve(&first.to_string()).await, Some(first));
    assert_eq!(resolve("nowhere").await, None);
    for (what, oid) in
        [("tree", tree), ("unreachable", unborn), ("marked", hidden), ("absent", Oid::new([7; 20]))]
    {
        assert_eq!(resolve(&oid.to_string()).await, None, "{what}");
    }
}

#[tokio::test]
async fn a_damaged_repository_is_an_error_and_not_an_empty_answer() {
    let (place, first) = Place::with_repository().await;
    let tree = place.git(&["rev-parse", "main^{tree}"]);
    let object = place.host.path(place.id).join("objects").join(&tree[..2]).join(&tree[2..]);
    std::fs::remove_file(object).unwrap();
    let seen = place.host.with(place.id, move |repo| repo.find(first, "README.md")).await;
    assert!(matches!(seen, Err(GitError::Engine { .. })), "{seen:?}");
}
