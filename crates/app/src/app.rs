//! Everything that a use case may reach, in one handle.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use countersign_core::time::Timestamp;
use countersign_fetch::Resolver;
use countersign_git::GitHost;
use countersign_git::sign::Signer;
use countersign_git::transaction::RefTransaction;
use countersign_store::Db;
use uuid::Uuid;

use crate::audit::Checks;
use crate::catalogue::Catalogue;
use crate::edge::{Clock, Entropy};
use crate::fault::Faults;
use crate::gate::{Journal, RateLimit};
use crate::live::Ending;
use crate::oauth::Documents;
use crate::person::Passwords;
use crate::readiness::Readiness;
use crate::secret::{Secret, SecretKind};
use crate::session::Attempts;
use crate::settings::Settings;

/// What the edge hands in to make an [`App`].
pub struct Parts {
    /// The store.
    pub db: Db,
    /// The folder of repositories.
    pub git: GitHost,
    /// Moves their refs.
    pub refs: Arc<dyn RefTransaction>,
    /// Signs commits.
    pub signer: Arc<Signer>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of randomness.
    pub entropy: Arc<dyn Entropy>,
    /// What the operator chose.
    pub settings: Settings,
    /// The tools that agents may have.
    pub catalogue: Catalogue,
    /// What happens at fault points: nothing, but in tests.
    pub faults: Arc<dyn Faults>,
    /// Tells where the names of strangers lead.
    pub resolver: Arc<dyn Resolver>,
    /// The key that signs stateless client ids (HMAC-SHA-256).
    pub client_id_key: [u8; 32],
}

/// The application: cheap to clone, shared by all surfaces.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// The parts, and what only memory holds.
pub struct Inner {
    /// What the edge handed in.
    pub parts: Parts,
    /// Calls counted per connection and address.
    pub rate: RateLimit,
    /// Audit records of reads and refusals, on their way to the store.
    pub journal: Journal,
    /// The work of hashing passwords.
    pub passwords: Passwords,
    /// Attempts to enter a password, counted per account and address.
    pub attempts: Attempts,
    /// Metadata documents of clients on their way, and how many may be.
    pub(crate) documents: Documents,
    /// Whether the store took the last write that was tried for it.
    pub readiness: Readiness,
    /// What this server verified of the audit log.
    pub(crate) checks: Checks,
    /// Tells who waits for changes that the server stops.
    pub ending: Ending,
    /// Where the token of the first set-up stands, once it was offered.
    pub(crate) setup_file: OnceLock<PathBuf>,
}

impl App {
    /// Puts the parts together. Must be called within a tokio runtime: the journal's writer is started here.
    pub fn new(parts: Parts) -> Self {
        let rate = RateLimit::new(parts.settings.rate_limit, parts.settings.rate_window);
        let journal = Journal::start(parts.db.clone(), Arc::clone(&parts.entropy));
        Self(Arc::new(Inner {
            parts,
            rate,
            journal,
            passwords: Passwords::default(),
            attempts: Attempts::default(),
            documents: Documents::default(),
            readiness: Readiness::default(),
            checks: Checks::default(),
            ending: Ending::default(),
            setup_file: OnceLock::new(),
        }))
    }

    /// This moment.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A fresh UUID of version 7 (RFC 9562 §5.7).
    pub fn uuid(&self) -> Uuid {
        uuid_at(self.now(), &*self.entropy)
    }

    /// Random bytes.
    pub fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.entropy.fill(&mut bytes);
        bytes
    }

    /// A fresh secret.
    pub fn secret(&self, kind: SecretKind) -> Secret {
        Secret::new(kind, self.random())
    }

    /// Flushes what is still in memory; called once, at a graceful stop.
    pub async fn close(&self) {
        self.journal.flush().await;
    }
}

impl Deref for App {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Deref for Inner {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}

/// A UUID of version 7 for one moment.
pub(crate) fn uuid_at(at: Timestamp, entropy: &dyn Entropy) -> Uuid {
    let mut random = [0; 10];
    entropy.fill(&mut random);
    let millis = u64::try_from(at.millis()).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}
