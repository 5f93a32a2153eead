//! What was begun and cut short is finished by a second approve, and by the timer, without a restart.

use countersign_app::proposal::recover::resume;
use countersign_app::proposal::{approve, read_mine};
use countersign_core::id::ProposalId;
use countersign_core::proposal::ProposalState;
use countersign_store::both;

use crate::floor::Floor;

/// How far the one came who was cut short.
#[derive(Clone, Copy, Debug)]
enum Cut {
    BeforeRefs,
    BetweenRefs,
    BeforeFinish,
}

const CUTS: [Cut; 3] = [Cut::BeforeRefs, Cut::BetweenRefs, Cut::BeforeFinish];

/// A proposal that is `executing`, its commit, and the refs as whoever began it left them.
async fn begun(floor: &Floor, cut: Cut) -> (ProposalId, String) {
    let base = floor.tip().await.to_string();
    let id = floor.propose(&format!("key-{cut:?}"), &format!("{cut:?}.txt")).await;
    let commit = approve(&floor.test.app, &floor.owner, id).await.unwrap().commit.unwrap();
    floor
        .meddle("UPDATE proposal SET status = 'executing', finished_at = NULL WHERE id = $1", id.to_string())
        .await;
    if !matches!(cut, Cut::BeforeFinish) {
        floor.git(&["update-ref", "refs/heads/main", &base]);
    }
    if matches!(cut, Cut::BeforeRefs) {
        floor.git(&["update-ref", "-d", &format!("refs/proposals/{id}")]);
    }
    (id, commit)
}

both!(a_second_approve_finishes_what_was_cut_short_with_the_same_commit, db, {
    let floor = Floor::lay(db).await;
    for cut in CUTS {
        let (id, commit) = begun(&floor, cut).await;
        let done = approve(&floor.test.app, &floor.owner, id).await.unwrap();
        assert_eq!((done.status, done.replayed), (ProposalState::Executed, true), "{cut:?}");
        assert_eq!(done.commit.as_deref(), Some(commit.as_str()), "{cut:?}");
        assert_eq!(floor.tip().await.to_string(), commit, "{cut:?}");
    }
});

both!(the_timer_finishes_what_a_server_that_died_left, db, {
    let floor = Floor::lay(db).await;
    for cut in CUTS {
        let (id, commit) = begun(&floor, cut).await;
        resume(&floor.test.app).await.unwrap();
        let seen = read_mine(&floor.test.app, &floor.agent_caller(), id).await.unwrap();
        assert_eq!(seen.status, ProposalState::Executed, "{cut:?}");
        assert_eq!(floor.tip().await.to_string(), commit, "{cut:?}");
    }
});
