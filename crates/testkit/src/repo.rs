//! What real git says of a repository: tips, histories, checks, pushes straight to the folder.

use std::path::Path;
use std::process::{Output, Stdio};

use countersign_app::testing::history::History;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};

/// Runs git with a clean environment; the output whatever its end.
pub async fn git(folder: &Path, arguments: &[&str]) -> Output {
    Command::new("git")
        .current_dir(folder)
        .args(arguments)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .output()
        .await
        .expect("git starts")
}

/// Runs git and gives what it printed; the test fails when git does.
pub async fn git_ok(folder: &Path, arguments: &[&str]) -> String {
    let output = git(folder, arguments).await;
    assert!(
        output.status.success(),
        "git {arguments:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Runs the machine's tar; the output whatever its end.
pub async fn tar(arguments: &[&str]) -> Output {
    Command::new("tar").args(arguments).output().await.expect("tar is installed")
}

/// The tip of `main`.
pub async fn tip(bare: &Path) -> String {
    git_ok(bare, &["rev-parse", "refs/heads/main"]).await
}

/// Whether a commit is in the history of `main`. The test fails when git cannot say.
pub async fn holds(bare: &Path, commit: &str) -> bool {
    holds_in(bare, commit, "main").await
}

/// Whether a commit is in the history of a branch. The test fails when git cannot say.
pub async fn holds_in(bare: &Path, commit: &str, branch: &str) -> bool {
    let branch = format!("refs/heads/{branch}");
    let output = git(bare, &["merge-base", "--is-ancestor", commit, &branch]).await;
    match output.status.code() {
        Some(0) => true,
        Some(1) => false,
        code => panic!("git cannot say ({code:?}): {}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// How many commits `main` has.
pub async fn commits(bare: &Path) -> usize {
    git_ok(bare, &["rev-list", "--count", "refs/heads/main"]).await.parse().expect("a number")
}

/// Whether the lock of the repository can be taken alone within ten seconds.
pub async fn is_free(bare: &Path) -> bool {
    let lock = bare.with_extension("lock");
    let taken = Command::new("flock").args(["--exclusive", "--wait", "10"]).arg(lock).arg("true").status();
    taken.await.expect("flock is installed").success()
}

/// Writes a history into a bare repository, from its branch `main` on.
pub async fn plant(bare: &Path, history: History) {
    plant_stream(bare, &history.into_stream()).await;
}

/// Writes what a stream of `git fast-import` tells into a bare repository.
pub async fn plant_stream(bare: &Path, stream: &[u8]) {
    let mut import = Command::new("git")
        .args(["-c", "core.bigFileThreshold=512m", "fast-import", "--quiet", "--force"])
        .current_dir(bare)
        .stdin(Stdio::piped())
        .spawn()
        .expect("git starts");
    let mut input = import.stdin.take().expect("it was asked for");
    input.write_all(stream).await.expect("git reads the history");
    drop(input);
    assert!(import.wait().await.expect("its end is seen").success(), "git does not take the history");
}

/// Begins a push to `url`; dropping the answer kills the client.
pub fn push(work: &Path, url: &str, refs: &[&str]) -> Child {
    Command::new("git")
        .current_dir(work)
        .args(["push", "-q", url])
        .args(refs)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("git starts")
}
