//! Start a server, serve, and stop gracefully.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use countersign_app::edge::{Clock, Entropy};
use countersign_app::fault::{Faults, NoFaults};
use countersign_app::settings::Settings;
use countersign_app::{App, Parts};
use countersign_core::problem::Problem;
use countersign_fetch::{Resolver, SystemResolver};
use countersign_git::GitHost;
use countersign_git::folder::make_private;
use countersign_git::transaction::{RefTransaction, UpdateRef};
use countersign_mcp::RawTool;
use countersign_store::Db;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::door::{self, Limits};
use crate::{keys, proxy, room, routes, timer};

/// How long running calls may take after a stop was asked for.
const GRACE: Duration = Duration::from_secs(10);

/// What tests put in the place of what ships.
pub struct Extras {
    /// More tools than the catalogue.
    pub tools: Vec<RawTool>,
    /// What happens at fault points.
    pub faults: Arc<dyn Faults>,
    /// Another ref transaction.
    pub refs: Option<fn(GitHost) -> Arc<dyn RefTransaction>>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Where the names of strangers lead.
    pub resolver: Arc<dyn Resolver>,
}

impl Default for Extras {
    fn default() -> Self {
        Self {
            tools: Vec::new(),
            faults: Arc::new(NoFaults),
            refs: None,
            clock: Arc::new(crate::SystemClock),
            entropy: Arc::new(crate::OsEntropy),
            resolver: Arc::new(SystemResolver),
        }
    }
}

/// Why a server does not start; each sentence says what to do.
/// `Display` never repeats its cause.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The store.
    #[error("the database cannot be opened")]
    Store(#[from] countersign_store::Error),
    /// Git, or the folder of repositories.
    #[error("repositories cannot be served")]
    Git(#[from] countersign_git::GitError),
    /// The data folder or the keys.
    #[error("{what} {path} cannot be used; make it writable for this user, or name another")]
    Folder {
        /// What it is.
        what: &'static str,
        /// Where it is.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The address.
    #[error("{bind} cannot be listened on; stop the other server or choose another address with --bind")]
    Bind {
        /// The address.
        bind: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The public address.
    #[error("the public address cannot be used: {0}")]
    PublicUrl(countersign_core::oauth::metadata::NotAnOrigin),
    /// The tools.
    #[error("the tools cannot be told apart: {0}")]
    Tools(countersign_app::catalogue::NameTwice),
    /// Recovery.
    #[error("what was cut short cannot be looked at: {0}")]
    Recovery(Problem),
    /// A restore that has not proved everything.
    #[error(
        "a restore into {0} was begun and has not ended; run the same restore again, and start the server then"
    )]
    RestoreUnderWay(PathBuf),
    /// The first set-up.
    #[error("the set-up link cannot be made: {0}")]
    SetUp(Problem),
}

/// A server that serves.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// The application, for tests.
    pub app: App,
    /// The one-time link of the first set-up, while nobody claimed it.
    pub setup_link: Option<String>,
    stop: CancellationToken,
    serving: JoinHandle<()>,
    timer: JoinHandle<()>,
}

/// Opens everything, recovers, and begins to serve.
pub async fn start(config: &Config, extras: Extras) -> Result<Running, StartError> {
    let folder = |what, path: &std::path::Path| {
        let path = path.to_owned();
        move |source| StartError::Folder { what, path, source }
    };
    if countersign_app::restore::is_under_way(&config.repositories) {
        return Err(StartError::RestoreUnderWay(config.repositories.clone()));
    }
    make_private(&config.data).map_err(folder("the data folder", &config.data))?;
    let db = Db::open(&config.database_url).await?;
    let git = GitHost::open(&config.repositories, config.git.as_deref()).await?;
    let keys = config.repositories.join("keys");
    let client_id_key =
        keys::client_id_key(&keys, &*extras.entropy).map_err(folder("the key folder", &keys))?;
    let signer = countersign_git::sign::Signer::open(&keys, |bytes| extras.entropy.fill(bytes))?;
    let refs = extras.refs.map_or_else(
        || Arc::new(UpdateRef::new(git.clone())) as Arc<dyn RefTransaction>,
        |make| make(git.clone()),
    );
    let catalogue = countersign_mcp::catalogue(extras.tools.iter().cloned()).map_err(StartError::Tools)?;
    let parts = Parts {
        db,
        git,
        refs,
        signer: Arc::new(signer),
        clock: extras.clock,
        entropy: extras.entropy,
        settings: settings(config),
        catalogue,
        faults: extras.faults,
        resolver: extras.resolver,
        client_id_key,
    };
    let app = App::new(parts);
    let listener = TcpListener::bind(config.bind)
        .await
        .map_err(|source| StartError::Bind { bind: config.bind, source })?;
    countersign_app::proposal::recover(&app).await.map_err(StartError::Recovery)?;
    countersign_app::push::recover(&app).await.map_err(StartError::Recovery)?;
    countersign_app::repository::import::resume(&app).await.map_err(StartError::Recovery)?;
    let link = countersign_app::setup::offer(&app, &config.data.join("setup-link"))
        .await
        .map_err(StartError::SetUp)?;
    let router = routes::all(&app, &extras.tools).map_err(StartError::PublicUrl)?;
    let router = proxy::seen_through(router, &config.trusted_proxies);
    serve(app, listener, router, link.map(|link| link.address()))
        .map_err(|source| StartError::Bind { bind: config.bind, source })
}

fn settings(config: &Config) -> Settings {
    Settings {
        rate_limit: config.rate_limit,
        proposal_lifetime: Duration::from_secs(config.proposal_lifetime_s),
        repository_quota: u64::from(config.repository_quota_mib) << 20,
        send_issuer: config.send_issuer,
        custom_redirects: config.custom_redirects.clone(),
        client_documents: config.client_documents,
        client_registration: config.client_registration,
        ..Settings::new(&config.public_url)
    }
}

fn serve(
    app: App,
    listener: TcpListener,
    router: Router,
    setup_link: Option<String>,
) -> std::io::Result<Running> {
    let address = listener.local_addr()?;
    let stop = CancellationToken::new();
    let limits = Limits::shipped(room::for_connections());
    let served = door::serve(listener, router, limits, stop.clone());
    Ok(Running {
        address,
        timer: tokio::spawn(timer::keep(app.clone())),
        app,
        setup_link,
        stop,
        serving: tokio::spawn(served),
    })
}

impl Running {
    /// No new calls; running ones finish within ten seconds; then the store is flushed and what it holds of the audit log sealed.
    pub async fn stop(mut self) {
        self.timer.abort();
        self.app.ending.begin();
        self.stop.cancel();
        if tokio::time::timeout(GRACE, &mut self.serving).await.is_err() {
            self.serving.abort();
        }
        self.app.close().await;
        timer::tell("audit records wait for their seal", countersign_app::audit::seal(&self.app).await);
    }
}

/// [`start`]s a server, tells where it is, and serves until SIGINT or SIGTERM.
pub async fn run(config: &Config, extras: Extras) -> Result<(), StartError> {
    let running = start(config, extras).await?;
    tracing::info!(address = %running.address, public_url = %config.public_url, "serving");
    println!("Countersign serves {} on {}", config.public_url, running.address);
    if let Some(link) = &running.setup_link {
        println!("Set it up once, in a browser: {link}");
    }
    stop_signal().await;
    running.stop().await;
    Ok(())
}

async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        tracing::error!("signals cannot be heard; stop the process by SIGKILL, nothing is lost by it");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
