//! Files on a base make a tree, or are refused by the rule that they break there.

use std::path::PathBuf;

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::path::Rule;
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_git::commit::CommitDraft;
use countersign_git::plan::Planned;

use crate::place::{Place, at, git, message, mira, said};

fn file(path: &str, content: &str) -> ProposedFile {
    ProposedFile { path: path.into(), content: content.into() }
}

async fn plan(place: &Place, base: Oid, files: Vec<ProposedFile>) -> Planned {
    place.host.with(place.id, move |repo| repo.plan(base, &files)).await.unwrap()
}

/// Plans and writes; gives the tree and a commit on it that nothing names.
async fn written(place: &Place, base: Oid, files: Vec<ProposedFile>) -> (Oid, Oid) {
    let Planned::Tree(tree) = plan(place, base, files).await else { panic!("a tree") };
    let draft = CommitDraft {
        tree: tree.oid(),
        parent: Some(base),
        author: mira(),
        author_time: at(0),
        committer: mira(),
        commit_time: at(1),
        message: message("Everything"),
    };
    let (oid, commit) = (tree.oid(), place.signer.sign(&draft).unwrap());
    place.host.write(place.id, tree, commit.clone()).await.unwrap();
    (oid, commit.oid())
}

async fn refused(place: &Place, base: Oid, path: &str) -> Option<Rule> {
    match plan(place, base, vec![file(path, "new\n")]).await {
        Planned::Refused(breach) => Some(breach.rule),
        Planned::Tree(_) | Planned::NothingChanges => None,
    }
}

/// A work tree beside the repository, to make commits of every kind in.
fn work_tree(place: &Place) -> PathBuf {
    let folder = place.dir.path().join("work");
    let source = place.host.path(place.id);
    said(&git(
        place.dir.path(),
        &["clone", "-q", "--no-local", &source.to_string_lossy(), &folder.to_string_lossy()],
    ));
    folder
}

fn push(folder: &std::path::Path) -> Oid {
    said(&git(folder, &["commit", "-qm", "more"]));
    said(&git(folder, &["push", "-q", "origin", "HEAD"]));
    Oid::parse(&said(&git(folder, &["rev-parse", "HEAD"]))).unwrap()
}

/// A base with a folder, a script, a link, a submodule and names that fold.
async fn varied() -> (Place, Oid) {
    let (place, first) = Place::with_repository().await;
    let work = work_tree(&place);
    std::fs::create_dir(work.join("docs")).unwrap();
    std::fs::write(work.join("docs/Guide.md"), "guide\n").unwrap();
    std::fs::write(work.join("docs/été.md"), "summer\n").unwrap();
    std::fs::write(work.join("run.sh"), "#!/bin/sh\n").unwrap();
    std::os::unix::fs::symlink("docs", work.join("link")).unwrap();
    said(&git(&work, &["add", "."]));
    said(&git(&work, &["update-index", "--chmod=+x", "run.sh"]));
    said(&git(&work, &["update-index", "--add", "--cacheinfo", &format!("160000,{first},vendor")]));
    let tip = push(&work);
    (place, tip)
}

#[tokio::test]
async fn new_files_are_plain_and_replaced_ones_keep_their_mode() {
    let (place, base) = varied().await;
    let files = vec![
        file("run.sh", "#!/bin/sh\nexit 1\n"),
        file("new.sh", "#!/bin/sh\n"),
        file("docs/a/b.md", "deep\n"),
    ];
    let (tree, _) = written(&place, base, files).await;
    let listed = place.git(&["ls-tree", "-r", "--format=%(objectmode) %(path)", &tree.to_string()]);
    let wanted = "100644 README.md\n100644 docs/Guide.md\n100644 docs/a/b.md\n100644 \"docs/\\303\\251t\\303\\251.md\"\n\
                  120000 link\n100644 new.sh\n100755 run.sh\n160000 vendor";
    assert_eq!(listed, wanted);
    assert_eq!(place.git(&["cat-file", "blob", &format!("{tree}:run.sh")]), "#!/bin/sh\nexit 1");
}

#[tokio::test]
async fn bytes_are_stored_as_they_came_whatever_attributes_say() {
    let (place, base) = Place::with_repository().await;
    let files = vec![file(".gitattributes", "* text eol=lf\n"), file("dos.txt", "a\r\nb\r\n")];
    let (tree, _) = written(&place, base, files).await;
    let out = git(&place.host.path(place.id), &["cat-file", "blob", &format!("{tree}:dos.txt")]);
    assert_eq!(out.stdout, b"a\r\nb\r\n");
}

#[tokio::test]
async fn what_changes_nothing_is_told() {
    let (place, base) = Place::with_repository().await;
    let same = vec![file("README.md", "# Orchard\n")];
    assert_eq!(plan(&place, base, same).await, Planned::NothingChanges);
}

