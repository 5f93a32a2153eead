//! Connections on both engines: one client gets a pending one, and a revoked one stays revoked.
#![cfg(test)]

use countersign_core::id::{ConnectionId, ProjectId, UserId, WorkspaceId};
use countersign_core::time::Timestamp;
use countersign_store::connection::{self, Approved, Connection};
use countersign_store::connection_page::{self, Whose};
use countersign_store::{ByTime, Error, Inserted, Result, Saved, Tx, both};

const NOW: Timestamp = Timestamp::from_millis(1_000);
const WORKSPACE: &str = "00000000-0000-7000-8000-0000000000f0";
const OTHER_WORKSPACE: &str = "00000000-0000-7000-8000-0000000000f1";
const ANN: u8 = 1;
const BOB: u8 = 2;

fn id(n: u8) -> String {
    format!("00000000-0000-7000-8000-0000000000{n:02}")
}

fn workspace() -> WorkspaceId {
    WorkspaceId::parse(WORKSPACE).unwrap()
}

fn user(n: u8) -> UserId {
    UserId::parse(&id(n)).unwrap()
}

fn conn(n: u8) -> ConnectionId {
    ConnectionId::parse(&id(n)).unwrap()
}

fn project(n: u8) -> ProjectId {
    ProjectId::parse(&id(n)).unwrap()
}

fn approved(client_id: &str, person: UserId) -> Approved<'_> {
    Approved { person, client_id, client_name: "Agent", scopes: "countersign:read", at: NOW }
}

fn pending(n: u8, owner: u8) -> Connection {
    Connection {
        id: id(n),
        workspace_id: WORKSPACE.to_owned(),
        user_id: id(owner),
        kind: "codex".to_owned(),
        name: format!("Agent {n}"),
        status: "pending".to_owned(),
        client_id: None,
        client_name: None,
        scopes: String::new(),
        switched_off: "[]".to_owned(),
        created_at: i64::from(n),
        activated_at: None,
        used_at: None,
        revoked_at: None,
        version: 1,
    }
}

/// Ann owns the workspace, Bob is a member with a role in project 21; connection 10 is Ann's, 11 is Bob's.
async fn lay(t: &Tx<'_>) -> Result<()> {
    for (workspace, slug) in [(WORKSPACE, "w"), (OTHER_WORKSPACE, "x")] {
        let sql = "INSERT INTO workspace (id, name, slug, created_at) VALUES ($1, 'W', $2, 0)";
        t.exec(sql, &[&workspace, &slug]).await?;
    }
    for (n, name, role) in [(ANN, "Ann", "owner"), (BOB, "Bob", "member")] {
        let person = "INSERT INTO person (id, mail, mail_key, name, password_hash, created_at) \
            VALUES ($1, $2, $2, $2, 'x', 0)";
        t.exec(person, &[&id(n), &name]).await?;
        let member =
            "INSERT INTO workspace_member (workspace_id, user_id, role, created_at) VALUES ($1, $2, $3, 0)";
        t.exec(member, &[&WORKSPACE, &id(n), &role]).await?;
    }
    for n in [20, 21] {
        let sql = "INSERT INTO project (id, workspace_id, name, created_at) VALUES ($1, $2, $3, 0)";
        t.exec(sql, &[&id(n), &WORKSPACE, &format!("P{n}")]).await?;
    }
    let member =
        "INSERT INTO project_member (project_id, user_id, role, created_at) VALUES ($1, $2, 'viewer', 0)";
    t.exec(member, &[&id(21), &id(BOB)]).await?;
    pending(10, ANN).insert(t).await?;
    pending(11, BOB).insert(t).await
}

