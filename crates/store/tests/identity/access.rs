//! What the gate reads about an asker and a thing: roles, project and grant as they are at this moment.

use countersign_core::id::{ConnectionId, ProjectId, ResourceId};
use countersign_core::role::{MemberRole, WorkspaceRole};
use countersign_store::access::{self, Access, Asker};
use countersign_store::connection::{Connection, ConnectionProject};
use countersign_store::project::{Project, ProjectMember};
use countersign_store::resource::Resource;
use countersign_store::{Db, Tx, both};

use crate::fixture::{ADA, AWAY, BOB, HOME, id, people, project, space, user};

const ALPHA: u128 = 20;
const BETA: u128 = 21;
const REPOSITORY: u128 = 30;
const NOTE: u128 = 31;
const CLIENT: u128 = 40;

/// Home has the projects Alpha, with a repository and a note, and Beta; Bob is editor of Alpha and has a connection.
async fn furnish(db: &Db) {
    people(db).await;
    db.write(|t| Box::pin(rows(t))).await.unwrap();
}

async fn rows(t: &Tx<'_>) -> countersign_store::Result<()> {
    for (n, name) in [(ALPHA, "Alpha"), (BETA, "Beta")] {
        let row = Project { id: id(n), workspace_id: id(HOME), name: name.to_owned(), created_at: 1 };
        row.insert(t).await?;
    }
    let role = "editor".to_owned();
    ProjectMember { project_id: id(ALPHA), user_id: id(BOB), role, created_at: 1 }.insert(t).await?;
    for (n, kind) in [(REPOSITORY, "gitnest_repository"), (NOTE, "note")] {
        let row = Resource {
            id: id(n),
            workspace_id: id(HOME),
            project_id: id(ALPHA),
            kind: kind.to_owned(),
            name: kind.to_owned(),
            next_seq: 0,
            created_at: 1,
            updated_at: 1,
        };
        row.insert(t).await?;
    }
    t.exec(
        "INSERT INTO repository (id, workspace_id, name, name_key, default_branch, protected_branches, \
         protected_paths, gitnest_on_at, created_at) VALUES ($1, $2, 'r', 'r', 'main', '[]', '[]', 5, 1)",
        &[&id(REPOSITORY), &id(HOME)],
    )
    .await?;
    connection().insert(t).await
}

fn connection() -> Connection {
    Connection {
        id: id(CLIENT),
        workspace_id: id(HOME),
        user_id: id(BOB),
        kind: "other".to_owned(),
        name: "agent".to_owned(),
        status: "active".to_owned(),
        client_id: None,
        client_name: None,
        scopes: String::new(),
        switched_off: "[]".to_owned(),
        created_at: 1,
        activated_at: Some(1),
        used_at: None,
        revoked_at: None,
        version: 1,
    }
}

fn person(n: u128, workspace: u128) -> Asker {
    Asker { person: user(n), connection: None, workspace: space(workspace) }
}

fn agent() -> Asker {
    Asker { connection: Some(ConnectionId::parse(&id(CLIENT)).unwrap()), ..person(BOB, HOME) }
}

async fn on(db: &Db, asker: Asker, thing: u128) -> Option<Access> {
    let thing = ResourceId::parse(&id(thing)).unwrap();
    db.read(move |t| Box::pin(access::on_resource(t, asker, thing))).await.unwrap()
}

async fn change(db: &Db, sql: &'static str, values: Vec<String>) {
    let changed: countersign_store::Result<u64> = db
        .write(move |t| {
            Box::pin(async move {
                let values: Vec<&dyn countersign_store::Param> =
                    values.iter().map(|value| value as _).collect();
                t.exec(sql, &values).await
            })
        })
        .await;
    assert_eq!(changed.unwrap(), 1, "{sql}");
}