#[tokio::test]
async fn what_is_only_planned_leaves_no_object_behind() {
    let (place, base) = Place::with_repository().await;
    let before = place.git(&["count-objects"]);
    let files = vec![file("secret/plan.md", "not approved\n")];
    let Planned::Tree(tree) = plan(&place, base, files.clone()).await else { panic!("a tree") };
    assert_eq!(place.git(&["count-objects"]), before);
    assert_eq!(written(&place, base, files).await.0, tree.oid());
    assert_ne!(place.git(&["count-objects"]), before);
}

#[tokio::test]
async fn an_object_that_a_power_cut_left_empty_is_whole_again() {
    let (place, base) = Place::with_repository().await;
    let files = vec![file("docs/plan.md", "the plan\n")];
    let (tree, _) = written(&place, base, files.clone()).await;
    let objects = place.host.path(place.id).join("objects");
    let ids = ["", "docs", "docs/plan.md"].map(|name| place.git(&["rev-parse", &format!("{tree}:{name}")]));
    for id in ids {
        let (folder, rest) = id.split_at(2);
        let object = objects.join(folder).join(rest);
        std::fs::remove_file(&object).unwrap();
        std::fs::write(&object, "").unwrap();
    }
    assert_eq!(written(&place, base, files).await.0, tree);
    assert_eq!(place.git(&["cat-file", "blob", &format!("{tree}:docs/plan.md")]), "the plan");
}

#[tokio::test]
async fn files_and_folders_of_the_base_are_not_replaced_by_each_other() {
    let (place, base) = varied().await;
    assert_eq!(refused(&place, base, "docs").await, Some(Rule::FileOverFolder));
    assert_eq!(refused(&place, base, "README.md/a").await, Some(Rule::FolderOverFile));
    assert_eq!(refused(&place, base, "run.sh/a/b").await, Some(Rule::FolderOverFile));
}

#[tokio::test]
async fn nothing_is_written_through_a_link_or_into_a_submodule() {
    let (place, base) = varied().await;
    assert_eq!(refused(&place, base, "link").await, Some(Rule::ThroughSymlink));
    assert_eq!(refused(&place, base, "link/Guide.md").await, Some(Rule::ThroughSymlink));
    assert_eq!(refused(&place, base, "vendor").await, Some(Rule::IntoSubmodule));
    assert_eq!(refused(&place, base, "vendor/a").await, Some(Rule::IntoSubmodule));
}

#[tokio::test]
async fn names_that_differ_from_the_base_by_case_or_composition_are_refused() {
    let (place, base) = varied().await;
    for path in
        ["readme.md", "Docs", "DOCS/x.md", "docs/guide.MD", "docs/ÉTÉ.md", "LINK/a", "Vendor/a", "RUN.SH"]
    {
        assert_eq!(refused(&place, base, path).await, Some(Rule::CaseClash), "{path}");
    }
    for path in ["docs/Guide.md", "docs/été.md", "docs/guides.md"] {
        assert_eq!(refused(&place, base, path).await, None, "{path}");
    }
}

#[tokio::test]
async fn the_rules_of_paths_hold_here_too() {
    let (place, base) = Place::with_repository().await;
    assert_eq!(refused(&place, base, ".git/config").await, Some(Rule::DotGit));
    assert_eq!(refused(&place, base, "../x").await, Some(Rule::DotPart));
}

#[tokio::test]
async fn everything_that_is_accepted_passes_a_strict_fsck() {
    let (place, base) = Place::with_repository().await;
    let modules = "[submodule \"vendor/zlib\"]\n\tpath = vendor/zlib\n\turl = https://example.com/zlib.git\n\tupdate = none\n";
    let paths = [
        "src/main.rs",
        ".gitignore",
        ".mailmap",
        ".github/workflows/ci.yml",
        "foo.lock",
        "größe/straße.txt",
        "日本語/ファイル",
        "a b/c d.txt",
        "git",
        ".gitx",
        "x.git",
        "com10",
        "~",
        "..a",
        "@scope/pkg",
        "{{x}}/#$%^!'()+,.[]`",
        "x=1&y=2;z",
    ];
    let mut files: Vec<ProposedFile> = paths.iter().map(|path| file(path, "text \u{202e}\r\n\t")).collect();
    files.push(file("sub/.gitmodules", modules));
    files.push(file("docs/.gitattributes", &"a".repeat(2000)));
    files.push(file("empty", ""));
    let (_, commit) = written(&place, base, files).await;
    place.git(&["update-ref", "refs/heads/all", &commit.to_string()]);
    let fsck = git(&place.host.path(place.id), &["fsck", "--strict", "--full"]);
    assert_eq!((said(&fsck), String::from_utf8_lossy(&fsck.stderr).as_ref()), (String::new(), ""));
    let strict = git(
        &place.host.path(place.id),
        &["-c", "transfer.fsckObjects=true", "clone", "-q", "--no-local", "--bare", ".", "../copy"],
    );
    said(&strict);
}
