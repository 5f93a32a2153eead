//! Several owners: who makes one, that one is always left, and what shutting somebody out ends.

use countersign_app::token;
use countersign_app::workspace::{self, disable, enable, set_role};
use countersign_core::caller::Caller;
use countersign_core::id::UserId;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::{MemberRole, WorkspaceRole};
use countersign_store::both;
use countersign_store::testing::table::count;

use crate::fixture::{ADA, BOB, House, PASSWORD, new_token};

const CAROL: &str = "carol@example.org";
const OWNERS: &str = "workspace_member m JOIN person p ON p.id = m.user_id \
    WHERE m.role = 'owner' AND p.disabled_at IS NULL";

fn user(caller: &Caller) -> UserId {
    caller.person().unwrap()
}

fn code(result: Result<(), Problem>) -> Option<Code> {
    result.err().map(|problem| problem.code)
}

/// Ada, and Bob whom she made an owner too.
async fn two(house: &House) -> (Caller, Caller) {
    let bob = house.newcomer(BOB, MemberRole::Viewer).await;
    let ada = house.person(ADA).await;
    set_role(&house.app, &ada, user(&bob), WorkspaceRole::Owner).await.unwrap();
    (ada, bob)
}

both!(an_owner_makes_another_one_and_unmakes_them, db, {
    let house = House::open(db).await;
    let (ada, bob) = two(&house).await;
    let people = workspace::people(&house.app, &bob).await.unwrap();
    let roles: Vec<_> = people.iter().map(|person| (person.mail.as_str(), person.role)).collect();
    assert_eq!(roles, [(ADA, WorkspaceRole::Owner), (BOB, WorkspaceRole::Owner)]);
    set_role(&house.app, &bob, user(&ada), WorkspaceRole::Member).await.unwrap();
    let refused = set_role(&house.app, &ada, user(&bob), WorkspaceRole::Member).await;
    assert_eq!(code(refused), Some(Code::RoleRequired), "it counts at the very next call");
});

both!(only_owners_who_prove_themselves_change_people, db, {
    let house = House::open(db).await;
    let carol = house.newcomer(CAROL, MemberRole::Owner).await;
    let app = &house.app;
    for result in [
        set_role(app, &carol, user(&carol), WorkspaceRole::Owner).await,
        disable(app, &carol, user(&house.ada().await)).await,
        enable(app, &carol, user(&carol)).await,
        workspace::people(app, &carol).await.map(|_| ()),
    ] {
        assert_eq!(code(result), Some(Code::RoleRequired));
    }
    let api = house.token("api").await;
    assert_eq!(
        code(set_role(app, &api, user(&carol), WorkspaceRole::Owner).await),
        Some(Code::TokenScopeDenied)
    );
    house.test.clock.advance_seconds(600);
    let stale = house.ada().await;
    for result in [
        set_role(app, &stale, user(&carol), WorkspaceRole::Owner).await,
        disable(app, &stale, user(&carol)).await,
        enable(app, &stale, user(&carol)).await,
    ] {
        assert_eq!(code(result), Some(Code::SudoRequired));
    }
});

both!(the_last_owner_stays_one, db, {
    let house = House::open(db.clone()).await;
    let (ada, bob) = two(&house).await;
    set_role(&house.app, &ada, user(&bob), WorkspaceRole::Member).await.unwrap();
    let last = set_role(&house.app, &ada, user(&ada), WorkspaceRole::Member).await;
    assert_eq!(code(last), Some(Code::LastOwner));
    assert_eq!(count(&db, OWNERS).await, 1);
});

both!(an_owner_who_is_shut_out_is_no_owner_to_leave_behind, db, {
    let house = House::open(db.clone()).await;
    let (ada, bob) = two(&house).await;
    disable(&house.app, &ada, user(&bob)).await.unwrap();
    let last = set_role(&house.app, &ada, user(&ada), WorkspaceRole::Member).await;
    assert_eq!(code(last), Some(Code::LastOwner));
    enable(&house.app, &ada, user(&bob)).await.unwrap();
    set_role(&house.app, &ada, user(&ada), WorkspaceRole::Member).await.unwrap();
    assert_eq!(count(&db, OWNERS).await, 1);
});

