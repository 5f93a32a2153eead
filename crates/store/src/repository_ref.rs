//! Where the branches and tags of a repository were when its log was last told of them.

use countersign_core::id::ResourceId;

use crate::{Param, Result, Saved, Tx, record};

record! {
    /// A ref as it was last seen.
    pub struct RepositoryRef in "repository_ref" {
        /// The repository.
        repository_id: String,
        /// Its full name, `refs/heads/…` or `refs/tags/…`.
        name: String,
        /// What it pointed at.
        oid: String,
    }
}

const LIST: &str = "SELECT {cols} FROM repository_ref WHERE repository_id = $1 ORDER BY name";

/// Every ref that was seen.
pub async fn list(t: &Tx<'_>, repository: ResourceId) -> Result<Vec<RepositoryRef>> {
    t.all(LIST, &[&repository.to_string()]).await
}

const FIND: &str = "SELECT oid FROM repository_ref WHERE repository_id = $1 AND name = $2";

/// Where one ref was last seen.
pub async fn find(t: &Tx<'_>, repository: ResourceId, name: &str) -> Result<Option<String>> {
    let found: Option<(String,)> = t.opt(FIND, &[&repository.to_string(), &name]).await?;
    Ok(found.map(|(oid,)| oid))
}

/// How many refs go into one statement.
const BATCH: usize = 200;

/// Notes the refs that a repository begins with; what somebody else noted meanwhile stays.
pub async fn fill(t: &Tx<'_>, repository: ResourceId, refs: &[(String, String)]) -> Result<()> {
    let id = repository.to_string();
    for batch in refs.chunks(BATCH) {
        let rows: Vec<_> =
            (0..batch.len()).map(|n| format!("($1, ${}, ${})", 2 * n + 2, 2 * n + 3)).collect();
        let sql = format!(
            "INSERT INTO repository_ref (repository_id, name, oid) VALUES {} ON CONFLICT DO NOTHING",
            rows.join(", ")
        );
        let mut args: Vec<&dyn Param> = vec![&id];
        for (name, oid) in batch {
            args.extend([name as &dyn Param, oid]);
        }
        let _ = t.exec(&sql, &args).await?;
    }
    Ok(())
}

const MAKE: &str = "INSERT INTO repository_ref (repository_id, name, oid) VALUES ($1, $2, $3) \
    ON CONFLICT DO NOTHING RETURNING oid";
const MOVE: &str = "UPDATE repository_ref SET oid = $4 \
    WHERE repository_id = $1 AND name = $2 AND oid = $3 RETURNING oid";
const REMOVE: &str = "DELETE FROM repository_ref \
    WHERE repository_id = $1 AND name = $2 AND oid = $3 RETURNING oid";

/// Notes that a ref went from `old` to `new`; `None` is "not there". `Changed` when it was last seen elsewhere,
/// `Missing` when it was not seen at all.
pub async fn save(
    t: &Tx<'_>,
    repository: ResourceId,
    name: &str,
    old: Option<&str>,
    new: Option<&str>,
) -> Result<Saved> {
    let id = repository.to_string();
    let done: Option<(String,)> = match (old, new) {
        (None, None) => return Ok(Saved::Done(())),
        (None, Some(new)) => t.opt(MAKE, &[&id, &name, &new]).await?,
        (Some(old), Some(new)) => t.opt(MOVE, &[&id, &name, &old, &new]).await?,
        (Some(old), None) => t.opt(REMOVE, &[&id, &name, &old]).await?,
    };
    Saved::sort(t, done.map(|_| ()), FIND, &[&id, &name]).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::Repository;
    use crate::resource::Resource;
    use crate::testing::house::{self, House};
    use crate::{Db, both};

    /// A repository without a folder.
    async fn repository(db: &Db) -> ResourceId {
        let house = House::build(db).await;
        let id = house::resource(77);
        let made: Result<()> = db
            .write(move |t| {
                Box::pin(async move {
                    Resource { kind: "gitnest_repository".to_owned(), ..house.with_resource(id, "r") }
                        .insert(t)
                        .await?;
                    let row = Repository {
                        id: id.to_string(),
                        workspace_id: house.workspace.to_string(),
                        name: "r".to_owned(),
                        name_key: "r".to_owned(),
                        default_branch: "main".to_owned(),
                        protected_branches: "[]".to_owned(),
                        protected_paths: "[]".to_owned(),
                        other_decider: None,
                        gitnest_on_at: None,
                        ready_at: Some(1),
                        created_at: 1,
                    };
                    row.insert(t).await
                })
            })
            .await;
        made.unwrap();
        id
    }

    async fn saved(db: &Db, id: ResourceId, old: Option<&'static str>, new: Option<&'static str>) -> Saved {
        let saved: Result<_> =
            db.write(move |t| Box::pin(async move { save(t, id, "refs/heads/a", old, new).await })).await;
        saved.unwrap()
    }

    async fn seen(db: &Db, id: ResourceId) -> Vec<(String, String)> {
        let rows: Result<_> = db.read(move |t| Box::pin(async move { list(t, id).await })).await;
        rows.unwrap().into_iter().map(|row| (row.name, row.oid)).collect()
    }

    both!(a_ref_is_moved_only_from_where_it_was_seen, db, {
        let id = repository(&db).await;
        assert_eq!(saved(&db, id, Some("1"), Some("2")).await, Saved::Missing);
        assert_eq!(saved(&db, id, None, Some("1")).await, Saved::Done(()));
        assert_eq!(saved(&db, id, None, Some("2")).await, Saved::Changed);
        assert_eq!(saved(&db, id, Some("2"), Some("3")).await, Saved::Changed);
        assert_eq!(saved(&db, id, Some("1"), Some("2")).await, Saved::Done(()));
        assert_eq!(seen(&db, id).await, [("refs/heads/a".to_owned(), "2".to_owned())]);
        assert_eq!(saved(&db, id, Some("1"), None).await, Saved::Changed);
        assert_eq!(saved(&db, id, Some("2"), None).await, Saved::Done(()));
        assert_eq!(saved(&db, id, Some("2"), None).await, Saved::Missing);
        assert_eq!(seen(&db, id).await, []);
    });

    both!(many_refs_are_noted_at_once_and_none_of_them_twice, db, {
        let id = repository(&db).await;
        let refs: Vec<_> = (0..501).map(|n| (format!("refs/tags/{n:04}"), n.to_string())).collect();
        for _ in 0..2 {
            let refs = refs.clone();
            let filled: Result<()> =
                db.write(move |t| Box::pin(async move { fill(t, id, &refs).await })).await;
            filled.unwrap();
        }
        assert_eq!(seen(&db, id).await, refs);
    });
}
