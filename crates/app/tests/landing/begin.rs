//! What an approval finds before it begins: a branch that is gone, time that ran out, a repository in other hands.

use std::time::Duration;

use countersign_app::proposal::read::read_mine;
use countersign_app::proposal::view::Reach;
use countersign_app::proposal::{approve, show};
use countersign_core::problem::Code;
use countersign_core::proposal::ProposalState;
use countersign_core::role::MemberRole;
use countersign_git::lock::Hold;
use countersign_store::{Error, both, event};

use crate::floor::Floor;

both!(one_that_is_stale_at_the_first_look_begins_nothing, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let (a, b) = (floor.propose("key-000a", "a.txt").await, floor.propose("key-000b", "b.txt").await);
    approve(app, &floor.owner, a).await.unwrap();
    approve(app, &floor.owner, b).await.unwrap_err();
    let repository = floor.repository;
    let log: Result<_, Error> = app.db.read(move |t| Box::pin(event::page(t, repository, 0, 100))).await;
    let of_b: Vec<_> = log.unwrap().into_iter().filter(|event| event.refs.contains(&b.to_string())).collect();
    let kinds: Vec<_> = of_b.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["proposal.created", "proposal.stale"]);
    // The record that is as durable as the change names who looked.
    let owner = floor.owner.person().unwrap().to_string();
    let found: Result<Vec<(String,)>, Error> = app
        .db
        .read(|t| Box::pin(t.all("SELECT detail FROM audit WHERE action = 'proposal.stale'", &[])))
        .await;
    assert!(matches!(&found.unwrap()[..], [(detail,)] if detail.contains(&owner)));
});

both!(a_branch_that_is_gone_is_stale_against_nothing, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let id = floor.propose("key-0001", "a.txt").await;
    floor.git(&["update-ref", "-d", "refs/heads/main"]);
    let stale = approve(app, &floor.owner, id).await.unwrap_err();
    assert_eq!((stale.code, &stale.facts["branch_head"]), (Code::ProposalStale, &serde_json::Value::Null));
    assert_eq!(show(app, &floor.owner, id, Reach::Changes).await.unwrap().row.state, ProposalState::Stale);
    assert_eq!(read_mine(app, &floor.agent_caller(), id).await.unwrap().branch_head, None);
});

both!(time_that_runs_out_while_the_repository_is_locked_has_run_out, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let id = floor.propose("key-0001", "a.txt").await;
    floor.test.clock.advance_seconds(24 * 60 * 60 - 1);
    let lock = app.git.lock(floor.repository, Hold::Exclusive).await.unwrap();
    let (app_in, owner) = (app.clone(), floor.owner.clone());
    let approving = tokio::spawn(async move { approve(&app_in, &owner, id).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    floor.test.clock.advance_seconds(2);
    drop(lock);
    assert_eq!(approving.await.unwrap().unwrap_err().code, Code::ProposalExpired);
});

both!(who_may_not_decide_does_not_wait_for_the_repository, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let id = floor.propose("key-0001", "a.txt").await;
    let viewer = floor.person(MemberRole::Viewer).await;
    let _lock = app.git.lock(floor.repository, Hold::Exclusive).await.unwrap();
    assert_eq!(approve(app, &viewer, id).await.unwrap_err().code, Code::DeciderLacksRole);
});

both!(a_connection_that_is_not_active_lands_nothing, db, {
    let floor = Floor::lay(db).await;
    let id = floor.propose("key-0001", "a.txt").await;
    // A revoke withdraws what is open; this one did not get that far.
    let sql = "UPDATE connection SET status = 'revoked' WHERE id = $1";
    floor.meddle(sql, floor.connection.to_string()).await;
    let refused = approve(&floor.test.app, &floor.owner, id).await.unwrap_err();
    assert_eq!(refused.code, Code::ConnectionRevoked);
});
