//! Personal access tokens and what they are worth.

use countersign_core::id::TokenId;
use countersign_store::token::{self, Token};
use countersign_store::{ByTime, Saved, both};

use crate::fixture::{ADA, AWAY, BOB, HOME, at, disable, id, insert_all, people, space, user};

fn key(n: u128, hash: u8) -> Token {
    Token {
        id: id(n),
        token_hash: vec![hash; 32],
        user_id: id(ADA),
        workspace_id: id(HOME),
        name: "laptop".to_owned(),
        scopes: "api".to_owned(),
        created_at: 1,
        expires_at: 2000,
        used_at: None,
        revoked_at: None,
    }
}

both!(a_token_lives_until_it_is_over_or_revoked, db, {
    people(&db).await;
    let rows = [
        key(30, 1),
        Token { expires_at: 1000, ..key(31, 2) },
        Token { revoked_at: Some(9), ..key(32, 3) },
        Token { user_id: id(BOB), workspace_id: id(AWAY), ..key(33, 4) },
    ];
    insert_all!(db, rows);
    let find = async |hash: u8| {
        db.read(move |t| Box::pin(async move { token::find_live(t, &[hash; 32], at(1000)).await }))
            .await
            .unwrap()
    };
    assert_eq!(find(1).await, Some((id(30), id(ADA), id(HOME), "api".to_owned(), None)));
    for (hash, why) in
        [(2, "over"), (3, "revoked"), (4, "its person is not in the workspace"), (5, "unknown")]
    {
        assert_eq!(find(hash).await, None, "{why}");
    }
    let list = db
        .read(|t| Box::pin(token::list_for(t, (user(ADA), space(HOME)), at(1000), ByTime::newest(), 9)))
        .await
        .unwrap();
    assert_eq!(list.into_iter().map(|row| row.id).collect::<Vec<_>>(), [id(30)]);
    disable(&db, ADA).await;
    assert_eq!(find(1).await, None, "its person may not sign in");
});

both!(a_token_is_revoked_by_its_own_person_once, db, {
    people(&db).await;
    insert_all!(db, [key(30, 1)]);
    let token_id = TokenId::parse(&id(30)).unwrap();
    let used = async |seen, ms| {
        db.write(move |t| Box::pin(token::save_used(t, token_id, seen, at(ms)))).await.unwrap()
    };
    assert_eq!((used(None, 5).await, used(None, 6).await), (Saved::Done(()), Saved::Changed));
    assert_eq!(used(Some(5), 7).await, Saved::Done(()));
    let revoke = async |n, w| {
        db.write(move |t| Box::pin(token::revoke(t, token_id, (user(n), space(w)), at(8)))).await.unwrap()
    };
    assert_eq!((revoke(BOB, HOME).await, revoke(ADA, AWAY).await), (Saved::Missing, Saved::Missing));
    assert_eq!((revoke(ADA, HOME).await, revoke(ADA, HOME).await), (Saved::Done(()), Saved::Changed));
});
