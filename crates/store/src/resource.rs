//! Resources: anything that has an event log, and the project that it is in.

use countersign_core::id::{ProjectId, ResourceId};
use countersign_core::time::Timestamp;

use crate::{Result, Saved, Tx, record};

record! {
    /// Something with an event log.
    pub struct Resource in "resource" {
        /// Its id.
        id: String,
        /// The tenant, for good.
        workspace_id: String,
        /// The project that it is in now.
        project_id: String,
        /// One of the ten types, as the tools spell it.
        kind: String,
        /// Its name.
        name: String,
        /// The sequence of its newest event; 0 before the first. Only `event::append` raises it.
        next_seq: i64,
        /// When it was made, in milliseconds.
        created_at: i64,
        /// When it last changed, in milliseconds.
        updated_at: i64,
    }
}

const FIND: &str = "SELECT {cols} FROM resource WHERE id = $1";

/// The resource with this id, in whatever workspace.
pub async fn find(t: &Tx<'_>, id: ResourceId) -> Result<Option<Resource>> {
    t.opt(FIND, &[&id.to_string()]).await
}

const HOLD: &str = "UPDATE resource SET id = id WHERE id = $1";

/// Holds a resource until the transaction ends: of two that change what they both looked at, the second sees what the
/// first did.
pub async fn hold(t: &Tx<'_>, id: ResourceId) -> Result<()> {
    t.exec(HOLD, &[&id.to_string()]).await.map(|_| ())
}

const MOVE: &str = "UPDATE resource SET project_id = $3, updated_at = $4
    WHERE id = $1 AND project_id = $2
      AND EXISTS (SELECT 1 FROM project WHERE id = $3 AND workspace_id = resource.workspace_id)
    RETURNING {cols}";

/// Moves a resource to another project of its workspace, when it is still in the one that was seen. `Missing` also
/// when its workspace has no such project.
pub async fn move_to(
    t: &Tx<'_>,
    id: ResourceId,
    seen: ProjectId,
    to: ProjectId,
    at: Timestamp,
) -> Result<Saved<Resource>> {
    const TARGET: &str = "SELECT r.id FROM resource r JOIN project p ON p.workspace_id = r.workspace_id
        WHERE r.id = $1 AND p.id = $2";
    let (id, to) = (id.to_string(), to.to_string());
    let moved = t.opt(MOVE, &[&id, &seen.to_string(), &to, &at.millis()]).await?;
    Saved::sort(t, moved, TARGET, &[&id, &to]).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::house::{self, House};
    use crate::{Db, Error, both};

    async fn moved(db: &Db, id: ResourceId, seen: ProjectId, to: ProjectId) -> Result<Saved<Resource>> {
        db.write(move |t| Box::pin(move_to(t, id, seen, to, Timestamp::from_millis(5)))).await
    }

    both!(a_resource_is_found_by_its_id, db, {
        let house = House::build(&db).await;
        let found: Result<_> = db.read(move |t| Box::pin(find(t, house.resource))).await;
        assert_eq!(found.unwrap().unwrap().project_id, house.project.to_string());
        let none: Result<_> = db.read(move |t| Box::pin(find(t, house::resource(99)))).await;
        assert_eq!(none.unwrap(), None);
    });

    both!(a_move_names_the_project_that_it_saw, db, {
        let house = House::build(&db).await;
        let (id, from, to) = (house.resource, house.project, house.other_project);
        assert!(
            matches!(moved(&db, id, from, to).await, Ok(Saved::Done(row)) if row.project_id == to.to_string())
        );
        assert_eq!(moved(&db, id, from, to).await, Ok::<_, Error>(Saved::Changed));
        assert_eq!(moved(&db, house::resource(99), from, to).await, Ok(Saved::Missing));
    });

    both!(a_resource_does_not_leave_its_workspace, db, {
        let house = House::build(&db).await;
        let other = House::build_numbered(&db, 2).await;
        let tried = moved(&db, house.resource, house.project, other.project).await;
        assert_eq!(tried, Ok(Saved::Missing));
    });
}
