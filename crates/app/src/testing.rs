//! An application for tests: real store, real git, a clock that the test moves, randomness that it can repeat.

pub mod authenticator;
pub mod history;
pub mod home;
pub mod noise;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use countersign_core::scope::Scope;
use countersign_core::time::Timestamp;
use countersign_fetch::testing::Outside;
use countersign_git::GitHost;
use countersign_git::sign::Signer;
use countersign_git::transaction::UpdateRef;
use countersign_store::testing::Folder;
use sha2::{Digest as _, Sha256};

use crate::catalogue::{Catalogue, ToolCard};
use crate::edge::{Clock, Entropy};
use crate::fault::NoFaults;
use crate::gate::Effect;
use crate::settings::Settings;
use crate::{App, Parts};

pub use countersign_store::{Db, both};

/// Where the application for tests believes itself to be.
const PUBLIC_URL: &str = "http://localhost:8420";

/// A clock that stands still until the test moves it.
#[derive(Debug)]
pub struct TestClock(AtomicI64);

impl TestClock {
    /// Moves it on.
    pub fn advance_seconds(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// Bytes that differ each time and are the same in each run.
#[derive(Debug, Default)]
pub struct TestEntropy(AtomicU64);

impl Entropy for TestEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(32) {
            let n = self.0.fetch_add(1, Ordering::SeqCst);
            let block = Sha256::digest(n.to_be_bytes());
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
    }
}

/// An application with what a test wants to turn.
pub struct TestApp {
    /// The application.
    pub app: App,
    /// Its clock; it begins on 2026-11-29.
    pub clock: Arc<TestClock>,
    /// The internet around it: empty, until the test says what is there.
    pub outside: Arc<Outside>,
    /// Its folder: repositories and what else lies on disk.
    pub folder: Folder,
}

impl TestApp {
    /// Over a fresh SQLite store of its own.
    pub async fn new() -> Self {
        let folder = Folder::new();
        let db = Db::open(&folder.sqlite_url()).await;
        let db = db.unwrap_or_else(|error| panic!("the store does not open: {error}"));
        Self::within(folder, db, Settings::new(PUBLIC_URL)).await
    }

    /// Over a store that is open, at `http://localhost:8420`.
    pub async fn over(db: Db) -> Self {
        Self::within(Folder::new(), db, Settings::new(PUBLIC_URL)).await
    }

    /// Over a store that is open, with settings that the test changes.
    pub async fn with(db: Db, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::new(PUBLIC_URL);
        change(&mut settings);
        Self::within(Folder::new(), db, settings).await
    }

    async fn within(folder: Folder, db: Db, settings: Settings) -> Self {
        let git = GitHost::open(&folder.path().join("repositories"), None).await;
        let git = git.unwrap_or_else(|error| panic!("tests need git: {error}"));
        let clock = Arc::new(TestClock(AtomicI64::new(1_795_910_400_000)));
        let entropy = Arc::new(TestEntropy::default());
        let signer = Signer::open(&folder.path().join("keys"), |bytes| entropy.fill(bytes));
        let signer = signer.unwrap_or_else(|error| panic!("tests need a signing key: {error}"));
        let outside = Outside::new();
        let parts = Parts {
            db,
            signer: Arc::new(signer),
            refs: Arc::new(UpdateRef::new(git.clone())),
            git,
            clock: Arc::<TestClock>::clone(&clock),
            entropy,
            settings,
            catalogue: catalogue(),
            faults: Arc::new(NoFaults),
            resolver: Arc::<Outside>::clone(&outside),
            client_id_key: [7; 32],
        };
        Self { app: App::new(parts), clock, outside, folder }
    }
}

/// Two tools: one that reads and was called `list_everything` before, and one that writes.
fn catalogue() -> Catalogue {
    let card = |name, old_names, scope, effect| ToolCard {
        name,
        old_names,
        description: format!("Do what {name} says."),
        scope,
        effect,
        tokens: Some(100),
        listed: format!("{{\"name\":\"{name}\"}}"),
    };
    let cards = vec![
        card("list_granted", &["list_everything"], Scope::Read, Effect::Read),
        card("propose_file_import", &[], Scope::Write, Effect::Write),
    ];
    Catalogue::new(cards).unwrap_or_else(|error| panic!("{error}"))
}
