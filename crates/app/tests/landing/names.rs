//! A name that some engine, file system or reader mistakes is refused when it is proposed, and again when it is
//! executed: whoever changed a frozen row cannot land it. What is accepted passes `git fsck --strict`.

use std::process::Command;

use countersign_app::proposal::{approve, read_mine};
use countersign_core::gitnest::path::Rule;
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_core::id::ProposalId;
use countersign_core::problem::Code;
use countersign_core::proposal::ProposalState;
use countersign_store::{Db, Error, both};

use crate::floor::Floor;

/// One spelling or more of each row and each rule, with the rule's word.
const REFUSED: &[(&str, &str)] = &[
    ("", "empty"),
    ("/etc/passwd", "absolute"),
    ("a/", "trailing_slash"),
    ("a//b", "empty_part"),
    (".", "dot_part"),
    ("..", "dot_part"),
    ("a/../../b", "dot_part"),
    (".git", "dot_git"),
    (".GIT/config", "dot_git"),
    (".git./config", "dot_git"),
    (".git /config", "dot_git"),
    ("git~1/config", "dot_git"),
    (".git::$INDEX_ALLOCATION", "dot_git"),
    (".g\u{200c}it/config", "dot_git"),
    ("gitmod~1", "short_name"),
    ("a\u{202e}txt.exe", "invisible"),
    ("a\u{2066}b", "invisible"),
    ("a\u{200b}b", "invisible"),
    ("a\nb", "invisible"),
    ("a\u{7f}", "invisible"),
    ("cafe\u{301}", "not_nfc"),
    ("a\\b", "forbidden"),
    ("a\\..\\b", "forbidden"),
    ("C:", "forbidden"),
    ("a:b", "forbidden"),
    ("a*", "forbidden"),
    ("a?", "forbidden"),
    ("a\"b", "forbidden"),
    ("a<b", "forbidden"),
    ("a|b", "forbidden"),
    (" a", "space"),
    ("a /b", "space"),
    ("a.", "trailing_dot"),
    ("-rf", "dash"),
    ("CON", "device_name"),
    ("aux.txt", "device_name"),
    ("COM1", "device_name"),
    (".gitattributes/x", "git_file"),
    ("a/.GitModules/x/y", "git_file"),
    // Against the base, which holds README.md, a folder `docs`, a link and a submodule.
    ("readme.MD", "case_clash"),
    ("README.md/x", "folder_over_file"),
    ("docs", "file_over_folder"),
    ("link", "through_symlink"),
    ("link/x", "through_symlink"),
    ("vendor", "into_submodule"),
    ("vendor/x", "into_submodule"),
];

/// Paths that are refused for their length, or for each other.
fn refused_together() -> Vec<(Vec<String>, &'static str)> {
    let paths = |list: &[&str]| list.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
    vec![
        (vec!["a/".repeat(600) + "b"], "too_long"),
        (vec!["a".repeat(256)], "part_too_long"),
        (vec!["a/".repeat(32) + "b"], "too_deep"),
        (paths(&["a.txt", "a.txt"]), "same_path"),
        (paths(&["a.txt", "A.txt"]), "case_clash"),
        (paths(&["a", "a/b"]), "folder_over_file"),
        (paths(&["a/b", "a"]), "file_over_folder"),
    ]
}

/// A floor whose branch holds a folder, a link and a submodule too.
async fn varied(db: Db) -> Floor {
    let floor = Floor::lay(db).await;
    let tip = floor.tip().await.to_string();
    let readme = floor.git(&["rev-parse", "main:README.md"]);
    let docs = floor.git_reading(&format!("100644 blob {readme}\tguide.md\n"), &["mktree"]);
    let entries = format!(
        "100644 blob {readme}\tREADME.md\n040000 tree {docs}\tdocs\n120000 blob {readme}\tlink\n160000 commit {tip}\tvendor\n"
    );
    let tree = floor.git_reading(&entries, &["mktree"]);
    let commit = floor.git(&["commit-tree", &tree, "-p", &tip, "-m", "A folder, a link and a submodule"]);
    floor.git(&["update-ref", "refs/heads/main", &commit]);
    floor
}

const ACCEPTED: &[&str] = &[
    "foo.lock",
    "größe/straße.txt",
    ".gitignore",
    ".gitattributes",
    ".mailmap",
    "a b/c.txt",
    "x.git",
    "..a",
];

