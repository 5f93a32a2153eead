//! A folder is imported whole, runs nothing, shares nothing, and is refused with a reason.

use std::fs::{create_dir_all, write};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use countersign_git::GitError;

use crate::place::{Place, git, said};

/// A work tree with two branches, a tag of each kind, and a ref that is nobody's business.
fn source(place: &Place) -> PathBuf {
    let folder = place.dir.path().join("a source, 100% \"mine\"");
    create_dir_all(&folder).unwrap();
    let run = |args: &[&str]| said(&git(&folder, args));
    run(&["init", "-q", "-b", "trunk"]);
    write(folder.join("a.txt"), "a\n").unwrap();
    run(&["add", "."]);
    run(&["commit", "-qm", "one"]);
    run(&["tag", "light"]);
    run(&["tag", "-a", "-m", "note", "heavy"]);
    run(&["branch", "side"]);
    run(&["commit", "-q", "--allow-empty", "-m", "two"]);
    run(&["update-ref", "refs/proposals/theirs", "HEAD"]);
    folder
}

fn refs(folder: &Path) -> String {
    said(&git(folder, &["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"]))
}

async fn reason(place: &Place, folder: &Path) -> String {
    match place.host.import_folder(place.id, folder).await {
        Err(GitError::Import(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn every_branch_and_tag_comes_and_nothing_else() {
    let place = Place::empty().await;
    let folder = source(&place);
    let branch = place.host.import_folder(place.id, &folder).await.unwrap();
    assert_eq!(branch.as_str(), "trunk");
    assert_eq!(refs(&place.host.path(place.id)), refs(&folder));
    assert_eq!(place.git(&["for-each-ref", "refs/proposals"]), "");
    assert_eq!(place.git(&["symbolic-ref", "HEAD"]), "refs/heads/trunk");
    assert_eq!(place.git(&["fsck", "--strict"]), "");
    assert!(!place.host.path(place.id).join("import.config").exists());
}

#[tokio::test]
async fn the_branch_of_the_source_is_found_behind_more_branches_than_are_listed() {
    let place = Place::empty().await;
    let folder = source(&place);
    let oid = said(&git(&folder, &["rev-parse", "HEAD"]));
    let packed: Vec<_> = (0..=1000).map(|n| format!("{oid} refs/heads/a-{n:04}\n")).collect();
    let packed = format!("# pack-refs with: sorted \n{}", packed.concat());
    write(folder.join(".git/packed-refs"), packed).unwrap();
    assert_eq!(place.host.import_folder(place.id, &folder).await.unwrap().as_str(), "trunk");
}

#[tokio::test]
async fn imported_again_it_stays_and_a_bare_one_is_as_good() {
    let place = Place::empty().await;
    let folder = source(&place);
    let bare = place.dir.path().join("bare.git");
    said(&git(
        place.dir.path(),
        &["clone", "-q", "--bare", &folder.to_string_lossy(), &bare.to_string_lossy()],
    ));
    place.host.import_folder(place.id, &bare).await.unwrap();
    let before = refs(&place.host.path(place.id));
    said(&git(&folder, &["commit", "-q", "--allow-empty", "-m", "three"]));
    assert_eq!(place.host.import_folder(place.id, &folder).await.unwrap().as_str(), "trunk");
    assert_eq!(refs(&place.host.path(place.id)), before);
}

#[tokio::test]
async fn no_object_is_shared_with_the_source_or_borrowed_through_it() {
    let place = Place::empty().await;
    let folder = source(&place);
    let borrower = place.dir.path().join("borrower");
    said(&git(
        place.dir.path(),
        &["clone", "-q", "--shared", &folder.to_string_lossy(), &borrower.to_string_lossy()],
    ));
    place.host.import_folder(place.id, &borrower).await.unwrap();
    let objects = place.host.path(place.id).join("objects");
    assert!(!objects.join("info/alternates").exists());
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(place.git(&["fsck", "--strict"]), "");
    let packs = std::fs::read_dir(objects.join("pack")).unwrap();
    let links = packs.map(|entry| entry.unwrap().metadata().unwrap().nlink());
    assert!(links.into_iter().all(|links| links == 1), "a file is linked elsewhere");
}

#[tokio::test]
async fn hooks_and_configuration_of_the_source_run_nothing() {
    let place = Place::empty().await;
    let folder = source(&place);
    let trace = place.dir.path().join("ran");
    let script = place.dir.path().join("script");
    write(&script, format!("#!/bin/sh\ntouch {}\nexec \"$@\"\n", trace.display())).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let script = script.to_string_lossy().into_owned();
    for key in
        ["uploadpack.packObjectsHook", "core.fsmonitor", "core.sshCommand", "core.alternateRefsCommand"]
    {
        said(&git(&folder, &["config", key, &script]));
    }
    for hook in ["post-checkout", "pre-auto-gc", "reference-transaction", "post-index-change"] {
        std::fs::copy(&script, folder.join(".git/hooks").join(hook)).ok();
    }
    place.host.import_folder(place.id, &folder).await.unwrap();
    assert!(!trace.exists());
}

#[tokio::test]
async fn what_cannot_be_imported_is_refused_with_a_reason_and_leaves_nothing() {
    let place = Place::empty().await;
    let run = |folder: &Path, args: &[&str]| said(&git(folder, args));
    let empty = place.dir.path().join("empty");
    create_dir_all(&empty).unwrap();
    assert!(reason(&place, &empty).await.contains("is not a git repository"));
    assert!(reason(&place, &empty.join("none")).await.contains("there is no folder"));
    run(&empty, &["init", "-q"]);
    assert!(reason(&place, &empty).await.contains("no branch with a commit"));
    let whole = source(&place);
    run(&whole, &["commit", "-q", "--allow-empty", "-m", "once more"]);
    let address = format!("file://{}", whole.display());
    run(place.dir.path(), &["clone", "-q", "--depth", "1", &address, "shallow"]);
    assert!(reason(&place, &place.dir.path().join("shallow")).await.contains("git fetch --unshallow"));
    let long = place.dir.path().join("long");
    create_dir_all(&long).unwrap();
    run(&long, &["init", "-q", "--object-format=sha256"]);
    run(&long, &["commit", "-q", "--allow-empty", "-m", "one"]);
    let said = reason(&place, &long).await;
    assert!(said.contains("SHA-256"), "{said}");
    assert!(!place.host.exists(place.id));
}

#[tokio::test]
async fn a_source_with_other_refs_inside_is_read_all_the_same() {
    let place = Place::empty().await;
    let folder = place.dir.path().join("tables");
    create_dir_all(&folder).unwrap();
    said(&git(&folder, &["init", "-q", "-b", "main", "--ref-format=reftable"]));
    said(&git(&folder, &["commit", "-q", "--allow-empty", "-m", "one"]));
    place.host.import_folder(place.id, &folder).await.unwrap();
    let tips = place.host.with(place.id, countersign_git::Repo::branches).await.unwrap();
    assert_eq!(tips.items.len(), 1);
}

#[tokio::test]
async fn a_source_that_fails_its_check_is_refused() {
    let place = Place::empty().await;
    let folder = source(&place);
    let blob = said(&git(&folder, &["rev-parse", "HEAD:a.txt"]));
    let entry = place.dir.path().join("entry");
    write(&entry, format!("100644 blob {blob}\t.GiT\n")).unwrap();
    let tree = std::process::Command::new("git")
        .arg("mktree")
        .current_dir(&folder)
        .stdin(std::fs::File::open(entry).unwrap())
        .output()
        .unwrap();
    let commit = said(&git(&folder, &["commit-tree", "-m", "bad", &said(&tree)]));
    said(&git(&folder, &["update-ref", "refs/heads/bad", &commit]));
    let said = reason(&place, &folder).await;
    assert!(said.contains("hasDotgit"), "{said}");
    assert!(!place.host.exists(place.id));
}
