//! An approval lands once; everything else refuses with its own code.

use std::time::Duration;

use countersign_app::proposal::{approve, decline, withdraw};
use countersign_app::repository::{Change, change};
use countersign_core::problem::Code;
use countersign_core::proposal::ProposalState;
use countersign_store::both;

use crate::floor::Floor;

both!(an_approved_proposal_is_one_commit_and_replays, db, {
    let floor = Floor::lay(db).await;
    let (base, app) = (floor.tip().await, &floor.test.app);
    let id = floor.propose("key-0001", "docs/a.txt").await;
    let done = approve(app, &floor.owner, id).await.unwrap();
    assert_eq!((done.status, done.replayed), (ProposalState::Executed, false));
    assert_eq!(done.commit, Some(floor.tip().await.to_string()));
    let parent = floor.tip().await;
    let parent = app.git.with(floor.repository, move |repo| repo.first_parent(parent)).await.unwrap();
    assert_eq!(parent, Some(base));
    let again = approve(app, &floor.owner, id).await.unwrap();
    assert_eq!((again.commit, again.replayed), (done.commit, true));
});

both!(of_two_on_one_base_the_second_is_stale_with_both_ids, db, {
    let floor = Floor::lay(db).await;
    let (base, app) = (floor.tip().await, &floor.test.app);
    let (a, b) = (floor.propose("key-000a", "a.txt").await, floor.propose("key-000b", "b.txt").await);
    approve(app, &floor.owner, a).await.unwrap();
    for replayed in [false, true] {
        let stale = approve(app, &floor.owner, b).await.unwrap_err();
        assert_eq!(stale.code, Code::ProposalStale);
        assert_eq!(stale.facts["base_oid"], base.to_string());
        assert_eq!(stale.facts["branch_head"], floor.tip().await.to_string());
        assert_eq!(stale.facts["replayed"], replayed);
    }
});

both!(two_approvals_of_one_proposal_at_once_give_one_commit, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let id = floor.propose("key-0001", "a.txt").await;
    let (one, two) = tokio::join!(approve(app, &floor.owner, id), approve(app, &floor.owner, id));
    assert_eq!(one.unwrap().commit, two.unwrap().commit);
});

both!(an_agent_cannot_decide_whatever_its_scopes, db, {
    let floor = Floor::lay(db).await;
    let id = floor.propose("key-0001", "a.txt").await;
    let denied = approve(&floor.test.app, &floor.agent_caller(), id).await.unwrap_err();
    assert_eq!(denied.code, Code::AgentScopeDenied);
    let denied = decline(&floor.test.app, &floor.agent_caller(), id, String::new()).await.unwrap_err();
    assert_eq!(denied.code, Code::AgentScopeDenied);
});

both!(declined_withdrawn_and_expired_ones_refuse, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let declined = floor.propose("key-000d", "d.txt").await;
    decline(app, &floor.owner, declined, "No".into()).await.unwrap();
    assert_eq!(approve(app, &floor.owner, declined).await.unwrap_err().code, Code::ProposalDeclined);
    let withdrawn = floor.propose("key-000w", "w.txt").await;
    withdraw(app, &floor.agent_caller(), withdrawn).await.unwrap();
    assert_eq!(approve(app, &floor.owner, withdrawn).await.unwrap_err().code, Code::ProposalWithdrawn);
    let late = floor.propose("key-000e", "e.txt").await;
    floor.test.clock.advance_seconds(24 * 60 * 60);
    let refused = approve(app, &floor.owner, late).await;
    // The session's person is still known here; only the proposal ran out of time.
    assert_eq!(refused.unwrap_err().code, Code::ProposalExpired);
});

both!(a_repository_that_agents_no_longer_see_keeps_its_proposals_pending, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let id = floor.propose("key-0001", "a.txt").await;
    change(app, &floor.owner, floor.repository, Change { gitnest: Some(false), ..Change::default() })
        .await
        .unwrap();
    assert_eq!(approve(app, &floor.owner, id).await.unwrap_err().code, Code::NotInProject);
    change(app, &floor.owner, floor.repository, Change { gitnest: Some(true), ..Change::default() })
        .await
        .unwrap();
    approve(app, &floor.owner, id).await.unwrap();
});

both!(a_decision_is_carried_out_though_its_person_hangs_up, db, {
    let floor = Floor::lay(db).await;
    let (base, app) = (floor.tip().await, &floor.test.app);
    let id = floor.propose("key-0001", "a.txt").await;
    tokio::select! {
        biased;
        answer = approve(app, &floor.owner, id) => panic!("not at the first look: {answer:?}"),
        () = std::future::ready(()) => {}
    }
    // Nobody waits for the answer any more; it lands all the same.
    let landed = async {
        while floor.tip().await == base {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), landed).await.unwrap();
    assert!(approve(app, &floor.owner, id).await.unwrap().replayed);
});

both!(a_repository_that_cannot_be_locked_leaves_the_proposal_pending, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let id = floor.propose("key-0001", "a.txt").await;
    // A folder in the place of the lock file, as a disk that is read-only refuses to open it.
    let lock = app.git.root().join(format!("{}.lock", floor.repository));
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    assert!(approve(app, &floor.owner, id).await.is_err());
    // Still pending, so it can be declined, or approved once the folder is mended.
    std::fs::remove_dir(&lock).unwrap();
    assert!(!approve(app, &floor.owner, id).await.unwrap().replayed);
});
