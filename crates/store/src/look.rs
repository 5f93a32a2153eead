//! One look at a database beside the server that has it open: nothing is made, locked or migrated.

use std::path::Path;

use crate::error::{Error, Result};
use crate::{postgres, sqlite};

/// What every look asks; it also shows that the schema is there.
pub(crate) const READY: &str = "SELECT id FROM repository WHERE ready_at IS NOT NULL ORDER BY id";

/// The ids of the repositories that must be on disk; `None` where the data file is not made yet.
pub async fn ready_repositories(url: &str) -> Result<Option<Vec<String>>> {
    let Some(path) = url.strip_prefix("sqlite:") else {
        return postgres::look(url).await.map(Some);
    };
    let path = Path::new(path).to_owned();
    if !path.exists() {
        return Ok(None);
    }
    tokio::task::spawn_blocking(move || sqlite::look(&path).map(Some))
        .await
        .map_err(|error| Error::Panicked(error.to_string()))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Db;
    use crate::testing::{Database, Folder};

    #[tokio::test]
    async fn a_data_file_is_looked_at_beside_its_server_and_never_made() {
        let folder = Folder::new();
        let url = folder.sqlite_url();
        assert_eq!(ready_repositories(&url).await, Ok(None));
        let db = Db::open(&url).await.unwrap();
        assert_eq!(ready_repositories(&url).await, Ok(Some(Vec::new())));
        db.close().await;
    }

    #[tokio::test]
    async fn a_postgresql_is_looked_at_and_never_migrated() {
        let database = Database::create_empty().await;
        assert!(ready_repositories(database.url()).await.is_err());
        let db = Db::open(database.url()).await.unwrap();
        assert_eq!(ready_repositories(database.url()).await, Ok(Some(Vec::new())));
        db.close().await;
        database.remove().await;
    }

    #[tokio::test]
    async fn a_database_that_does_not_answer_is_an_error() {
        assert!(ready_repositories("postgres://nobody@127.0.0.1:1/none").await.is_err());
        assert!(ready_repositories("mysql://db").await.is_err());
    }
}
