//! People, sessions, projects and tokens in the store, on both engines.
#![cfg(test)]

use countersign_core::id::{ProjectId, TokenId, UserId, WorkspaceId};
use countersign_core::role::{MemberRole, WorkspaceRole};
use countersign_core::time::Timestamp;
use countersign_store::person::{self, Person};
use countersign_store::project::{self, Project, ProjectMember, Window};
use countersign_store::session::{self, Clock, Session};
use countersign_store::token::{self, Token};
use countersign_store::workspace::{self, Workspace, WorkspaceMember};
use countersign_store::{Db, Inserted, Saved, both, setup};

const ADA: u128 = 1;
const BOB: u128 = 2;
const HOME: u128 = 10;
const AWAY: u128 = 11;

fn id(n: u128) -> String {
    uuid::Uuid::from_u128(n).to_string()
}

fn user(n: u128) -> UserId {
    UserId::parse(&id(n)).unwrap()
}

fn space(n: u128) -> WorkspaceId {
    WorkspaceId::parse(&id(n)).unwrap()
}

fn project(n: u128) -> ProjectId {
    ProjectId::parse(&id(n)).unwrap()
}

const fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(ms)
}

fn account(n: u128, mail: &str) -> Person {
    Person {
        id: id(n),
        mail: mail.to_uppercase(),
        mail_key: mail.to_owned(),
        name: "Ada".to_owned(),
        password_hash: "$argon2id$".to_owned(),
        created_at: 1,
        disabled_at: None,
    }
}

fn place(workspace: u128, user: u128, role: &str, created_at: i64) -> WorkspaceMember {
    WorkspaceMember { workspace_id: id(workspace), user_id: id(user), role: role.to_owned(), created_at }
}

/// Ada owns the workspace Home and is a member of Away; Bob is a member of Home.
async fn people(db: &Db) {
    db.write(|t| {
        Box::pin(async move {
            account(ADA, "ada@x.org").insert(t).await?;
            account(BOB, "bob@x.org").insert(t).await?;
            for (n, slug) in [(HOME, "home"), (AWAY, "away")] {
                let row =
                    Workspace { id: id(n), name: slug.to_owned(), slug: slug.to_owned(), created_at: 1 };
                row.insert(t).await?;
            }
            place(AWAY, ADA, "member", 9).insert(t).await?;
            place(HOME, ADA, "owner", 2).insert(t).await?;
            place(HOME, BOB, "member", 3).insert(t).await
        })
    })
    .await
    .unwrap();
}

async fn disable(db: &Db, n: u128) {
    let person = id(n);
    let sql = "UPDATE person SET disabled_at = 5 WHERE id = $1";
    db.write(move |t| Box::pin(async move { t.exec(sql, &[&person]).await })).await.unwrap();
}

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

both!(a_person_is_found_by_the_folded_mail_address, db, {
    people(&db).await;
    let found = db.read(|t| Box::pin(person::find_by_mail(t, "ada@x.org"))).await.unwrap().unwrap();
    assert_eq!((found.id, found.mail.as_str()), (id(ADA), "ADA@X.ORG"));
    assert_eq!(db.read(|t| Box::pin(person::find_by_mail(t, "ADA@X.ORG"))).await.unwrap(), None);
    let same = db.read(|t| Box::pin(person::find(t, user(BOB)))).await.unwrap().unwrap();
    assert_eq!(same.mail_key, "bob@x.org");
    let again = db.write(|t| Box::pin(async move { account(3, "ada@x.org").insert_once(t).await })).await;
    assert_eq!(again.unwrap(), Inserted::Existed);
});

