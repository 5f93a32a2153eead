//! Attacks with the paths of proposed files: out of the tree, into git's own folder in any spelling, through what is no
//! folder, into each other's way.

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::{git_ok, plant_stream, tip};
use countersign_testkit::server::Options;
use serde_json::{Value, json};

/// Each alone is refused, wherever it is proposed.
const NEVER: [&str; 40] = [
    "../outside",
    "a/../../outside",
    "/etc/passwd",
    "./a",
    "a//b",
    "a/",
    "",
    ".",
    "..",
    "a/./b",
    ".git/config",
    ".GIT/hooks/post-update",
    "a/.git/config",
    ".git",
    ".g\u{200c}it/config",
    ".git /config",
    ".git./config",
    "git~1/config",
    "GIT~1/config",
    ".git::$INDEX_ALLOCATION/config",
    "\u{ff0e}git\u{202e}/x",
    "a\\b",
    "..\\outside",
    "C:\\x",
    "C:/x",
    "con",
    "a/NUL.txt",
    "com1",
    "a\nb",
    "a\u{0}b",
    "a\u{1b}[2Jb",
    "a\u{202e}b",
    "a\u{200b}b",
    "e\u{301}.txt",
    " a",
    "a ",
    "a.",
    "-rf",
    "LONG~1.TXT",
    "a/\u{feff}b",
];

/// The tree that proposals meet: a link out of the repository, a submodule, a folder and a file.
const TREE: &str = "blob\nmark :1\ndata 11\n/etc/passwd\nblob\nmark :2\ndata 5\ntext\n\n\
reset refs/heads/main\nfrom refs/heads/main^0\n\ncommit refs/heads/main\ncommitter T <t@countersign.example> 1700000000 +0000\n\
data 4\nTree\nfrom refs/heads/main^0\nM 120000 :1 link\nM 160000 1111111111111111111111111111111111111111 module\n\
M 100644 :2 folder/file\nM 100644 :2 File\n\n";

async fn refused(house: &House, n: usize, files: Value) -> Value {
    let mut import = house.import(&format!("crooked-path-{n}"), "x", "x");
    import["files"] = files;
    let answer = house.agent.call("propose_gitnest_file_import", import).await;
    assert_eq!(answer.body["result"]["isError"], true, "taken: {}", answer.body);
    answer.refusal()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_proposal_leaves_its_tree_or_takes_a_name_that_is_another_elsewhere() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    plant_stream(&house.bare(), TREE.as_bytes()).await;
    let before = tip(&house.bare()).await;
    for (n, path) in NEVER.into_iter().enumerate() {
        let told = refused(&house, n, json!([{ "path": path, "content": "x\n" }])).await;
        let known =
            ["proposal_invalid", "invalid_arguments"].contains(&told["code"].as_str().unwrap_or_default());
        assert!(known, "{path:?}: {told}");
    }
    for (n, paths) in [
        &["link"][..],
        &["link/x"],
        &["module"],
        &["module/x"],
        &["folder"],
        &["folder/file/x"],
        &["FILE"],
        &["Folder/x"],
        &["new", "new/x"],
        &["new/x", "NEW/y"],
        &["same", "same"],
    ]
    .into_iter()
    .enumerate()
    {
        let files: Vec<Value> = paths.iter().map(|path| json!({ "path": path, "content": "x\n" })).collect();
        let told = refused(&house, 100 + n, files.into()).await;
        assert_eq!(told["code"], "proposal_invalid", "{paths:?}: {told}");
    }
    assert_eq!(tip(&house.bare()).await, before);
    let refs = git_ok(&house.bare(), &["for-each-ref", "--format=%(refname)"]).await;
    assert_eq!(refs, "refs/heads/main");
    // The names beside them are taken: it is not that everything is refused.
    for (n, path) in [".github/ok.md", "git/config", "a.b/c", "folder/other"].into_iter().enumerate() {
        house.propose(&format!("straight-path-{n}"), path, "x\n").await;
    }
}
