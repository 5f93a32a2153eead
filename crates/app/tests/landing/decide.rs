//! A push is decided over under the lock of the refs, as everything is then: what was so before it waited counts for
//! nothing.

use std::time::Duration;

use countersign_app::push::{Accepted, Asked, decide};
use countersign_app::repository::set_member;
use countersign_core::caller::Caller;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_git::lock::Hold;
use countersign_store::both;

use crate::floor::Floor;

const NONE: &str = "0000000000000000000000000000000000000000";

/// A push that was looked through waits for the refs, something happens, and it gets them.
async fn decided_after(
    floor: &Floor,
    (caller, line): (&Caller, String),
    meanwhile: impl Future<Output = ()>,
) -> Result<Accepted, Problem> {
    let git = &floor.test.app.git;
    let alone = git.lock(floor.repository, Hold::Exclusive).await.unwrap();
    let lock = git.lock_for_push(floor.repository).await.unwrap();
    let asked = Asked { updates: vec![line], quarantine: None };
    let wait = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        meanwhile.await;
        drop(alone);
    };
    let (decided, ()) = tokio::join!(decide(&floor.test.app, caller, &lock, asked), wait);
    let others = git.lock_within(floor.repository, Hold::Exclusive, Duration::from_millis(50)).await;
    assert_eq!(
        others.is_err(),
        decided.is_ok(),
        "the refs are kept by a push that may be made, and by no other"
    );
    decided
}

fn refused(decided: Result<Accepted, Problem>) -> String {
    decided.unwrap_err().message
}

impl Floor {
    /// A commit on top of `main` with one more file.
    fn with_file(&self, path: &str, message: &str) -> String {
        let blob = self.git_reading(message, &["hash-object", "-w", "--stdin"]);
        let mut tree = (blob, "100644 blob");
        for name in path.rsplit('/') {
            let (oid, kind) = tree;
            tree = (self.git_reading(&format!("{kind} {oid}\t{name}\n"), &["mktree"]), "040000 tree");
        }
        self.git(&["commit-tree", &tree.0, "-p", "main", "-m", message])
    }
}

both!(a_ref_that_moves_while_a_push_waits_for_the_refs_refuses_it, db, {
    let floor = Floor::lay(db).await;
    let base = floor.tip().await.to_string();
    let (one, two) = (floor.with_file("one", "one"), floor.with_file("two", "two"));
    floor.git(&["update-ref", "refs/heads/topic", &base]);
    let line = || (&floor.owner, format!("{base} {one} refs/heads/topic"));
    decided_after(&floor, line(), async {}).await.unwrap();
    let moves = async { drop(floor.git(&["update-ref", "refs/heads/topic", &two])) };
    let decided = decided_after(&floor, line(), moves).await;
    assert_eq!(refused(decided), "topic is not where this push has seen it.");
});

both!(a_role_that_is_taken_while_a_push_waits_for_the_refs_refuses_it, db, {
    let floor = Floor::lay(db).await;
    let base = floor.tip().await.to_string();
    let editor = floor.person(MemberRole::Editor).await;
    let line = || (&editor, format!("{NONE} {base} refs/heads/topic"));
    decided_after(&floor, line(), async {}).await.unwrap();
    let whom = (floor.repository, editor.person().unwrap());
    let takes = async {
        Box::pin(set_member(&floor.test.app, &floor.owner, whom, Some(MemberRole::Viewer))).await.unwrap();
    };
    let code = decided_after(&floor, line(), takes).await.unwrap_err().code;
    assert!([Code::RoleRequired, Code::NotFound].contains(&code), "{code:?}");
});

both!(what_becomes_new_while_a_push_waits_for_the_refs_is_looked_through, db, {
    let floor = Floor::lay(db).await;
    let editor = floor.person(MemberRole::Editor).await;
    let guarded = floor.with_file(".github/workflows/x.yml", "A maintainer's");
    let line = || (&editor, format!("{NONE} {guarded} refs/heads/topic"));
    let branch = async || drop(floor.git(&["update-ref", "refs/heads/ci", &guarded]));
    branch().await;
    decided_after(&floor, line(), async {}).await.unwrap();
    // Still led to, from elsewhere.
    let elsewhere = async {
        floor.git(&["update-ref", "refs/heads/next", &guarded]);
        floor.git(&["update-ref", "-d", "refs/heads/ci"]);
    };
    decided_after(&floor, line(), elsewhere).await.unwrap();
    branch().await;
    floor.git(&["update-ref", "-d", "refs/heads/next"]);
    // Led to by a child of it.
    let child = floor.git(&["commit-tree", &format!("{guarded}^{{tree}}"), "-p", &guarded, "-m", "child"]);
    let onwards = async { drop(floor.git(&["update-ref", "refs/heads/ci", &child])) };
    decided_after(&floor, line(), onwards).await.unwrap();
    let goes = async { drop(floor.git(&["update-ref", "-d", "refs/heads/ci"])) };
    let decided = decided_after(&floor, line(), goes).await;
    assert!(refused(decided).contains(".github/workflows/x.yml is protected"));
});
