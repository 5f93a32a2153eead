//! The routes on a port of their own, and a git that talks to them.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use countersign_app::testing::home::{Home, REPOSITORY};
use countersign_app::token::{NewToken, create};
use countersign_core::scope::{TokenScope, TokenScopes};
use countersign_git_http::{Limits, routes_within};
use countersign_store::Db;

/// A home whose repository is served.
pub(crate) struct Served {
    pub(crate) home: Home,
    pub(crate) address: SocketAddr,
    /// What is served there.
    pub(crate) router: axum::Router,
    /// A token of the owner that may clone.
    pub(crate) token: String,
    /// One that may clone and push.
    pub(crate) writer: String,
    count: AtomicUsize,
}

impl Served {
    /// Serves within the limits that ship.
    pub(crate) async fn over(db: Db) -> Self {
        Self::within(db, Limits::SHIPPED).await
    }

    /// Serves within other limits.
    pub(crate) async fn within(db: Db, limits: Limits) -> Self {
        Self::of(Home::over(db).await, limits).await
    }

    /// Serves with hooks that do these lines of a shell, where `$ask` is the program that ships and `$said` what git
    /// wrote to it.
    pub(crate) async fn asking(db: Db, lines: &str) -> Self {
        let home = Home::over(db).await;
        let program = home.test.folder.path().join("hook");
        let script = format!("#!/bin/sh\nask='{}'\nsaid=$(cat)\n{lines}\n", hook().display());
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self::asked_by(home, Limits::SHIPPED, &program).await
    }

    /// Serves repositories that may take this many bytes.
    pub(crate) async fn with_quota(db: Db, bytes: u64) -> Self {
        let home = Home::with(db, |settings| settings.repository_quota = bytes).await;
        Self::of(home, Limits::SHIPPED).await
    }

    /// Serves this home.
    pub(crate) async fn of(home: Home, limits: Limits) -> Self {
        Self::asked_by(home, limits, &hook()).await
    }

    async fn asked_by(home: Home, limits: Limits, program: &Path) -> Self {
        let writer = token(&home, [TokenScope::RepoRead, TokenScope::RepoWrite]).await;
        let token = token(&home, [TokenScope::RepoRead]).await;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = routes_within(home.app(), limits, program);
        let service = router.clone().into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        Self { home, address, router, token, writer, count: AtomicUsize::new(0) }
    }

    /// The path of the repository's address.
    pub(crate) fn route(&self) -> String {
        format!("/git/{}/{REPOSITORY}.git", self.home.house.workspace)
    }

    /// The address, with a token in it.
    pub(crate) fn url(&self, token: &str) -> String {
        format!("http://anyone:{token}@{}{}", self.address, self.route())
    }

    /// A path for something new.
    pub(crate) fn fresh(&self) -> PathBuf {
        let number = self.count.fetch_add(1, Ordering::SeqCst);
        self.home.test.folder.path().join(format!("client-{number}"))
    }

    /// Runs a git of the client's own, off the threads that serve it.
    pub(crate) async fn git(&self, folder: &Path, args: &[&str]) -> Output {
        self.git_with(folder, args, &[]).await
    }

    /// The same with more in its environment.
    pub(crate) async fn git_with(
        &self,
        folder: &Path,
        args: &[&str],
        env: &'static [(&'static str, &'static str)],
    ) -> Output {
        let (folder, args) =
            (folder.to_owned(), args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>());
        tokio::task::spawn_blocking(move || run(&folder, &args, env)).await.unwrap()
    }

    /// Clones with these options and answers the clone.
    pub(crate) async fn clone(&self, options: &[&str]) -> PathBuf {
        let (to, url) = (self.fresh(), self.url(&self.token));
        let name = to.display().to_string();
        let args = [&["clone", "--quiet"], options, &[&url, &name]].concat();
        said(&self.git(self.home.test.folder.path(), &args).await);
        to
    }

    /// Commits these files straight into the bare repository, on `main`.
    pub(crate) async fn commit(&self, files: &[(&str, &[u8])]) {
        let work = self.fresh();
        let (bare, name) = (self.home.path().display().to_string(), work.display().to_string());
        said(&self.git(self.home.test.folder.path(), &["clone", "--quiet", &bare, &name]).await);
        for (path, content) in files {
            std::fs::write(work.join(path), content).unwrap();
        }
        said(&self.git(&work, &["add", "-A"]).await);
        said(&self.git(&work, &["commit", "--quiet", "-m", "Change"]).await);
        said(&self.git(&work, &["push", "--quiet", "origin", "HEAD:main"]).await);
    }

    /// The gits that work in the repository at this moment, as the system sees them.
    pub(crate) fn gits(&self) -> usize {
        let place = self.home.path().canonicalize().unwrap();
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter(|process| std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == place))
            .count()
    }

    /// Whether no push is on its way any more, which holds the objects to its end.
    pub(crate) async fn pushes_are_over(&self) -> bool {
        self.home.app().git.lock_objects(self.home.repository, Duration::from_secs(10)).await.is_ok()
    }

    /// Waits until this many gits are at work.
    pub(crate) async fn until_gits(&self, wanted: impl Fn(usize) -> bool) {
        while !wanted(self.gits()) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// The program behind the hooks.
fn hook() -> PathBuf {
    env!("CARGO_BIN_EXE_countersign-hook").into()
}

/// A token of the owner.
pub(crate) async fn token(home: &Home, scopes: impl IntoIterator<Item = TokenScope>) -> String {
    let new = NewToken { name: "git".into(), scopes: TokenScopes::new(scopes), lifetime_s: 3600 };
    create(home.app(), &home.owner, new).await.unwrap().secret.reveal().to_owned()
}

/// The header of Basic authentication.
pub(crate) fn basic(password: &str) -> String {
    format!("Authorization: Basic {}", STANDARD.encode(format!("x:{password}")))
}

fn run(folder: &Path, args: &[String], env: &[(&str, &str)]) -> Output {
    Command::new("git")
        .args(["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "credential.helper="])
        .args(args)
        .current_dir(folder)
        .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("LC_ALL", "C")])
        .env("GIT_TERMINAL_PROMPT", "0")
        .envs(env.iter().copied())
        .output()
        .unwrap()
}

/// What a git that succeeded has printed.
pub(crate) fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", complained(output));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// What a git complained about.
pub(crate) fn complained(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
