//! Members: who may add whom, who may change a role, and what it takes to make an account.

use countersign_app::member::{self, ChangedRole};
use countersign_app::project::{self, NewProject, Page};
use countersign_core::caller::Caller;
use countersign_core::id::ProjectId;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_store::both;
use countersign_store::testing::table::count;

use crate::fixture::{ADA, BOB, House, known, newcomer};

const CAROL: &str = "carol@example.org";

fn changed(project: ProjectId, mail: &str, role: MemberRole) -> ChangedRole {
    ChangedRole { project, mail: mail.to_owned(), role }
}

/// Carol is in the workspace by another project.
async fn carol_elsewhere(house: &House) -> ProjectId {
    let ada = house.person(ADA).await;
    let other = project::create(&house.app, &ada, NewProject { name: "Other".to_owned() }).await.unwrap().id;
    member::add(&house.app, &ada, newcomer(other, CAROL, MemberRole::Viewer)).await.unwrap();
    other
}

async fn add_code(house: &House, caller: &Caller, mail: &str) -> Option<Code> {
    let input = known(house.general, mail, MemberRole::Viewer);
    member::add(&house.app, caller, input).await.err().map(|problem| problem.code)
}

async fn make_code(house: &House, caller: &Caller, mail: &str) -> Option<Code> {
    let input = newcomer(house.general, mail, MemberRole::Viewer);
    member::add(&house.app, caller, input).await.err().map(|problem| problem.code)
}

async fn role_code(house: &House, caller: &Caller, mail: &str) -> Option<Code> {
    let input = changed(house.general, mail, MemberRole::Editor);
    member::set_role(&house.app, caller, input).await.err().map(|problem| problem.code)
}

both!(each_role_may_change_members_as_far_as_it_reaches, db, {
    let house = House::open(db).await;
    let other = carol_elsewhere(&house).await;
    house.newcomer("target@example.org", MemberRole::Viewer).await;
    let refused = Some(Code::RoleRequired);
    // add somebody of the workspace, make an account, change a role
    let matrix = [
        (Some(MemberRole::Viewer), [refused, refused, refused]),
        (Some(MemberRole::Editor), [refused, refused, refused]),
        (Some(MemberRole::Maintainer), [refused, refused, refused]),
        (None, [Some(Code::NotFound), Some(Code::NotFound), Some(Code::NotFound)]),
        (Some(MemberRole::Owner), [None, refused, None]),
    ];
    for (n, (role, expected)) in matrix.into_iter().enumerate() {
        let mail = format!("{n}@example.org");
        let caller = if let Some(role) = role {
            house.newcomer(&mail, role).await
        } else {
            let ada = house.person(ADA).await;
            member::add(&house.app, &ada, newcomer(other, &mail, MemberRole::Owner)).await.unwrap();
            house.person(&mail).await
        };
        let codes = [
            add_code(&house, &caller, CAROL).await,
            make_code(&house, &caller, "new@example.org").await,
            role_code(&house, &caller, "target@example.org").await,
        ];
        assert_eq!(codes, expected, "{role:?}");
    }
    let ada = house.person(ADA).await;
    assert_eq!(make_code(&house, &ada, "new@example.org").await, None);
    assert_eq!(role_code(&house, &ada, CAROL).await, None);
});

both!(a_changed_role_counts_at_the_very_next_call, db, {
    let house = House::open(db).await;
    carol_elsewhere(&house).await;
    let bob = house.newcomer(BOB, MemberRole::Owner).await;
    let ada = house.ada().await;
    member::set_role(&house.app, &ada, changed(house.general, BOB, MemberRole::Viewer)).await.unwrap();
    assert_eq!(add_code(&house, &bob, CAROL).await, Some(Code::RoleRequired));
    let list = project::list(&house.app, &bob, Page::default()).await.unwrap();
    assert_eq!(list.projects[0].role, MemberRole::Viewer);
});

both!(an_account_is_made_by_who_could_countersign_and_by_nobody_less, db, {
    let house = House::open(db.clone()).await;
    let api = house.token("api").await;
    let decider = house.token("api proposals:decide").await;
    let fresh = house.ada().await;
    house.test.clock.advance_seconds(600);
    let old = house.ada().await;
    assert_eq!(make_code(&house, &api, BOB).await, Some(Code::TokenScopeDenied));
    assert_eq!(make_code(&house, &old, BOB).await, Some(Code::SudoRequired));
    assert_eq!(
        make_code(&house, &fresh, BOB).await,
        Some(Code::SudoRequired),
        "the window counts from the proof"
    );
    assert_eq!(count(&db, "person").await, 1);
    assert_eq!(make_code(&house, &decider, BOB).await, None);
    assert_eq!(make_code(&house, &house.person(ADA).await, CAROL).await, None);
    assert_eq!(count(&db, "person").await, 3);
});

both!(an_account_that_exists_is_added_without_a_password_and_once, db, {
    let house = House::open(db).await;
    let ada = house.person(ADA).await;
    assert_eq!(add_code(&house, &ada, BOB).await, Some(Code::NotFound));
    house.newcomer(BOB, MemberRole::Viewer).await;
    assert_eq!(make_code(&house, &ada, BOB).await, Some(Code::InvalidArguments), "no password is replaced");
    assert_eq!(add_code(&house, &ada, "Bob@Example.ORG").await, Some(Code::NameTaken));
    assert_eq!(role_code(&house, &ada, CAROL).await, Some(Code::NotFound));
    assert_eq!(add_code(&house, &ada, "no address").await, Some(Code::InvalidArguments));
});

both!(of_two_accounts_for_one_address_one_is_made, db, {
    let house = House::open(db.clone()).await;
    let ada = house.person(ADA).await;
    let make = || member::add(&house.app, &ada, newcomer(house.general, BOB, MemberRole::Viewer));
    let (one, two) = tokio::join!(make(), make());
    assert_eq!([one, two].iter().filter(|answer| answer.is_ok()).count(), 1);
    assert_eq!((count(&db, "person").await, count(&db, "project_member").await), (2, 1));
});

both!(who_is_taken_off_a_project_is_in_it_no_more_at_the_very_next_call, db, {
    let house = House::open(db).await;
    let bob = house.newcomer(BOB, MemberRole::Owner).await;
    let carol = house.newcomer(CAROL, MemberRole::Maintainer).await;
    let (app, user) = (&house.app, bob.person().unwrap());
    let code = |result: Result<(), Problem>| result.err().map(|problem| problem.code);
    assert_eq!(code(member::remove(app, &carol, house.general, user).await), Some(Code::RoleRequired));
    let ada = house.person(ADA).await;
    member::remove(app, &ada, house.general, user).await.unwrap();
    assert!(project::list(app, &bob, Page::default()).await.unwrap().projects.is_empty());
    assert_eq!(code(member::remove(app, &bob, house.general, user).await), Some(Code::NotFound));
    assert_eq!(code(member::remove(app, &ada, house.general, user).await), Some(Code::NotFound));
});
