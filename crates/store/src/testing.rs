//! Test databases: `both!` runs one test on SQLite and on PostgreSQL, each with a database of its own.

mod folder;
pub mod house;
pub mod log;
pub mod person;
mod postgres;
pub mod table;

use crate::Db;

pub use crate::sqlite::Inline;
pub use folder::Folder;
pub use postgres::Database;

/// Declares one test for both engines: `both!(of_two_claims_one_wins, db, { … })` makes
/// `of_two_claims_one_wins::sqlite` and `of_two_claims_one_wins::postgres`.
///
/// The PostgreSQL server is named by `COUNTERSIGN_TEST_PG`; without it the second test fails and says how to get
/// one.
#[macro_export]
macro_rules! both {
    ($(#[$doc:meta])* $name:ident, $db:ident, $body:block) => {
        $(#[$doc])*
        async fn $name($db: $crate::Db) $body

        mod $name {
            #[test]
            fn sqlite() {
                $crate::testing::on_sqlite(super::$name);
            }

            #[test]
            fn postgres() {
                $crate::testing::on_postgres(super::$name);
            }
        }
    };
}

/// Runs a test on a data file of its own, with the settings of production.
pub fn on_sqlite<F: Future<Output = ()> + Send + 'static>(test: impl FnOnce(Db) -> F) {
    let folder = Folder::new();
    runtime().block_on(async {
        let db = open(&folder.sqlite_url()).await;
        test(db.clone()).await;
        db.close().await;
    });
}

/// Runs a test on a PostgreSQL database of its own, which is dropped afterwards, also when the test fails.
pub fn on_postgres<F: Future<Output = ()> + Send + 'static>(test: impl FnOnce(Db) -> F) {
    runtime().block_on(async {
        let database = Database::create().await;
        let db = open(database.url()).await;
        let result = tokio::spawn(test(db.clone())).await;
        db.close().await;
        database.remove().await;
        if let Err(error) = result {
            std::panic::resume_unwind(error.into_panic());
        }
    });
}

/// A setting of the tests.
#[expect(
    clippy::disallowed_methods,
    reason = "tests are an edge: their server and their trials are set outside"
)]
pub fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

async fn open(url: &str) -> Db {
    Db::open(url).await.unwrap_or_else(|error| panic!("the test database does not open: {error}"))
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap_or_else(|error| panic!("no runtime: {error}"))
}
