//! A small furnished database: a person, a workspace, two projects and a resource.

use countersign_core::id::{ProjectId, ResourceId, UserId, WorkspaceId};

use crate::resource::Resource;
use crate::{Db, Result, Tx};

/// What `build` made.
#[derive(Clone, Copy, Debug)]
pub struct House {
    /// A person, owner of the workspace and of both projects.
    pub person: UserId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The project that the resource is in.
    pub project: ProjectId,
    /// Another project of the workspace.
    pub other_project: ProjectId,
    /// A resource without events.
    pub resource: ResourceId,
}

impl House {
    /// Makes the first house.
    pub async fn build(db: &Db) -> Self {
        Self::build_numbered(db, 1).await
    }

    /// Makes another one; its numbers stay below 100.
    pub async fn build_numbered(db: &Db, number: u64) -> Self {
        let id = |part: u64| id(number * 1000 + part);
        let house = Self {
            person: UserId::new(id(1)),
            workspace: WorkspaceId::new(id(2)),
            project: ProjectId::new(id(3)),
            other_project: ProjectId::new(id(4)),
            resource: ResourceId::new(id(5)),
        };
        let built: Result<()> = db.write(move |t| Box::pin(house.furnish(t))).await;
        built.unwrap_or_else(|error| panic!("the house cannot be built: {error}"));
        house
    }

    async fn furnish(self, t: &Tx<'_>) -> Result<()> {
        let (person, workspace) = (self.person.to_string(), self.workspace.to_string());
        let mail = format!("{person}@example.org");
        t.exec(
            "INSERT INTO person (id, mail, mail_key, name, password_hash, created_at) VALUES ($1, $2, $2, 'Ada', '', 1)",
            &[&person, &mail],
        )
        .await?;
        t.exec(
            "INSERT INTO workspace (id, name, slug, created_at) VALUES ($1, 'Workspace', $1, 1)",
            &[&workspace],
        )
        .await?;
        t.exec(
            "INSERT INTO workspace_member (workspace_id, user_id, role, created_at) VALUES ($1, $2, 'owner', 1)",
            &[&workspace, &person],
        )
        .await?;
        for project in [self.project, self.other_project] {
            let project = project.to_string();
            t.exec(
                "INSERT INTO project (id, workspace_id, name, created_at) VALUES ($1, $2, $1, 1)",
                &[&project, &workspace],
            )
            .await?;
            t.exec(
                "INSERT INTO project_member (project_id, user_id, role, created_at) VALUES ($1, $2, 'owner', 1)",
                &[&project, &person],
            )
            .await?;
        }
        self.with_resource(self.resource, "note").insert(t).await
    }

    /// A further resource of the first project, to be inserted.
    pub fn with_resource(&self, id: ResourceId, name: &str) -> Resource {
        Resource {
            id: id.to_string(),
            workspace_id: self.workspace.to_string(),
            project_id: self.project.to_string(),
            kind: "note".to_owned(),
            name: name.to_owned(),
            next_seq: 0,
            created_at: 1,
            updated_at: 1,
        }
    }
}

/// The id of a resource that is not in a house.
pub fn resource(number: u64) -> ResourceId {
    ResourceId::new(id(number))
}

fn id(number: u64) -> uuid::Uuid {
    uuid::Uuid::from_u64_pair(0x0190_0000_0000_7000, 0x8000_0000_0000_0000 | number)
}