both!(of_two_owners_who_step_down_at_once_one_stays, db, {
    let house = House::open(db.clone()).await;
    let (ada, bob) = two(&house).await;
    for _ in 0..10 {
        let (one, two) = tokio::join!(
            set_role(&house.app, &ada, user(&ada), WorkspaceRole::Member),
            set_role(&house.app, &bob, user(&bob), WorkspaceRole::Member),
        );
        let (one, two) = (code(one), code(two));
        assert_eq!(count(&db, OWNERS).await, 1, "{one:?} {two:?}");
        let (left, gone) = if one.is_none() { (&bob, &ada) } else { (&ada, &bob) };
        set_role(&house.app, left, user(gone), WorkspaceRole::Owner).await.unwrap();
    }
});

both!(of_two_owners_who_demote_or_shut_out_each_other_at_once_one_stays, db, {
    let house = House::open(db.clone()).await;
    let (ada, bob) = two(&house).await;
    for _ in 0..5 {
        let (one, two) = tokio::join!(
            set_role(&house.app, &ada, user(&bob), WorkspaceRole::Member),
            set_role(&house.app, &bob, user(&ada), WorkspaceRole::Member),
        );
        assert_eq!(count(&db, OWNERS).await, 1);
        let (left, gone) = if one.is_ok() { (&ada, &bob) } else { (&bob, &ada) };
        assert!(one.is_ok() != two.is_ok());
        set_role(&house.app, left, user(gone), WorkspaceRole::Owner).await.unwrap();
        let (one, two) =
            tokio::join!(disable(&house.app, &ada, user(&bob)), disable(&house.app, &bob, user(&ada)));
        assert_eq!(count(&db, OWNERS).await, 1);
        let (left, gone) = if one.is_ok() { (&ada, &bob) } else { (&bob, &ada) };
        assert!(one.is_ok() != two.is_ok());
        enable(&house.app, left, user(gone)).await.unwrap();
    }
});

both!(shutting_somebody_out_ends_their_sessions_and_tokens_for_good, db, {
    let house = House::open(db).await;
    let bob = house.newcomer(BOB, MemberRole::Editor).await;
    let cookie = house.sign_in(BOB, PASSWORD).await.unwrap().session.reveal().to_owned();
    let made = token::create(&house.app, &bob, new_token("api", 3600)).await.unwrap();
    let secret = made.secret.reveal();
    let ada = house.person(ADA).await;
    disable(&house.app, &ada, user(&bob)).await.unwrap();
    disable(&house.app, &ada, user(&bob)).await.unwrap();
    assert!(house.view(&cookie).await.is_none());
    assert!(token::authenticate(&house.app, secret).await.unwrap().is_none());
    assert_eq!(house.sign_in(BOB, PASSWORD).await.unwrap_err().code, Code::SignInFailed);
    let listed = workspace::people(&house.app, &ada).await.unwrap();
    assert_eq!(listed.iter().filter(|person| person.disabled_at.is_some()).count(), 1);
    enable(&house.app, &ada, user(&bob)).await.unwrap();
    assert!(house.view(&cookie).await.is_none());
    assert!(token::authenticate(&house.app, secret).await.unwrap().is_none());
    assert!(house.sign_in(BOB, PASSWORD).await.is_ok());
});

both!(nobody_shuts_themselves_out, db, {
    let house = House::open(db).await;
    let (ada, _) = two(&house).await;
    assert_eq!(code(disable(&house.app, &ada, user(&ada)).await), Some(Code::RoleRequired));
});

both!(who_is_in_another_workspace_too_is_shut_out_by_no_owner_of_one, db, {
    let house = House::open(db.clone()).await;
    let bob = house.newcomer(BOB, MemberRole::Editor).await;
    let person = user(&bob).to_string();
    let moved: Result<_, countersign_store::Error> = db
        .write(move |t| {
            Box::pin(async move {
                let workspace = "01900000-0000-7000-8000-0000000000ee";
                let made =
                    "INSERT INTO workspace (id, name, slug, created_at) VALUES ($1, 'Other', 'other', 9)";
                t.exec(made, &[&workspace]).await?;
                let joined = "INSERT INTO workspace_member (workspace_id, user_id, role, created_at) \
                    VALUES ($1, $2, 'member', 9000000000000)";
                t.exec(joined, &[&workspace, &person]).await
            })
        })
        .await;
    moved.unwrap();
    let ada = house.person(ADA).await;
    assert_eq!(code(disable(&house.app, &ada, user(&bob)).await), Some(Code::RoleRequired));
    assert!(house.sign_in(BOB, PASSWORD).await.is_ok());
});
