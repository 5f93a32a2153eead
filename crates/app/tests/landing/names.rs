//! A name that some engine, file system or reader mistakes is refused when it is proposed, and again when it is
//! executed: whoever changed a frozen row cannot land it. What is accepted passes `git fsck --strict`.

use std::process::Command;

use countersign_app::proposal::{approve, read_mine};
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_core::id::ProposalId;
use countersign_core::problem::Code;
use countersign_core::proposal::ProposalState;
use countersign_store::{Error, both};

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
    // Against the base, which holds README.md.
    ("readme.MD", "case_clash"),
    ("README.md/x", "folder_over_file"),
];

const ACCEPTED: &[&str] =
    &["foo.lock", "größe/straße.txt", ".gitignore", ".gitattributes", "a b/c.txt", "x.git", "..a"];

both!(each_of_these_names_is_refused_when_it_is_proposed, db, {
    assert!(REFUSED.len() >= 36);
    let floor = Floor::lay(db).await;
    let before = floor.tip().await;
    for (n, (path, rule)) in REFUSED.iter().enumerate() {
        let mut import = floor.import(&format!("name-{n:04}"), path, "x\n");
        "Write a file".clone_into(&mut import.message);
        let refused = floor.try_propose(import).await.unwrap_err();
        assert_eq!(
            (refused.code, refused.facts["rule"].as_str()),
            (Code::ProposalInvalid, Some(*rule)),
            "{path:?}"
        );
        assert_eq!(refused.facts["path"], *path);
    }
    assert_eq!(floor.tip().await, before);
});

both!(each_of_these_names_is_refused_when_it_is_executed, db, {
    let floor = Floor::lay(db).await;
    let before = floor.tip().await;
    for (n, (path, rule)) in REFUSED.iter().enumerate() {
        let id = floor.propose(&format!("name-{n:04}"), &format!("good-{n}.txt")).await;
        rename(&floor, id, path).await;
        let refused = approve(&floor.test.app, &floor.owner, id).await.unwrap_err();
        assert_eq!(
            (refused.code, refused.facts["rule"].as_str()),
            (Code::ProposalInvalid, Some(*rule)),
            "{path:?}"
        );
        let facts = read_mine(&floor.test.app, &floor.agent_caller(), id).await.unwrap();
        assert_eq!(facts.status, ProposalState::Failed, "{path:?}");
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

/// Changes a frozen row behind the application's back.
async fn rename(floor: &Floor, id: ProposalId, path: &'static str) {
    let write = floor.test.app.db.write(move |t| {
        Box::pin(async move {
            t.exec("UPDATE proposal_file SET path = $2 WHERE proposal_id = $1", &[&id.to_string(), &path])
                .await
        })
    });
    let changed: Result<u64, Error> = write.await;
    assert_eq!(changed.unwrap(), 1);
}
