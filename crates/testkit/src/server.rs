//! A server as a process of its own, so that it can be killed at any instruction.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::data::Data;

/// How long a start may take on a busy machine before the test fails.
const START: Duration = Duration::from_mins(1);

/// Whether the program that ships serves, `countersign serve`: fault points, mutants, fixture tools and another clock
/// then have no meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ships {
    /// The tests' own program does.
    #[default]
    No,
    /// It does, on a store without an owner: its set-up link is what it tells last.
    Unclaimed,
    /// It does, on a store that has its owner.
    Claimed,
}

/// What differs from a plain server.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Kill at `point:nth`.
    pub kill_at: Option<String>,
    /// Count fault points in this file.
    pub notes: Option<PathBuf>,
    /// Which program serves.
    pub ships: Ships,
    /// Use the mutant ref transaction.
    pub mutant_refs: bool,
    /// Serve the fixture tools of the conformance suites.
    pub fixture_tools: bool,
    /// The git to use instead of the first one on the path.
    pub git: Option<PathBuf>,
    /// The port; a free one without it.
    pub port: u16,
    /// Write the log into this file instead of the test's own error output.
    pub log: Option<PathBuf>,
    /// More arguments of the program that ships.
    pub arguments: Vec<String>,
    /// More variables of the environment.
    pub variables: BTreeMap<String, String>,
}

/// A running server process.
#[derive(Debug)]
pub struct TestServer {
    child: Child,
    /// `http://127.0.0.1:PORT`.
    pub url: String,
    /// The port.
    pub port: u16,
    /// The link of the first set-up, while nobody claimed it.
    pub setup_link: Option<String>,
}

impl TestServer {
    /// Starts a server on `data` and waits until it serves.
    pub async fn start(data: &Data, options: &Options) -> Self {
        // Every client of a test is built after its server.
        countersign_fetch::tls::install();
        let port = if options.port == 0 { free_port() } else { options.port };
        let mut child = command(data, options, port).spawn().expect("the test server starts");
        let stdout = child.stdout.take().expect("its output is piped");
        let mut lines = BufReader::new(stdout).lines();
        let mut server = Self { child, url: format!("http://127.0.0.1:{port}"), port, setup_link: None };
        let ready = tokio::time::timeout(START, async {
            while let Some(line) = lines.next_line().await.expect("its output is readable") {
                if let Some(link) = line.strip_prefix("Set it up once, in a browser: ") {
                    server.setup_link = Some(link.to_owned());
                }
                let has_told = server.setup_link.is_some()
                    || (options.ships == Ships::Claimed && line.starts_with(SERVES));
                if line == READY || (options.ships != Ships::No && has_told) {
                    return true;
                }
            }
            false
        });
        assert!(ready.await.expect("the server starts in time"), "the server ended before it served");
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        server
    }

    /// Starts a server that is to die before it serves; whether a signal ended it.
    pub async fn dies(data: &Data, options: &Options) -> bool {
        use std::os::unix::process::ExitStatusExt as _;
        let mut child = command(data, options, options.port).spawn().expect("the test server starts");
        let ended = tokio::time::timeout(START, child.wait()).await;
        ended.expect("it ends in time").expect("its end is seen").signal().is_some()
    }

    /// SIGKILL, at whatever instruction it is.
    pub async fn kill(&mut self) {
        let _ = self.child.kill().await;
    }

    /// Waits until the process ended by itself; `true` when a signal ended it.
    pub async fn ended(&mut self) -> bool {
        use std::os::unix::process::ExitStatusExt as _;
        self.child.wait().await.expect("its end is seen").signal().is_some()
    }

    /// SIGTERM, and waits for the graceful end.
    pub async fn stop(mut self) {
        self.signal(Signal::TERM);
        let _ = self.child.wait().await;
    }

    /// SIGKILL, without waiting for the end.
    pub fn kill_now(&self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = self.child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)) {
            let _ = rustix::process::kill_process(pid, signal);
        }
    }

    /// The id of the process.
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }
}

/// The variable that tells the process what is outside, as `Outside::write` gives it.
pub const OUTSIDE: &str = "TESTKIT_OUTSIDE";

/// The line by which the process says that it serves.
pub const READY: &str = "testkit: ready";

/// How the line of the program that ships begins, by which it says so.
const SERVES: &str = "Countersign serves ";

fn command(data: &Data, options: &Options, port: u16) -> Command {
    let mut command =
        Command::new(binary(if options.ships == Ships::No { "testkit-server" } else { "countersign" }));
    command
        .args((options.ships != Ships::No).then_some("serve"))
        .args(&options.arguments)
        .env("COUNTERSIGN_BIND", format!("127.0.0.1:{port}"))
        .env("COUNTERSIGN_PUBLIC_URL", format!("http://127.0.0.1:{port}"))
        .env("COUNTERSIGN_DATA", data.folder())
        .env("COUNTERSIGN_DATABASE_URL", data.database_url())
        .env("COUNTERSIGN_REPOSITORIES", data.repositories())
        .env("TESTKIT_KILL_AT", options.kill_at.as_deref().unwrap_or_default())
        .env("TESTKIT_NOTES", options.notes.clone().unwrap_or_default())
        .env("COUNTERSIGN_GIT", options.git.clone().unwrap_or_default())
        .env("TESTKIT_MUTANT_REFS", if options.mutant_refs { "1" } else { "" })
        .env("TESTKIT_FIXTURE_TOOLS", if options.fixture_tools { "1" } else { "" })
        .envs(&options.variables)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    if let Some(path) = &options.log {
        command.stderr(std::fs::File::create(path).expect("the log can be written"));
    }
    command
}

/// Runs a command of the program that ships against this server, with a token.
pub async fn run(url: &str, token: &str, arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new(binary("countersign"));
    command.args(arguments).env("COUNTERSIGN_URL", url).env("COUNTERSIGN_TOKEN", token);
    command.stdin(Stdio::null()).kill_on_drop(true).output().await.expect("the program starts")
}

/// A command of the program that ships on the machine of `data`, as its operator gives it.
pub fn operate(data: &Data, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary("countersign"));
    command
        .args(arguments)
        .env("COUNTERSIGN_DATA", data.folder())
        .env("COUNTERSIGN_DATABASE_URL", data.database_url())
        .env("COUNTERSIGN_REPOSITORIES", data.repositories())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// A binary that was built beside the running test.
pub fn binary(name: &str) -> PathBuf {
    let mut path = std::env::current_exe().expect("the test knows where it is");
    path.pop();
    if path.ends_with("deps") {
        path.pop();
    }
    path.join(name)
}

/// A port that is free now.
pub fn free_port() -> u16 {
    // Below those that Linux gives to outgoing connections: a server that is down for a moment finds its port free.
    const PORTS: std::ops::Range<u16> = 12_000..32_000;
    static NEXT: AtomicU16 = AtomicU16::new(0);
    loop {
        let number = u64::from(std::process::id()) * 61 + u64::from(NEXT.fetch_add(1, Ordering::Relaxed));
        let at = u16::try_from(number % u64::from(PORTS.end - PORTS.start)).expect("it is within the range");
        let port = PORTS.start + at;
        if std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