async fn propose(t: &Tx<'_>, n: u8, status: &str, connection: u8) -> Result<()> {
    if !t.any("SELECT id FROM resource WHERE id = $1", &[&id(30)]).await? {
        let resource = "INSERT INTO resource \
            (id, workspace_id, project_id, kind, name, next_seq, created_at, updated_at) \
            VALUES ($1, $2, $3, 'gitnest_repository', 'R', 0, 0, 0)";
        t.exec(resource, &[&id(30), &WORKSPACE, &id(20)]).await?;
        let row = "INSERT INTO repository (id, workspace_id, name, name_key, default_branch, protected_branches, \
            protected_paths, created_at) VALUES ($1, $2, 'R', 'r', 'main', '[]', '[]', 0)";
        t.exec(row, &[&id(30), &WORKSPACE]).await?;
    }
    let sql = "INSERT INTO proposal (id, workspace_id, repository_id, connection_id, kind, title, status, \
        idempotency_key, body_hash, branch, base_oid, message, author_name, created_at, expires_at, attempt) \
        VALUES ($1, $2, $3, $4, 'k', 'T', $5, $1, $6, 'main', 'o', 'm', 'a', 0, 9, 0)";
    t.exec(sql, &[&id(n), &WORKSPACE, &id(30), &id(connection), &status, &b"h".to_vec()]).await?;
    Ok(())
}

both!(a_pending_connection_goes_to_one_client_of_its_own_person, db, {
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            lay(t).await?;
            assert_eq!(connection::list_pending(t, workspace(), user(ANN)).await?, [pending(10, ANN)]);
            let (ann, bob) = (approved("c", user(ANN)), approved("d", user(BOB)));
            assert_eq!(connection::activate(t, conn(10), bob).await?, Saved::Changed, "not Bob's");
            assert_eq!(connection::activate(t, conn(10), ann).await?, Saved::Done(()));
            assert_eq!(connection::activate(t, conn(10), approved("e", user(ANN))).await?, Saved::Changed);
            assert_eq!(connection::activate(t, conn(99), ann).await?, Saved::Missing);
            let row = connection::find(t, conn(10), workspace()).await?.unwrap();
            assert_eq!(
                (row.status.as_str(), row.client_id.as_deref(), row.version),
                ("active", Some("c"), 2)
            );
            assert_eq!(connection::list_pending(t, workspace(), user(ANN)).await?, []);
            let elsewhere = WorkspaceId::parse(OTHER_WORKSPACE).unwrap();
            assert_eq!(connection::find(t, conn(10), elsewhere).await?, None);
            Ok(())
        })
    })
    .await
    .unwrap();
});

both!(a_revoked_connection_takes_no_change_any_more, db, {
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            lay(t).await?;
            assert_eq!(connection::save_switched_off(t, conn(10), 1, "[\"a\"]").await?, Saved::Done(2));
            assert_eq!(connection::save_switched_off(t, conn(10), 1, "[]").await?, Saved::Changed);
            assert_eq!(connection::raise(t, conn(10)).await?, Saved::Done(()));
            assert_eq!(connection::revoke(t, conn(10), NOW).await?, Saved::Done(()));
            assert_eq!(connection::revoke(t, conn(10), NOW).await?, Saved::Changed);
            assert_eq!(connection::raise(t, conn(10)).await?, Saved::Changed);
            assert_eq!(connection::save_switched_off(t, conn(10), 4, "[]").await?, Saved::Changed);
            assert_eq!(connection::activate(t, conn(10), approved("c", user(ANN))).await?, Saved::Changed);
            assert_eq!(connection::revoke(t, conn(99), NOW).await?, Saved::Missing);
            Ok(())
        })
    })
    .await
    .unwrap();
});

