//! A furnished application: an owner, an agent of theirs, and a repository that both may read.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::PathBuf;

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{ConnectionId, ProjectId, ResourceId, UserId, WorkspaceId};
use countersign_core::scope::{Scope, Scopes};
use countersign_store::connection::{Connection, ConnectionProject};
use countersign_store::testing::house::House;
use countersign_store::{Db, Error};
use uuid::Uuid;

use super::TestApp;
use crate::App;
use crate::repository::{self, Change, First, NewRepository};
use crate::settings::Settings;

/// The name of its repository.
pub const REPOSITORY: &str = "orchard";

/// What most tests of repositories and proposals begin with.
pub struct Home {
    /// The application.
    pub test: TestApp,
    /// Its rows.
    pub house: House,
    /// The owner of the workspace, in a browser.
    pub owner: Caller,
    /// An agent of the owner with every scope, and the first project on it.
    pub agent: Caller,
    /// A repository of the first project, with GitNest on.
    pub repository: ResourceId,
}

impl Home {
    /// Furnishes an empty store.
    pub async fn over(db: Db) -> Self {
        Self::with(db, |_| ()).await
    }

    /// Furnishes an empty store, with settings that the test changes.
    pub async fn with(db: Db, change: impl FnOnce(&mut Settings)) -> Self {
        let house = House::build(&db).await;
        let test = TestApp::with(db, change).await;
        let now = test.app.now();
        let owner =
            caller(house.workspace, Principal::Session { user: house.person, proved_at: now, session: None });
        let id = ConnectionId::new(Uuid::from_u128(0xa9e7));
        connect(&test.app, house, id).await;
        let mut agent = caller(house.workspace, Principal::Connection { id, owner: house.person });
        agent.scopes = Scopes::new(Scope::ALL);
        let repository = repository(&test.app, &owner, house.project, REPOSITORY).await;
        Self { test, house, owner, agent, repository }
    }

    /// The application.
    pub fn app(&self) -> &App {
        &self.test.app
    }

    /// A person of the workspace who is in no project.
    pub async fn stranger(&self) -> Caller {
        let (user, workspace) = (UserId::new(Uuid::from_u128(0x57a6)), self.house.workspace);
        let added = self.app().db.write(move |t| {
            Box::pin(async move {
                let (user, workspace) = (user.to_string(), workspace.to_string());
                t.exec(
                    "INSERT INTO person (id, mail, mail_key, name, password_hash, created_at) \
                     VALUES ($1, $1, $1, 'Bob', '', 1)",
                    &[&user],
                )
                .await?;
                t.exec(
                    "INSERT INTO workspace_member (workspace_id, user_id, role, created_at) \
                     VALUES ($1, $2, 'member', 1)",
                    &[&workspace, &user],
                )
                .await?;
                Ok::<_, Error>(())
            })
        });
        must("add a person", added.await);
        caller(workspace, Principal::Session { user, proved_at: self.app().now(), session: None })
    }

    /// Where the repository lies.
    pub fn path(&self) -> PathBuf {
        self.app().git.path(self.repository)
    }
}

/// Makes a repository and switches GitNest on.
pub async fn repository(app: &App, owner: &Caller, project: ProjectId, name: &str) -> ResourceId {
    let new = NewRepository { name: name.to_owned(), project, first: First::Readme };
    let made = must("make a repository", repository::create(app, owner, new).await);
    let on = Change { gitnest: Some(true), ..Change::default() };
    must("switch GitNest on", repository::change(app, owner, made.id, on).await);
    made.id
}

fn caller(workspace: WorkspaceId, principal: Principal) -> Caller {
    Caller { principal, workspace: Some(workspace), scopes: Scopes::default(), switched_off: BTreeSet::new() }
}

async fn connect(app: &App, house: House, id: ConnectionId) {
    let now = app.now().millis();
    let connection = Connection {
        id: id.to_string(),
        workspace_id: house.workspace.to_string(),
        user_id: house.person.to_string(),
        kind: "other".to_owned(),
        name: "Claude".to_owned(),
        status: "active".to_owned(),
        client_id: Some("client".to_owned()),
        client_name: None,
        scopes: String::new(),
        switched_off: "[]".to_owned(),
        created_at: now,
        activated_at: Some(now),
        used_at: None,
        revoked_at: None,
        version: 1,
    };
    let project = ConnectionProject {
        connection_id: id.to_string(),
        project_id: house.project.to_string(),
        added_at: now,
    };
    let added = app.db.write(move |t| {
        Box::pin(async move {
            connection.insert(t).await?;
            project.insert(t).await?;
            Ok::<_, Error>(())
        })
    });
    must("connect an agent", added.await);
}

fn must<T, E: Display>(what: &str, result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("cannot {what}: {error}"))
}