/// Every row of both tables: paths, and the rule.
fn all() -> Vec<(Vec<String>, &'static str)> {
    let single = REFUSED.iter().map(|(path, rule)| (vec![(*path).to_owned()], *rule));
    single.chain(refused_together()).collect()
}

fn files(paths: &[String]) -> Vec<ProposedFile> {
    paths.iter().map(|path| ProposedFile { path: path.clone(), content: "x\n".to_owned() }).collect()
}

#[test]
fn every_rule_of_names_is_in_the_table() {
    // What is not listed concerns contents and counts.
    let contents = ["nul", "too_large", "too_much", "too_many", "long_attribute", "submodules"];
    let table: Vec<_> = all().into_iter().map(|(_, rule)| rule).collect();
    for rule in Rule::ALL {
        assert!(contents.contains(&rule.as_str()) || table.contains(&rule.as_str()), "{}", rule.as_str());
    }
    assert!(table.len() >= 36);
}

both!(each_of_these_names_is_refused_when_it_is_proposed, db, {
    let floor = varied(db).await;
    let before = floor.tip().await;
    for (n, (paths, rule)) in all().into_iter().enumerate() {
        let mut import = floor.import(&format!("name-{n:04}"), "x", "x\n");
        import.files = files(&paths);
        let refused = floor.try_propose(import).await.unwrap_err();
        assert_eq!(
            (refused.code, refused.facts["rule"].as_str()),
            (Code::ProposalInvalid, Some(rule)),
            "{paths:?}"
        );
        assert!(paths.iter().any(|path| refused.facts["path"] == *path), "{paths:?}");
    }
    assert_eq!(floor.tip().await, before);
});

both!(each_of_these_names_is_refused_when_it_is_executed, db, {
    let floor = varied(db).await;
    let before = floor.tip().await;
    for (n, (paths, rule)) in all().into_iter().enumerate() {
        let mut import = floor.import(&format!("name-{n:04}"), "x", "x\n");
        let good: Vec<_> = (0..paths.len()).map(|at| format!("good-{n}-{at}.txt")).collect();
        import.files = files(&good);
        let id = floor.try_propose(import).await.unwrap().proposal_id;
        for (at, path) in paths.iter().enumerate() {
            rename(&floor, id, (at, path.clone())).await;
        }
        let refused = approve(&floor.test.app, &floor.owner, id).await.unwrap_err();
        assert_eq!(
            (refused.code, refused.facts["rule"].as_str()),
            (Code::ProposalInvalid, Some(rule)),
            "{paths:?}"
        );
        let facts = read_mine(&floor.test.app, &floor.agent_caller(), id).await.unwrap();
        assert_eq!(facts.status, ProposalState::Failed, "{paths:?}");
    }
    assert_eq!(floor.tip().await, before, "nothing landed");
});

both!(what_is_accepted_lands_and_passes_a_strict_check, db, {
    let floor = Floor::lay(db).await;
    let mut import = floor.import("accepted-1", "x", "x\n");
    let file = |path: &&str| ProposedFile { path: (*path).to_owned(), content: "text\n".to_owned() };
    import.files = ACCEPTED.iter().map(file).collect();
    let id = floor.try_propose(import).await.unwrap().proposal_id;
    approve(&floor.test.app, &floor.owner, id).await.unwrap();
    let bare = floor.test.app.git.path(floor.repository);
    let check = Command::new("git").arg("--git-dir").arg(bare).args(["fsck", "--strict"]).output().unwrap();
    assert!(check.status.success() && check.stderr.is_empty(), "{}", String::from_utf8_lossy(&check.stderr));
});

/// Changes a frozen path behind the application's back.
async fn rename(floor: &Floor, id: ProposalId, (at, path): (usize, String)) {
    let sql = "UPDATE proposal_file SET path = $3 WHERE proposal_id = $1 AND position = $2";
    let at = i64::try_from(at).unwrap();
    let write = floor
        .test
        .app
        .db
        .write(move |t| Box::pin(async move { t.exec(sql, &[&id.to_string(), &at, &path]).await }));
    let changed: Result<u64, Error> = write.await;
    assert_eq!(changed.unwrap(), 1);
}