both!(a_revoked_connection_withdraws_what_waits_and_nothing_else, db, {
    let rows = db
        .write::<_, Error>(|t| {
            Box::pin(async move {
                lay(t).await?;
                let states = [
                    "pending",
                    "failed",
                    "executing",
                    "executed",
                    "stale",
                    "declined",
                    "withdrawn",
                    "expired",
                ];
                for (n, status) in (40..).zip(states) {
                    propose(t, n, status, 10).await?;
                }
                propose(t, 60, "pending", 11).await?;
                let gone = connection::withdraw_open(t, conn(10), user(ANN), NOW).await?;
                assert_eq!(gone.iter().map(|row| row.0.clone()).collect::<Vec<_>>(), [id(40), id(41)]);
                assert_eq!(connection::withdraw_open(t, conn(10), user(ANN), NOW).await?, []);
                t.all::<(String, Option<String>)>("SELECT status, reason FROM proposal ORDER BY id", &[])
                    .await
            })
        })
        .await
        .unwrap();
    let statuses: Vec<&str> = rows.iter().map(|row| row.0.as_str()).collect();
    let kept = ["executing", "executed", "stale", "declined", "withdrawn", "expired", "pending"];
    assert_eq!(statuses, [&["withdrawn", "withdrawn"][..], &kept].concat());
    assert_eq!(rows[0].1.as_deref(), Some("connection_revoked"));
    assert_eq!(rows[6].1, None, "what was withdrawn before keeps its own reason");
});

both!(projects_are_listed_with_the_role_of_the_connections_person, db, {
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            lay(t).await?;
            let p21 = (id(21), "P21".to_owned());
            assert_eq!(
                connection_page::addable(t, conn(11)).await?,
                std::slice::from_ref(&p21),
                "Bob has a role in one"
            );
            assert_eq!(
                connection_page::addable(t, conn(10)).await?.len(),
                2,
                "an owner of the workspace in all"
            );
            assert_eq!(connection::add_project(t, conn(11), project(21), NOW).await?, Inserted::New);
            assert_eq!(connection::add_project(t, conn(11), project(21), NOW).await?, Inserted::Existed);
            assert_eq!(connection_page::addable(t, conn(11)).await?, []);
            propose(t, 50, "pending", 11).await?;
            t.exec("UPDATE resource SET project_id = $1", &[&id(21)]).await?;
            let on = connection_page::projects(t, conn(11)).await?;
            assert_eq!(on, [(p21.0, p21.1, Some("member".to_owned()), Some("viewer".to_owned()), 1)]);
            assert_eq!(connection_page::project_names(t, workspace()).await?, [(id(11), "P21".to_owned())]);
            assert_eq!(connection::remove_project(t, conn(11), project(21)).await?, Saved::Done(()));
            assert_eq!(connection::remove_project(t, conn(11), project(21)).await?, Saved::Missing);
            Ok(())
        })
    })
    .await
    .unwrap();
});

both!(lists_hold_ones_own_or_everybodys_with_what_waits, db, {
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            lay(t).await?;
            propose(t, 50, "pending", 11).await?;
            propose(t, 51, "executed", 11).await?;
            let all = connection_page::list(t, workspace(), Whose::Everybodys, ByTime::newest(), 10).await?;
            let lines = all.iter().map(|line| (line.connection.name.as_str(), line.owner.as_str(), line.waiting));
            assert_eq!(lines.collect::<Vec<_>>(), [("Agent 11", "Bob", 1), ("Agent 10", "Ann", 0)]);
            let own = connection_page::list(t, workspace(), Whose::Of(user(ANN)), ByTime::newest(), 10).await?;
            assert_eq!(own.len(), 1);
            assert_eq!(connection_page::find(t, conn(11), workspace()).await?.unwrap().owner, "Bob");
            let audit = "INSERT INTO audit (id, at, actor_kind, connection_id, action, outcome, code, detail) \
                VALUES ($1, $2, 'connection', $3, 'tool', 'refused', 'not_in_project', '{}')";
            for n in [1_i64, 2] {
                t.exec(audit, &[&n.to_string(), &n, &id(11)]).await?;
            }
            let activity = connection_page::activity(t, conn(11), 1).await?;
            let newest = (2, "tool".to_owned(), None, "refused".to_owned(), Some("not_in_project".to_owned()));
            assert_eq!(activity, [newest]);
            Ok(())
        })
    })
    .await
    .unwrap();
});
