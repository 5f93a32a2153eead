//! A proposal is closed once; the same step again answers the same, another one refuses.

use countersign_app::proposal::{approve, decline, expire_due, read_mine, withdraw};
use countersign_core::problem::Code;
use countersign_core::proposal::ProposalState;
use countersign_store::both;

use crate::floor::Floor;

both!(a_decline_can_be_repeated_and_nothing_else_follows, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let id = floor.propose("key-0001", "a.txt").await;
    let first = decline(app, &floor.owner, id, "Not now".into()).await.unwrap();
    let again = decline(app, &floor.owner, id, "Other words".into()).await.unwrap();
    assert!(!first.replayed && again.replayed);
    let facts = read_mine(app, &floor.agent_caller(), id).await.unwrap();
    assert_eq!(facts.reason.as_deref(), Some("Not now"));
    let refused = withdraw(app, &floor.agent_caller(), id).await.unwrap_err();
    assert_eq!(
        (refused.code, refused.facts["status"].as_str()),
        (Code::ProposalNotPending, Some("declined"))
    );
});

both!(a_reason_or_a_key_that_no_store_holds_alike_is_refused, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let id = floor.propose("key-0001", "a.txt").await;
    for bad in ["a\0b", "\u{1b}[31m", "a\rb", "\u{202e}"] {
        let refused = decline(app, &floor.owner, id, bad.into()).await.unwrap_err();
        assert_eq!((refused.code, &refused.facts["field"]), (Code::InvalidArguments, &"reason".into()));
        let import = floor.import(&format!("key-0002{bad}"), "b.txt", "b\n");
        let refused = floor.try_propose(import).await.unwrap_err();
        assert_eq!(
            (refused.code, &refused.facts["field"]),
            (Code::InvalidArguments, &"idempotency_key".into())
        );
    }
    decline(app, &floor.owner, id, "One\r\n\ttwo".into()).await.unwrap();
    let facts = read_mine(app, &floor.agent_caller(), id).await.unwrap();
    assert_eq!(facts.reason.as_deref(), Some("One\n\ttwo"));
});

both!(an_executed_one_is_neither_declined_nor_withdrawn, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let id = floor.propose("key-0001", "a.txt").await;
    approve(app, &floor.owner, id).await.unwrap();
    let refused = decline(app, &floor.owner, id, String::new()).await.unwrap_err();
    assert_eq!(refused.code, Code::ProposalNotPending);
    let refused = withdraw(app, &floor.agent_caller(), id).await.unwrap_err();
    assert_eq!(refused.code, Code::ProposalNotPending);
});

both!(the_timer_expires_what_is_due_and_only_that, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let old = floor.propose("key-0001", "a.txt").await;
    floor.test.clock.advance_seconds(12 * 60 * 60);
    let young = floor.propose("key-0002", "b.txt").await;
    floor.test.clock.advance_seconds(12 * 60 * 60);
    assert_eq!(expire_due(app).await.unwrap(), 1);
    assert_eq!(read_mine(app, &floor.agent_caller(), old).await.unwrap().status, ProposalState::Expired);
    assert_eq!(read_mine(app, &floor.agent_caller(), young).await.unwrap().status, ProposalState::Pending);
    assert_eq!(expire_due(app).await.unwrap(), 0);
});