both!(a_person_has_one_place_in_each_workspace, db, {
    people(&db).await;
    let role =
        async |w, u| db.read(move |t| Box::pin(workspace::find_role(t, space(w), user(u)))).await.unwrap();
    assert_eq!(role(HOME, ADA).await, Some(WorkspaceRole::Owner));
    assert_eq!(role(AWAY, ADA).await, Some(WorkspaceRole::Member));
    assert_eq!(role(AWAY, BOB).await, None);
    let first = async |u| db.read(move |t| Box::pin(workspace::first_of(t, user(u)))).await.unwrap();
    assert_eq!((first(ADA).await, first(3).await), (Some(space(HOME)), None));
    let found = db.read(|t| Box::pin(workspace::find(t, space(AWAY)))).await.unwrap().unwrap();
    assert_eq!(found.slug, "away");
});

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
    db.write(move |t| {
        Box::pin(async move {
            for row in &rows {
                row.insert(t).await?;
            }
            Ok::<_, countersign_store::Error>(())
        })
    })
    .await
    .unwrap();
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
    db.write(|t| Box::pin(async move { signed_in(1).insert(t).await })).await.unwrap();
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
    db.write(|t| {
        Box::pin(async move {
            signed_in(1).insert(t).await?;
            Session { user_id: id(BOB), ..signed_in(2) }.insert(t).await
        })
    })
    .await
    .unwrap();
    let forget =
        async |ms| db.write(move |t| Box::pin(session::forget_expired(t, user(ADA), at(ms)))).await.unwrap();
    assert_eq!((forget(1999).await, forget(2000).await, forget(2000).await), (0, 1, 0));
});

both!(a_person_sees_the_projects_in_which_they_have_a_role, db, {
    people(&db).await;
    db.write(|t| {
        Box::pin(async move {
            for (n, workspace, name) in [(20, HOME, "Beta"), (21, HOME, "Alpha"), (22, AWAY, "Gamma")] {
                let name = name.to_owned();
                Project { id: id(n), workspace_id: id(workspace), name, created_at: 4 }.insert(t).await?;
            }
            let role = "editor".to_owned();
            ProjectMember { project_id: id(20), user_id: id(BOB), role, created_at: 5 }.insert(t).await
        })
    })
    .await
    .unwrap();
    let list = async |n, limit, offset| {
        let window = Window { limit, offset };
        let rows =
            db.read(move |t| Box::pin(project::list_for(t, space(HOME), user(n), window))).await.unwrap();
        rows.into_iter().map(|(_, name, place, role, _)| (name, place, role)).collect::<Vec<_>>()
    };
    let row = |name: &str, place: &str, role: Option<&str>| {
        (name.to_owned(), place.to_owned(), role.map(str::to_owned))
    };
    assert_eq!(list(ADA, 9, 0).await, [row("Alpha", "owner", None), row("Beta", "owner", None)]);
    assert_eq!(list(ADA, 1, 1).await, [row("Beta", "owner", None)]);
    assert_eq!(list(BOB, 9, 0).await, [row("Beta", "member", Some("editor"))]);
});

both!(a_role_changes_from_the_one_that_was_seen, db, {
    people(&db).await;
    db.write(|t| {
        Box::pin(async move {
            let name = "Beta".to_owned();
            Project { id: id(20), workspace_id: id(HOME), name, created_at: 4 }.insert(t).await?;
            let role = "viewer".to_owned();
            ProjectMember { project_id: id(20), user_id: id(BOB), role, created_at: 5 }.insert(t).await
        })
    })
    .await
    .unwrap();
    let save = async |n, seen, role| {
        db.write(move |t| Box::pin(project::save_role(t, (project(20), user(n)), seen, role))).await.unwrap()
    };
    assert_eq!(save(BOB, MemberRole::Editor, MemberRole::Owner).await, Saved::Changed);
    assert_eq!(save(BOB, MemberRole::Viewer, MemberRole::Owner).await, Saved::Done(()));
    assert_eq!(save(ADA, MemberRole::Viewer, MemberRole::Owner).await, Saved::Missing);
    let row = db.read(|t| Box::pin(project::find_member(t, project(20), user(BOB)))).await.unwrap().unwrap();
    assert_eq!(row.role, "owner");
});

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
    db.write(move |t| {
        Box::pin(async move {
            for row in &rows {
                row.insert(t).await?;
            }
            Ok::<_, countersign_store::Error>(())
        })
    })
    .await
    .unwrap();
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
    let list = db.read(|t| Box::pin(token::list_for(t, user(ADA), space(HOME), at(1000), 9))).await.unwrap();
    assert_eq!(list.into_iter().map(|row| row.id).collect::<Vec<_>>(), [id(30)]);
    disable(&db, ADA).await;
    assert_eq!(find(1).await, None, "its person may not sign in");
});

both!(a_token_is_revoked_by_its_own_person_once, db, {
    people(&db).await;
    db.write(|t| Box::pin(async move { key(30, 1).insert(t).await })).await.unwrap();
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
