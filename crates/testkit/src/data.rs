//! What outlives a server process: its data folder, its database, its repositories.

use std::path::PathBuf;

use countersign_store::testing::{Database, Folder};

/// Which engine a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A file in the data folder.
    Sqlite,
    /// A database of its own on the test cluster.
    Postgres,
}

/// A data folder and a database; several servers may share one that is on PostgreSQL.
#[derive(Debug)]
pub struct Data {
    folder: Folder,
    database: Option<Database>,
}

impl Data {
    /// Makes both, empty.
    pub async fn new(engine: Engine) -> Self {
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Database::create().await),
        };
        Self { folder: Folder::new(), database }
    }

    /// The data folder.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// The folder of repositories.
    pub fn repositories(&self) -> PathBuf {
        self.folder().join("repositories")
    }

    /// The address of the database.
    pub fn database_url(&self) -> String {
        match &self.database {
            None => format!("sqlite:{}", self.folder().join("countersign.db").display()),
            Some(database) => database.url().to_owned(),
        }
    }

    /// Drops the database; the folder goes with this value.
    pub async fn remove(self) {
        if let Some(database) = self.database {
            database.remove().await;
        }
    }
}
