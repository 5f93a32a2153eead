//! Two workspaces and two people, and the ids that tests write short.

use countersign_core::id::{ProjectId, UserId, WorkspaceId};
use countersign_core::time::Timestamp;
use countersign_store::Db;
use countersign_store::person::Person;
use countersign_store::workspace::{Workspace, WorkspaceMember};

pub(crate) const ADA: u128 = 1;
pub(crate) const BOB: u128 = 2;
pub(crate) const HOME: u128 = 10;
pub(crate) const AWAY: u128 = 11;

pub(crate) fn id(n: u128) -> String {
    uuid::Uuid::from_u128(n).to_string()
}

pub(crate) fn user(n: u128) -> UserId {
    UserId::parse(&id(n)).unwrap()
}

pub(crate) fn space(n: u128) -> WorkspaceId {
    WorkspaceId::parse(&id(n)).unwrap()
}

pub(crate) fn project(n: u128) -> ProjectId {
    ProjectId::parse(&id(n)).unwrap()
}

pub(crate) const fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(ms)
}

pub(crate) fn account(n: u128, mail: &str) -> Person {
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

/// Inserts rows in one transaction.
macro_rules! insert_all {
    ($db:expr, $rows:expr) => {{
        let rows = $rows;
        let inserted = $db.write(move |t| {
            Box::pin(async move {
                for row in &rows {
                    row.insert(t).await?;
                }
                Ok::<_, countersign_store::Error>(())
            })
        });
        inserted.await.unwrap();
    }};
}
pub(crate) use insert_all;

fn place(workspace: u128, user: u128, role: &str, created_at: i64) -> WorkspaceMember {
    WorkspaceMember { workspace_id: id(workspace), user_id: id(user), role: role.to_owned(), created_at }
}

/// Ada owns the workspace Home and is a member of Away; Bob is a member of Home.
pub(crate) async fn people(db: &Db) {
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

pub(crate) async fn disable(db: &Db, n: u128) {
    let person = id(n);
    let sql = "UPDATE person SET disabled_at = 5 WHERE id = $1";
    db.write(move |t| Box::pin(async move { t.exec(sql, &[&person]).await })).await.unwrap();
}
