//! The one-time link.

use countersign_store::{Saved, both, setup};

use crate::fixture::at;

both!(a_link_is_offered_anew_until_one_is_claimed, db, {
    let offer = async |hash: u8, ms| {
        db.write(move |t| Box::pin(async move { setup::offer(t, &[hash; 32], at(ms)).await })).await.unwrap()
    };
    let claim = async |hash: u8, ms| {
        db.write(move |t| Box::pin(async move { setup::claim(t, &[hash; 32], at(ms)).await })).await.unwrap()
    };
    assert_eq!(claim(1, 1).await, Saved::Missing);
    assert_eq!(offer(1, 2).await, Saved::Done(()));
    assert_eq!(offer(2, 3).await, Saved::Done(()));
    assert_eq!(claim(1, 4).await, Saved::Changed, "the first link was replaced");
    assert_eq!(claim(2, 5).await, Saved::Done(()));
    assert_eq!(claim(2, 6).await, Saved::Changed);
    assert_eq!(offer(3, 7).await, Saved::Changed);
    let row = db.read(|t| Box::pin(setup::find(t))).await.unwrap().unwrap();
    assert_eq!((row.token_hash, row.created_at, row.used_at), (vec![2; 32], 3, Some(5)));
});
