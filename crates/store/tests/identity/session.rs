//! Sessions of people in a browser.

use countersign_store::session::{self, Clock, Session};
use countersign_store::{Saved, both};

use crate::fixture::{ADA, BOB, HOME, at, disable, id, insert_all, people, user};

const NOW: Clock = Clock { now: at(1000), idle_since: at(500) };

fn signed_in(hash: u8) -> Session {
    Session {
        token_hash: vec![hash; 32],
        user_id: id(ADA),
        csrf: "csrf".to_owned(),
        created_at: 400,
        seen_at: 600,
        proved_at: 400,
        expires_at: 2000,
        revoked_at: None,
    }
}

both!(a_session_lives_until_it_is_idle_over_or_revoked, db, {
    people(&db).await;
    let rows = [
        signed_in(1),
        Session { seen_at: 500, ..signed_in(2) },
        Session { expires_at: 1000, ..signed_in(3) },
        Session { revoked_at: Some(700), ..signed_in(4) },
    ];
    insert_all!(db, rows);
    let find = async |hash: u8| {
        db.read(move |t| Box::pin(async move { session::find_live(t, &[hash; 32], NOW).await }))
            .await
            .unwrap()
    };
    let live = find(1).await.unwrap();
    assert_eq!((live.user_id, live.workspace_id, live.role.as_str()), (id(ADA), id(HOME), "owner"));
    assert_eq!((live.workspace_slug.as_str(), live.seen_at, live.proved_at), ("home", 600, 400));
    for (hash, why) in [(2, "idle"), (3, "over"), (4, "revoked"), (5, "unknown")] {
        assert_eq!(find(hash).await, None, "{why}");
    }
    disable(&db, ADA).await;
    assert_eq!(find(1).await, None, "its person may not sign in");
});

both!(a_session_ends_once_and_its_use_is_noted_once, db, {
    people(&db).await;
    insert_all!(db, [signed_in(1)]);
    let seen = async |from, ms| {
        db.write(move |t| Box::pin(async move { session::save_seen(t, &[1; 32], from, at(ms)).await }))
            .await
            .unwrap()
    };
    assert_eq!((seen(600, 900).await, seen(600, 901).await), (Saved::Done(()), Saved::Changed));
    let revoke = async |hash: u8| {
        db.write(move |t| Box::pin(async move { session::revoke(t, &[hash; 32], at(950)).await }))
            .await
            .unwrap()
    };
    let ends = (revoke(1).await, revoke(1).await, revoke(2).await);
    assert_eq!(ends, (Saved::Done(()), Saved::Changed, Saved::Missing));
});

both!(sessions_that_are_over_are_forgotten, db, {
    people(&db).await;
    insert_all!(db, [signed_in(1), Session { user_id: id(BOB), ..signed_in(2) }]);
    let forget =
        async |ms| db.write(move |t| Box::pin(session::forget_expired(t, user(ADA), at(ms)))).await.unwrap();
    assert_eq!((forget(1999).await, forget(2000).await, forget(2000).await), (0, 1, 0));
});

both!(all_sessions_of_a_person_end_at_once_and_no_others, db, {
    people(&db).await;
    let bobs = Session { user_id: id(BOB), ..signed_in(3) };
    insert_all!(db, [signed_in(1), signed_in(2), bobs, Session { revoked_at: Some(7), ..signed_in(4) }]);
    let revoke = async || db.write(|t| Box::pin(session::revoke_all(t, user(ADA), at(950)))).await.unwrap();
    assert_eq!((revoke().await, revoke().await), (2, 0));
    let live = async |hash: u8| {
        let found = db.read(move |t| Box::pin(async move { session::find_live(t, &[hash; 32], NOW).await }));
        found.await.unwrap().is_some()
    };
    assert_eq!((live(1).await, live(2).await, live(3).await), (false, false, true));
});
