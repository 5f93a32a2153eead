//! The audit log: every change stands in it or did not happen, and no secret stands in it.

use countersign_app::member::{self, ChangedRole};
use countersign_app::project::{self, NewProject};
use countersign_app::testing::TestApp;
use countersign_app::{session, setup, token};
use countersign_core::id::WorkspaceId;
use countersign_core::role::MemberRole;
use countersign_store::audit::{self, Audit, Cursor};
use countersign_store::both;
use countersign_store::testing::table::{count, put_back, take_away};

use crate::fixture::{
    ADA, BOB, House, LOOPBACK, NEXT, PASSWORD, claim, new_token, newcomer, offer, password, typed,
};

async fn log(house: &House, workspace: WorkspaceId) -> Vec<Audit> {
    house.app.close().await;
    let newest = Cursor::newest();
    let rows = house
        .db
        .read(move |t| Box::pin(async move { audit::of_workspace(t, workspace, &newest, 100).await }));
    rows.await.unwrap()
}

/// Does one of each change as Ada.
async fn change_everything(house: &House) {
    let ada = house.person(ADA).await;
    house.sign_in(ADA, PASSWORD).await.unwrap();
    let proved = session::prove(&house.app, LOOPBACK, &house.cookie, password(PASSWORD)).await.unwrap();
    session::sign_out(&house.app, proved.session.reveal()).await.unwrap();
    project::create(&house.app, &ada, NewProject { name: "Alpha".to_owned() }).await.unwrap();
    member::add(&house.app, &ada, newcomer(house.general, BOB, MemberRole::Viewer)).await.unwrap();
    let role = ChangedRole { project: house.general, mail: BOB.to_owned(), role: MemberRole::Editor };
    member::set_role(&house.app, &ada, role).await.unwrap();
    member::set_password(&house.app, &ada, house.new_password(BOB, NEXT).await).await.unwrap();
    let made = token::create(&house.app, &ada, new_token("proposals:decide", 60)).await.unwrap();
    token::revoke(&house.app, &ada, made.token.id).await.unwrap();
}

both!(every_change_stands_in_the_audit_log, db, {
    let house = House::open(db).await;
    let workspace = house.ada().await.workspace.unwrap();
    change_everything(&house).await;
    house.sign_in(ADA, "wrong horse battery").await.unwrap_err();
    let rows = log(&house, workspace).await;
    let mut lines: Vec<_> = rows.iter().map(|row| format!("{} {}", row.action, row.outcome)).collect();
    lines.sort_unstable();
    let expected = [
        "member.add done",
        "member.password done",
        "member.role done",
        "project.create done",
        "project.list done",
        "session.prove done",
        "session.sign_in done",
        "session.sign_in refused",
        "session.sign_out done",
        "setup.claim done",
        "token.create done",
        "token.revoke done",
    ];
    assert_eq!(lines, expected);
    let made = rows.iter().find(|row| row.action == "token.create").unwrap();
    assert!(made.detail.contains(r#""decides":true"#), "{}", made.detail);
});

both!(a_change_without_its_audit_record_does_not_happen, db, {
    let house = House::open(db.clone()).await;
    let ada = house.person(ADA).await;
    house.newcomer(BOB, MemberRole::Viewer).await;
    let made = token::create(&house.app, &ada, new_token("api", 3600)).await.unwrap();
    let tables = ["person", "project", "project_member", "workspace_member", "session", "token"];
    let mut before = Vec::new();
    for table in tables {
        before.push(count(&db, table).await);
    }
    take_away(&db, "audit").await;
    let app = &house.app;
    house.sign_in(ADA, PASSWORD).await.unwrap_err();
    session::prove(app, LOOPBACK, &house.cookie, password(PASSWORD)).await.unwrap_err();
    session::sign_out(app, &house.cookie).await.unwrap_err();
    project::create(app, &ada, NewProject { name: "Alpha".to_owned() }).await.unwrap_err();
    let carol = "carol@example.org";
    member::add(app, &ada, newcomer(house.general, carol, MemberRole::Viewer)).await.unwrap_err();
    let role = ChangedRole { project: house.general, mail: BOB.to_owned(), role: MemberRole::Owner };
    member::set_role(app, &ada, role).await.unwrap_err();
    member::set_password(app, &ada, house.new_password(BOB, NEXT).await).await.unwrap_err();
    token::create(app, &ada, new_token("api", 3600)).await.unwrap_err();
    token::revoke(app, &ada, made.token.id).await.unwrap_err();
    put_back(&db, "audit").await;
    for (table, before) in tables.into_iter().zip(before) {
        assert_eq!(count(&db, table).await, before, "{table}");
    }
    assert!(house.view(&house.cookie).await.is_some(), "the session goes on");
    house.sign_in(BOB, PASSWORD).await.expect("the old password goes on");
    assert!(token::authenticate(app, made.secret.reveal()).await.unwrap().is_some(), "so does the token");
    let bob = house.person(BOB).await;
    let list = project::list(app, &bob, project::Page::default()).await.unwrap();
    assert_eq!(list.projects[0].role, MemberRole::Viewer);
});

both!(a_set_up_without_its_audit_record_does_not_happen, db, {
    let test = TestApp::over(db.clone()).await;
    let link = offer(&test).await;
    take_away(&db, "audit").await;
    setup::claim(&test.app, claim(&link)).await.unwrap_err();
    put_back(&db, "audit").await;
    assert_eq!((count(&db, "person").await, count(&db, "session").await), (0, 0));
    setup::claim(&test.app, claim(&link)).await.unwrap();
});

both!(no_secret_and_nothing_that_was_typed_for_one_stands_in_the_log, db, {
    let house = House::open(db).await;
    let workspace = house.ada().await.workspace.unwrap();
    change_everything(&house).await;
    let slip = "my-password@example.org";
    session::sign_in(&house.app, LOOPBACK, typed(slip, PASSWORD)).await.unwrap_err();
    session::sign_in(&house.app, LOOPBACK, typed(ADA, "another secret word")).await.unwrap_err();
    let whole = format!("{:?}", log(&house, workspace).await);
    for secret in [PASSWORD, "another secret word", "my-password", "cs_ss_", "cs_pat_", "cs_st_", "argon2"] {
        assert!(!whole.contains(secret), "{secret}");
    }
});
