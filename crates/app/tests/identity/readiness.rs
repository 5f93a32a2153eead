//! Whether the server says that it is ready, when its store takes no writes.

use countersign_app::readiness::check;
use countersign_core::problem::Code;
use countersign_store::both;
use countersign_store::testing::table::{put_back, take_away};

use crate::fixture::House;

both!(a_store_that_takes_no_writes_is_noticed_within_three_seconds_and_not_sooner, db, {
    let house = House::open(db.clone()).await;
    let (app, clock) = (&house.app, &house.test.clock);
    let seen = async || check(app).await.map_err(|problem| problem.code);
    assert_eq!(seen().await, Ok(()));
    take_away(&db, "pulse").await;
    clock.advance_seconds(2);
    assert_eq!(seen().await, Ok(()), "the verdict holds, and nothing is written");
    clock.advance_seconds(1);
    assert_eq!(seen().await, Err(Code::StoreUnavailable));
    put_back(&db, "pulse").await;
    assert_eq!(seen().await, Err(Code::StoreUnavailable), "the verdict holds, and nothing is written");
    clock.advance_seconds(3);
    assert_eq!((seen().await, seen().await), (Ok(()), Ok(())));
    clock.advance_seconds(-60);
    take_away(&db, "pulse").await;
    assert_eq!(seen().await, Err(Code::StoreUnavailable), "a clock that was set back hides nothing");
});
