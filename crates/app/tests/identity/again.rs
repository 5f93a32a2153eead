//! What let a call in is asked for again in the transaction of what it changes: whoever lost it in between changes
//! nothing.

use countersign_app::gate::{Action, Effect, Found, Need, Permit, enter};
use countersign_app::member::{self, ChangedRole};
use countersign_app::session;
use countersign_app::token;
use countersign_core::caller::{Caller, Principal};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_store::testing::person::disable;
use countersign_store::{both, person};

use crate::fixture::{ADA, BOB, House, LOOPBACK, NEXT, PASSWORD, typed};

const CHANGE: Action =
    Action { name: "test.change", need: Need::Person(TokenScope::Api), effect: Effect::Write };

/// A call that has passed the gate for something that takes an owner of General, and has changed nothing yet.
async fn passed(house: &House, caller: &Caller) -> Permit<()> {
    let general = house.general;
    let found = move || Found::project((), general, MemberRole::Owner);
    enter(&house.app, caller, CHANGE, move |_| Box::pin(async move { Ok(found()) })).await.unwrap()
}

/// Makes Ada's password one that opens nothing, as what the call would change.
async fn change(house: &House, permit: &Permit<()>) -> Result<(), Problem> {
    let hash = "changed".to_owned();
    let asked = permit.write(&house.app, move |t| {
        Box::pin(async move {
            let ada = person::find_by_mail(t, ADA).await?.unwrap();
            let id = countersign_core::id::UserId::parse(&ada.id).unwrap();
            let _ = person::save_password(t, id, &ada.password_hash, &hash).await?;
            Ok(())
        })
    });
    asked.await
}

async fn changed_nothing(house: &House, permit: &Permit<()>, code: Code) {
    assert_eq!(change(house, permit).await.unwrap_err().code, code);
    house.sign_in(ADA, PASSWORD).await.unwrap();
}

both!(a_session_that_ends_while_its_call_waits_changes_nothing, db, {
    let house = House::open(db).await;
    let permit = passed(&house, &house.ada().await).await;
    session::sign_out(&house.app, &house.cookie).await.unwrap();
    changed_nothing(&house, &permit, Code::Unauthenticated).await;
});

both!(a_token_that_is_revoked_while_its_call_waits_changes_nothing, db, {
    let house = House::open(db).await;
    let caller = house.token("api").await;
    let permit = passed(&house, &caller).await;
    let Principal::Token { id, .. } = caller.principal else { panic!("{:?}", caller.principal) };
    token::revoke(&house.app, &house.person(ADA).await, id).await.unwrap();
    changed_nothing(&house, &permit, Code::Unauthenticated).await;
});

both!(who_is_shut_out_while_their_call_waits_changes_nothing, db, {
    let house = House::open(db.clone()).await;
    let bob = house.newcomer(BOB, MemberRole::Owner).await;
    let permit = passed(&house, &bob).await;
    disable(&db, BOB).await;
    changed_nothing(&house, &permit, Code::Unauthenticated).await;
});

both!(who_loses_the_role_while_their_call_waits_changes_nothing, db, {
    let house = House::open(db).await;
    let bob = house.newcomer(BOB, MemberRole::Owner).await;
    let permit = passed(&house, &bob).await;
    let lesser = ChangedRole { project: house.general, mail: BOB.to_owned(), role: MemberRole::Viewer };
    member::set_role(&house.app, &house.ada().await, lesser).await.unwrap();
    changed_nothing(&house, &permit, Code::RoleRequired).await;
});

both!(who_stands_as_they_did_changes_it, db, {
    let house = House::open(db).await;
    let permit = passed(&house, &house.ada().await).await;
    change(&house, &permit).await.unwrap();
    assert!(house.sign_in(ADA, PASSWORD).await.is_err(), "it was changed");
});

both!(no_session_begins_by_a_password_that_is_changed_while_it_is_looked_at, db, {
    let house = House::open(db).await;
    // However the two meet, no session of the old password is left.
    for turn in 0..8 {
        let (old, new) = if turn % 2 == 0 { (PASSWORD, NEXT) } else { (NEXT, PASSWORD) };
        let ada = session::by_password(&house.app, LOOPBACK, typed(ADA, old)).await.unwrap();
        let change = house.new_password(ADA, new).await;
        let (signed, changed) =
            tokio::join!(house.sign_in(ADA, old), member::set_password(&house.app, &ada, change));
        changed.unwrap();
        if let Ok(signed) = signed {
            assert!(house.view(signed.session.reveal()).await.is_none(), "it outlives its password");
        }
        house.test.clock.advance_seconds(120);
    }
});
