//! A proposal is frozen once a key, and changes nothing in Git.

use countersign_core::problem::Code;
use countersign_store::both;

use crate::floor::Floor;

both!(the_same_key_and_body_give_the_first_receipt_again, db, {
    let floor = Floor::lay(db).await;
    let before = floor.tip().await;
    let first = floor.try_propose(floor.import("key-0001", "a.txt", "a\n")).await.unwrap();
    let again = floor.try_propose(floor.import("key-0001", "a.txt", "a\n")).await.unwrap();
    assert!(!first.replayed && again.replayed);
    assert_eq!(first.proposal_id, again.proposal_id);
    let other = floor.try_propose(floor.import("key-0001", "a.txt", "b\n")).await.unwrap_err();
    assert_eq!(other.code, Code::IdempotencyReused);
    assert_eq!(floor.tip().await, before);
});

both!(of_one_key_sent_twice_at_once_one_proposal_is_made, db, {
    let floor = Floor::lay(db).await;
    let (one, two) = tokio::join!(
        floor.try_propose(floor.import("key-0001", "a.txt", "a\n")),
        floor.try_propose(floor.import("key-0001", "a.txt", "a\n"))
    );
    assert_eq!(one.unwrap().proposal_id, two.unwrap().proposal_id);
});

both!(what_cannot_be_proposed_says_why, db, {
    let floor = Floor::lay(db).await;
    let mut import = floor.import("key-0001", "a.txt", "a\n");
    import.branch = "nowhere".into();
    assert_eq!(floor.try_propose(import).await.unwrap_err().code, Code::BranchNotFound);
    let mut import = floor.import("key-0001", "a.txt", "a\n");
    import.expected_base_oid = Some("0".repeat(40));
    let stale = floor.try_propose(import).await.unwrap_err();
    assert_eq!(stale.code, Code::StaleBase);
    assert_eq!(stale.facts["branch_head"], floor.tip().await.to_string());
    let refused = floor.try_propose(floor.import("key-0001", ".git/config", "x\n")).await.unwrap_err();
    assert_eq!((refused.code, refused.facts["rule"].as_str()), (Code::ProposalInvalid, Some("dot_git")));
    let same = floor.try_propose(floor.import("key-0001", "README.md", "# demo\n")).await.unwrap_err();
    assert_eq!(same.code, Code::NothingChanges);
});