both!(one_read_tells_place_project_and_roles, db, {
    furnish(&db).await;
    let bob = on(&db, person(BOB, HOME), REPOSITORY).await.unwrap();
    assert_eq!(bob.project, Some(project(ALPHA)));
    assert_eq!(
        (bob.workspace_role, bob.project_role),
        (Some(WorkspaceRole::Member), Some(MemberRole::Editor))
    );
    assert_eq!((bob.repository_role, bob.granted), (None, false));
    let ada = on(&db, person(ADA, HOME), REPOSITORY).await.unwrap();
    assert_eq!((ada.workspace_role, ada.project_role), (Some(WorkspaceRole::Owner), None));
    let sql = "INSERT INTO repository_member (repository_id, user_id, role, created_at) VALUES ($1, $2, 'viewer', 1)";
    change(&db, sql, vec![id(REPOSITORY), id(BOB)]).await;
    let bob = on(&db, person(BOB, HOME), REPOSITORY).await.unwrap();
    assert_eq!((bob.project_role, bob.repository_role), (Some(MemberRole::Editor), Some(MemberRole::Viewer)));
});

both!(nothing_of_another_workspace_is_found, db, {
    furnish(&db).await;
    assert_eq!(on(&db, person(ADA, AWAY), REPOSITORY).await, None);
    assert_eq!(on(&db, person(ADA, HOME), 99).await, None);
    let in_project = |asker, n| {
        let db = db.clone();
        let thing: ProjectId = project(n);
        async move { db.read(move |t| Box::pin(access::on_project(t, asker, thing))).await.unwrap() }
    };
    assert_eq!(in_project(person(ADA, AWAY), ALPHA).await, None);
    assert_eq!(in_project(person(BOB, HOME), ALPHA).await.unwrap().project_role, Some(MemberRole::Editor));
    let whole = |asker| {
        let db = db.clone();
        async move { db.read(move |t| Box::pin(access::on_workspace(t, asker))).await.unwrap() }
    };
    assert_eq!(whole(person(ADA, HOME)).await.unwrap().workspace_role, Some(WorkspaceRole::Owner));
    assert_eq!(whole(person(BOB, AWAY)).await.unwrap().workspace_role, None);
    assert!(!whole(agent()).await.unwrap().granted, "no connection is granted a workspace");
});

both!(a_grant_follows_the_project_that_the_resource_is_in_now, db, {
    furnish(&db).await;
    assert!(!on(&db, agent(), REPOSITORY).await.unwrap().granted, "a new connection sees nothing");
    let add = ConnectionProject { connection_id: id(CLIENT), project_id: id(ALPHA), added_at: 1 };
    db.write(move |t| Box::pin(async move { add.insert(t).await })).await.unwrap();
    assert!(on(&db, agent(), REPOSITORY).await.unwrap().granted);
    assert!(
        !on(&db, person(BOB, HOME), REPOSITORY).await.unwrap().granted,
        "a grant is a connection's alone"
    );
    change(&db, "UPDATE resource SET project_id = $2 WHERE id = $1", vec![id(REPOSITORY), id(BETA)]).await;
    let moved = on(&db, agent(), REPOSITORY).await.unwrap();
    assert_eq!((moved.granted, moved.project, moved.project_role), (false, Some(project(BETA)), None));
});

both!(a_single_grant_stays_and_gitnest_switches_repositories_off, db, {
    furnish(&db).await;
    for thing in [REPOSITORY, NOTE] {
        let sql = "INSERT INTO connection_resource (connection_id, resource_id, added_at) VALUES ($1, $2, 1)";
        change(&db, sql, vec![id(CLIENT), id(thing)]).await;
        assert!(on(&db, agent(), thing).await.unwrap().granted);
    }
    change(&db, "UPDATE resource SET project_id = $2 WHERE id = $1", vec![id(REPOSITORY), id(BETA)]).await;
    assert!(on(&db, agent(), REPOSITORY).await.unwrap().granted);
    change(&db, "UPDATE repository SET gitnest_on_at = NULL WHERE id = $1", vec![id(REPOSITORY)]).await;
    assert!(!on(&db, agent(), REPOSITORY).await.unwrap().granted);
    assert!(on(&db, agent(), NOTE).await.unwrap().granted);
});
