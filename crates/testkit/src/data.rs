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
    database: Place,
}

/// Where the rows are.
#[derive(Debug)]
enum Place {
    InTheFolder,
    OnTheTestCluster(Database),
    At(String),
}

impl Data {
    /// Makes both, empty.
    pub async fn new(engine: Engine) -> Self {
        let database = match engine {
            Engine::Sqlite => Place::InTheFolder,
            Engine::Postgres => Place::OnTheTestCluster(Database::create().await),
        };
        Self { folder: Folder::new(), database }
    }

    /// On a database that is somebody else's to make and to drop.
    pub fn at(url: &str) -> Self {
        Self { folder: Folder::new(), database: Place::At(url.to_owned()) }
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
            Place::InTheFolder => format!("sqlite:{}", self.folder().join("countersign.db").display()),
            Place::OnTheTestCluster(database) => database.url().to_owned(),
            Place::At(url) => url.clone(),
        }
    }

    /// Drops the database; the folder goes with this value.
    pub async fn remove(self) {
        if let Place::OnTheTestCluster(database) = self.database {
            database.remove().await;
        }
    }
}
