//! A new password for a person who lost theirs: who may set it, and what ends with the old one.

use countersign_app::member;
use countersign_core::caller::Caller;
use countersign_core::problem::Code;
use countersign_core::role::MemberRole;
use countersign_store::both;
use countersign_store::workspace::{Workspace, WorkspaceMember};

use crate::fixture::{ADA, BOB, House, NEXT, PASSWORD};

const ELSEWHERE: &str = "01900000-0000-7000-8000-0000000000ee";

async fn code(house: &House, caller: &Caller, mail: &str) -> Option<Code> {
    let input = house.new_password(mail, NEXT).await;
    member::set_password(&house.app, caller, input).await.err().map(|problem| problem.code)
}

both!(a_new_password_ends_the_old_one_and_every_session_of_the_person, db, {
    let house = House::open(db).await;
    house.newcomer(BOB, MemberRole::Viewer).await;
    let old = house.sign_in(BOB, PASSWORD).await.unwrap();
    assert_eq!(code(&house, &house.ada().await, BOB).await, None);
    assert!(house.view(old.session.reveal()).await.is_none(), "the session is over");
    assert_eq!(house.sign_in(BOB, PASSWORD).await.unwrap_err().code, Code::SignInFailed);
    let new = house.sign_in(BOB, NEXT).await.unwrap();
    assert!(house.view(new.session.reveal()).await.is_some());
    assert!(house.view(&house.cookie).await.is_some(), "nobody else's session is over");
});

both!(only_an_owner_of_the_workspace_who_could_countersign_sets_a_password, db, {
    let house = House::open(db).await;
    let owner_of_project = house.newcomer(BOB, MemberRole::Owner).await;
    let viewer = house.newcomer("carol@example.org", MemberRole::Viewer).await;
    let (api, decider) = (house.token("api").await, house.token("api proposals:decide").await);
    assert_eq!(code(&house, &owner_of_project, ADA).await, Some(Code::RoleRequired));
    assert_eq!(code(&house, &owner_of_project, BOB).await, Some(Code::RoleRequired), "not their own either");
    assert_eq!(code(&house, &viewer, BOB).await, Some(Code::RoleRequired));
    assert_eq!(code(&house, &api, BOB).await, Some(Code::TokenScopeDenied));
    assert_eq!(code(&house, &house.token("proposals:decide").await, BOB).await, Some(Code::TokenScopeDenied));
    let ada = house.ada().await;
    house.test.clock.advance_seconds(600);
    assert_eq!(code(&house, &ada, BOB).await, Some(Code::SudoRequired));
    house.sign_in(BOB, PASSWORD).await.expect("nothing was changed");
    assert_eq!(code(&house, &decider, BOB).await, None);
});

both!(a_password_that_opens_a_workspace_of_others_is_not_set, db, {
    let house = House::open(db.clone()).await;
    house.newcomer(BOB, MemberRole::Viewer).await;
    let user_id = house.new_password(BOB, NEXT).await.user.to_string();
    let inserted = db.write(move |t| {
        Box::pin(async move {
            let (name, slug) = ("Elsewhere".to_owned(), "elsewhere".to_owned());
            Workspace { id: ELSEWHERE.to_owned(), name, slug, created_at: 1 }.insert(t).await?;
            let (workspace_id, role) = (ELSEWHERE.to_owned(), "owner".to_owned());
            WorkspaceMember { workspace_id, user_id, role, created_at: i64::MAX }.insert(t).await
        })
    });
    inserted.await.unwrap();
    assert_eq!(code(&house, &house.ada().await, BOB).await, Some(Code::RoleRequired));
    house.sign_in(BOB, PASSWORD).await.expect("nothing was changed");
});

both!(a_password_keeps_the_rules_and_belongs_to_somebody, db, {
    let house = House::open(db).await;
    house.newcomer(BOB, MemberRole::Viewer).await;
    let ada = house.ada().await;
    let short = house.new_password(BOB, "elevenchars").await;
    assert_eq!(member::set_password(&house.app, &ada, short).await.unwrap_err().code, Code::InvalidArguments);
    let mut nobody = house.new_password(BOB, NEXT).await;
    nobody.user = countersign_core::id::UserId::parse(ELSEWHERE).unwrap();
    assert_eq!(member::set_password(&house.app, &ada, nobody).await.unwrap_err().code, Code::NotFound);
});
