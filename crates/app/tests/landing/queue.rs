//! The queue in pages: what waits first, then what was decided last, each once, whatever is proposed and decided
//! meanwhile.

use countersign_app::proposal::view::ProposalRow;
use countersign_app::proposal::{decline, page};
use countersign_core::id::ProposalId;
use countersign_core::page::{Cursor, Part};
use countersign_core::proposal::ProposalState;
use countersign_store::both;

use crate::floor::Floor;

async fn read(
    floor: &Floor,
    status: Option<ProposalState>,
    limit: usize,
    after: Option<Cursor>,
) -> (Vec<ProposalRow>, Option<Cursor>) {
    let part = Part::new(Some(limit), after.map(|after| after.to_string()).as_deref()).unwrap();
    let slice = page(&floor.test.app, &floor.owner, status, part).await.unwrap();
    (slice.items, slice.next)
}

/// All of it, page by page.
async fn ids(floor: &Floor, status: Option<ProposalState>, limit: usize) -> Vec<ProposalId> {
    let (rows, mut next) = read(floor, status, limit, None).await;
    let mut ids: Vec<_> = rows.iter().map(|row| row.id).collect();
    while let Some(after) = next {
        let (rows, further) = read(floor, status, limit, Some(after)).await;
        assert!((1..=limit).contains(&rows.len()), "{}", rows.len());
        ids.extend(rows.iter().map(|row| row.id));
        next = further;
    }
    ids
}

both!(the_queue_is_read_page_by_page_and_each_stands_in_it_once, db, {
    let floor = Floor::lay(db).await;
    let mut made = Vec::new();
    for n in 0..6 {
        floor.test.clock.advance_seconds(1);
        made.push(floor.propose(&format!("key-000{n}"), &format!("{n}.txt")).await);
    }
    for n in [1, 3] {
        floor.test.clock.advance_seconds(1);
        decline(&floor.test.app, &floor.owner, made[n], "No.".into()).await.unwrap();
    }
    // The first one expires first; the one that was declined last was decided last.
    let whole = [0, 2, 4, 5, 3, 1].map(|n: usize| made[n]);
    for limit in [1, 2, 4, 5, 6] {
        assert_eq!(ids(&floor, None, limit).await, whole, "{limit}");
    }
    assert_eq!(ids(&floor, Some(ProposalState::Declined), 1).await, [made[3], made[1]]);
    assert_eq!(ids(&floor, Some(ProposalState::Pending), 3).await, whole[..4]);
    assert_eq!(ids(&floor, Some(ProposalState::Executed), 3).await, []);
});

both!(what_comes_meanwhile_moves_no_other_one, db, {
    let floor = Floor::lay(db).await;
    let mut made = Vec::new();
    for n in 0..4 {
        floor.test.clock.advance_seconds(1);
        made.push(floor.propose(&format!("key-000{n}"), &format!("{n}.txt")).await);
    }
    let (first, next) = read(&floor, None, 2, None).await;
    assert_eq!(first.iter().map(|row| row.id).collect::<Vec<_>>(), made[..2]);
    // One that was seen goes, and one comes at the end.
    decline(&floor.test.app, &floor.owner, made[0], "No.".into()).await.unwrap();
    floor.test.clock.advance_seconds(1);
    made.push(floor.propose("key-0009", "9.txt").await);
    let (second, _) = read(&floor, None, 2, next).await;
    assert_eq!(second.iter().map(|row| row.id).collect::<Vec<_>>(), made[2..4]);
});
