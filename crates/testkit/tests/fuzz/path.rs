//! Paths of proposed files: what the rules take, git takes too, with its own rules for the file systems of all clients.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use countersign_core::gitnest::path::check_path;
use countersign_store::testing::Folder;
use countersign_testkit::fuzz::Target;
use countersign_testkit::repo::{git, git_ok, plant_stream};
use tokio::runtime::Runtime;

const TARGET: Target = Target {
    name: "path",
    words: &[
        "/",
        "//",
        ".",
        "..",
        "../",
        "/.",
        ".git",
        ".GIT",
        "git~1",
        "GITMOD~1",
        ".gitmodules",
        "\u{200c}",
        "\u{ff0e}git",
        "g\u{131}t",
        "\\",
        ":",
        "::$INDEX_ALLOCATION",
        "con",
        "COM1",
        "com\u{b9}",
        "aux.txt",
        " ",
        ".",
        "-",
        "~1",
        "e\u{301}",
        "\u{212a}",
        "\u{df}",
    ],
    inputs: 20_000,
};

/// A path that is taken, as `git fast-import` reads one.
fn quoted(path: &str) -> String {
    format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
}

#[test]
fn a_path_that_is_taken_breaks_no_rule_of_git() {
    let taken = RefCell::new(BTreeSet::new());
    TARGET.run(|input| {
        let Ok(path) = std::str::from_utf8(input) else { return Ok(()) };
        if check_path(path).is_ok() {
            // What a reader of ours must be able to lean on, said once more and in another way.
            let parts: Vec<&str> = path.split('/').collect();
            let is_odd =
                |part: &&str| part.is_empty() || part.starts_with('.') && part.trim_matches('.').is_empty();
            if parts.iter().any(is_odd)
                || path.bytes().any(|byte| byte < 0x20 || byte == 0x7f || byte == b'\\')
            {
                return Err(format!("{path:?} is taken"));
            }
            taken.borrow_mut().insert(path.to_owned());
        }
        Ok(())
    });
    let taken = taken.into_inner();
    assert!(taken.len() > 200, "only {} paths were taken: this showed nothing", taken.len());
    // One commit each: two of them need not fit beside each other.
    let mut stream = String::from("blob\nmark :1\ndata 2\nx\n\n");
    for (n, path) in taken.iter().enumerate() {
        let path = quoted(path);
        let who = "committer T <t@countersign.example> 0 +0000";
        write!(stream, "commit refs/heads/p{n}\n{who}\ndata 1\nx\nM 100644 :1 {path}\n\n").unwrap();
    }
    let folder = Folder::new();
    Runtime::new().unwrap().block_on(async {
        git_ok(folder.path(), &["init", "-q", "--bare", "."]).await;
        plant_stream(folder.path(), stream.as_bytes()).await;
        let checked = git(
            folder.path(),
            &["-c", "core.protectHFS=true", "-c", "core.protectNTFS=true", "fsck", "--strict"],
        )
        .await;
        let said = String::from_utf8_lossy(&checked.stderr).into_owned();
        assert!(checked.status.success() && !said.contains("warning"), "{said}");
        // And git puts every one of them into an index, which asks the rules for work trees.
        for n in 0..taken.len() {
            git_ok(
                folder.path(),
                &[
                    "-c",
                    "core.protectHFS=true",
                    "-c",
                    "core.protectNTFS=true",
                    "read-tree",
                    &format!("refs/heads/p{n}"),
                ],
            )
            .await;
        }
    });
}
