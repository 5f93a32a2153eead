//! Personal access tokens: what they may do, how long, and how they end.

use countersign_app::token::{self, authenticate};
use countersign_core::caller::Principal;
use countersign_core::problem::Code;
use countersign_core::role::MemberRole;
use countersign_store::both;
use countersign_store::testing::person::disable;

use crate::fixture::{ADA, BOB, House, new_token};

const DAY: i64 = 24 * 3600;

both!(a_token_makes_its_persons_caller_with_its_scopes_alone, db, {
    let house = House::open(db).await;
    let ada = house.ada().await;
    let made = token::create(&house.app, &ada, new_token("repo:read api", DAY)).await.unwrap();
    assert!(made.secret.reveal().starts_with("cs_pat_"));
    let caller = authenticate(&house.app, made.secret.reveal()).await.unwrap().unwrap();
    assert_eq!((caller.person(), caller.workspace), (ada.person(), ada.workspace));
    let Principal::Token { id, scopes, .. } = caller.principal else { panic!("{:?}", caller.principal) };
    assert_eq!((id, scopes.to_string().as_str()), (made.token.id, "repo:read api"));
});

both!(a_token_is_made_in_the_sudo_window_and_one_that_decides_for_a_day_at_most, db, {
    let house = House::open(db).await;
    let ada = house.ada().await;
    let code = async |scopes: &str, lifetime| {
        let made = token::create(&house.app, &ada, new_token(scopes, lifetime)).await;
        made.err().map(|problem| problem.code)
    };
    assert_eq!(code("proposals:decide", DAY).await, None);
    assert_eq!(code("proposals:decide", DAY + 1).await, Some(Code::InvalidArguments));
    assert_eq!(code("api proposals:decide repo:read", DAY + 1).await, Some(Code::InvalidArguments));
    assert_eq!(code("api", 366 * DAY).await, None);
    assert_eq!(code("api", 366 * DAY + 1).await, Some(Code::InvalidArguments));
    assert_eq!(code("api", 59).await, Some(Code::InvalidArguments));
    assert_eq!(code("", DAY).await, Some(Code::InvalidArguments));
    house.test.clock.advance_seconds(600);
    assert_eq!(code("proposals:decide", DAY).await, Some(Code::SudoRequired));
    assert_eq!(code("api", DAY).await, Some(Code::SudoRequired), "what outlives the browser takes a proof");
});

both!(no_token_makes_another, db, {
    let house = House::open(db).await;
    let all = house.token("api repo:read repo:write proposals:decide").await;
    for scopes in ["repo:read", "proposals:decide"] {
        let refused = token::create(&house.app, &all, new_token(scopes, 3600)).await.unwrap_err();
        assert_eq!(refused.code, Code::TokenScopeDenied, "{scopes}");
    }
});

both!(a_token_ends_by_time_by_revoking_and_with_its_person, db, {
    let house = House::open(db.clone()).await;
    let bob = house.newcomer(BOB, MemberRole::Viewer).await;
    let make = async |scopes| token::create(&house.app, &bob, new_token(scopes, 3600)).await.unwrap();
    let works = async |secret: &str| authenticate(&house.app, secret).await.unwrap().is_some();
    let (one, two, three) = (make("api").await, make("api").await, make("api").await);
    token::revoke(&house.app, &bob, one.token.id).await.unwrap();
    assert_eq!((works(one.secret.reveal()).await, works(two.secret.reveal()).await), (false, true));
    token::revoke(&house.app, &bob, one.token.id).await.unwrap();
    house.test.clock.advance_seconds(3599);
    assert!(works(two.secret.reveal()).await);
    house.test.clock.advance_seconds(1);
    assert!(!works(two.secret.reveal()).await);
    let bob = house.person(BOB).await;
    let four = token::create(&house.app, &bob, new_token("api", 3600)).await.unwrap();
    assert!(works(four.secret.reveal()).await);
    disable(&db, BOB).await;
    assert!(!works(four.secret.reveal()).await && !works(three.secret.reveal()).await);
    for text in ["", "cs_pat_", &house.cookie] {
        assert!(!works(text).await, "{text}");
    }
});

both!(tokens_are_their_persons_own, db, {
    let house = House::open(db).await;
    let bob = house.newcomer(BOB, MemberRole::Owner).await;
    let ada = house.person(ADA).await;
    let made = token::create(&house.app, &ada, new_token("api", 3600)).await.unwrap();
    assert!(token::list(&house.app, &bob).await.unwrap().is_empty());
    assert_eq!(token::revoke(&house.app, &bob, made.token.id).await.unwrap_err().code, Code::NotFound);
    assert_eq!(token::list(&house.app, &ada).await.unwrap(), [made.token]);
    let git = house.token("repo:read repo:write proposals:decide").await;
    assert_eq!(token::list(&house.app, &git).await.unwrap_err().code, Code::TokenScopeDenied);
});

both!(the_last_use_is_known_to_the_minute, db, {
    let house = House::open(db).await;
    let ada = house.ada().await;
    let made = token::create(&house.app, &ada, new_token("api", 3600)).await.unwrap();
    let start = house.app.now();
    let used = async || token::list(&house.app, &ada).await.unwrap()[0].used_at;
    assert_eq!(used().await, None);
    for (step, noted) in [(0, 0), (59, 0), (1, 60), (1, 60)] {
        house.test.clock.advance_seconds(step);
        authenticate(&house.app, made.secret.reveal()).await.unwrap().unwrap();
        assert_eq!(used().await, Some(start.plus_seconds(noted)));
    }
});
