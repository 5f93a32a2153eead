//! Proposed files fit on their base, or are refused by the rule that they break; a written tree keeps what
//! it does not name.

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::path::{PathBreach, Rule};
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_git::plan::Fit;

use crate::place::Place;

fn file(path: &str, content: &str) -> ProposedFile {
    ProposedFile { path: path.to_owned(), content: content.to_owned() }
}

/// A base with a file, a program, a folder, a symbolic link, a submodule and a name in two spellings.
async fn base() -> (Place, Oid) {
    let (place, _) = Place::with_repository().await;
    let blob = place.git(&["rev-parse", "main:README.md"]);
    let commit = place.git(&["rev-parse", "main"]);
    let inner = place.git_in(&["mktree"], &format!("100644 blob {blob}\tinner.txt\n"));
    let listing = format!(
        "100644 blob {blob}\tREADME.md\n100644 blob {blob}\tTwin.txt\n040000 tree {inner}\tfolder\n\
         120000 blob {blob}\tlink\n100755 blob {blob}\trun.sh\n160000 commit {commit}\tsub\n100644 blob {blob}\ttwin.txt\n"
    );
    let tree = place.git_in(&["mktree"], &listing);
    let made = place.git(&["commit-tree", &tree, "-p", "main", "-m", "base"]);
    place.git(&["update-ref", "refs/heads/main", &made]);
    (place, Oid::parse(&made).unwrap())
}

async fn fit(place: &Place, base: Oid, files: Vec<ProposedFile>) -> Fit {
    place.host.with(place.id, move |repo| repo.fit(base, &files)).await.unwrap()
}

#[tokio::test]
async fn a_path_that_clashes_with_the_base_is_refused_by_its_rule() {
    let (place, base) = base().await;
    for (path, rule) in [
        ("folder", Rule::FileOverFolder),
        ("README.md/x", Rule::FolderOverFile),
        ("run.sh/x", Rule::FolderOverFile),
        ("link", Rule::ThroughSymlink),
        ("link/x", Rule::ThroughSymlink),
        ("sub", Rule::IntoSubmodule),
        ("sub/x", Rule::IntoSubmodule),
        ("readme.md", Rule::CaseClash),
        ("Folder/x", Rule::CaseClash),
        ("folder/INNER.txt", Rule::CaseClash),
        ("TWIN.txt", Rule::CaseClash),
    ] {
        let refused = Fit::Refused(PathBreach { path: path.to_owned(), rule });
        assert_eq!(fit(&place, base, vec![file(path, "x")]).await, refused, "{path}");
        let files = vec![file(path, "x")];
        assert!(place.host.with(place.id, move |repo| repo.write_tree(base, &files)).await.is_err(), "{path}");
    }
}

#[tokio::test]
async fn each_of_two_names_that_fold_alike_can_be_replaced_by_its_own_spelling() {
    let (place, base) = base().await;
    for path in ["Twin.txt", "twin.txt"] {
        assert_eq!(fit(&place, base, vec![file(path, "x")]).await, Fit::Changes, "{path}");
    }
}

#[tokio::test]
async fn what_is_there_already_changes_nothing() {
    let (place, base) = base().await;
    let readme = place.git(&["cat-file", "blob", "main:README.md"]) + "\n";
    assert_eq!(fit(&place, base, vec![file("README.md", &readme)]).await, Fit::Nothing);
    assert_eq!(fit(&place, base, vec![file("README.md", &readme), file("new.txt", "")]).await, Fit::Changes);
}

#[tokio::test]
async fn a_written_tree_keeps_modes_and_everything_that_is_not_named() {
    let (place, base) = base().await;
    let files = vec![file("run.sh", "#!/bin/sh\n"), file("a/b/c.txt", "c\n"), file("folder/inner.txt", "i\n")];
    let again = files.clone();
    let tree = place.host.with(place.id, move |repo| repo.write_tree(base, &files)).await.unwrap();
    assert_eq!(place.host.with(place.id, move |repo| repo.write_tree(base, &again)).await.unwrap(), tree);
    let changed = place.git(&["diff-tree", "-r", "--name-status", "main^{tree}", &tree.to_string()]);
    assert_eq!(changed, "A\ta/b/c.txt\nM\tfolder/inner.txt\nM\trun.sh");
    let modes = place.git(&["ls-tree", "-r", &tree.to_string(), "run.sh", "a/b/c.txt", "link", "sub"]);
    let kinds: Vec<&str> = modes.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(kinds, ["100644", "120000", "100755", "160000"]);
}
