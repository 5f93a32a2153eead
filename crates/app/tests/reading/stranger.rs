//! A stranger's git server: https with a root of its own, and git's own CGI program behind it (gitprotocol-http).

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use countersign_app::testing::TestApp;
use countersign_app::testing::noise::noise;
use countersign_fetch::testing::{Answer, Outside, PUBLIC, Request, Site};

/// The name of the host.
pub(crate) const HOST: &str = "git.stranger.example";

/// A work tree with two branches and a tag, and a file that packs badly.
pub(crate) fn source(test: &TestApp) -> PathBuf {
    let folder = test.folder.path().join("stranger");
    std::fs::create_dir_all(&folder).unwrap();
    let run = |args: &[&str]| {
        let output = Command::new("git")
            .args(["-c", "user.name=S", "-c", "user.email=s@stranger.example"])
            .args(args)
            .current_dir(&folder)
            .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["init", "-q", "-b", "trunk"]);
    std::fs::write(folder.join("noise.bin"), noise(1, 1_500_000)).unwrap();
    run(&["add", "."]);
    run(&["commit", "-qm", "one"]);
    run(&["tag", "v1"]);
    run(&["branch", "side"]);
    run(&["commit", "-q", "--allow-empty", "-m", "two"]);
    folder
}

/// Serves `folder` at `https://git.stranger.example:PORT/repo.git`; the server and the URL.
pub(crate) async fn serve(outside: &Arc<Outside>, folder: PathBuf) -> (Site, String) {
    serve_by(outside, move |request| backend(&folder, request)).await
}

/// Serves whatever `answer` says.
pub(crate) async fn serve_by(
    outside: &Arc<Outside>,
    answer: impl Fn(&Request) -> Answer + Send + Sync + 'static,
) -> (Site, String) {
    let site = outside.site(HOST, PUBLIC, answer).await;
    let url = format!("https://{HOST}:{}/repo.git", site.address().port());
    (site, url)
}

/// What git's CGI program answers.
pub(crate) fn backend(folder: &std::path::Path, request: &Request) -> Answer {
    let path = request.path().strip_prefix("/repo.git").unwrap_or_default();
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut child = Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", folder.join(".git"))
        .envs([
            ("GIT_HTTP_EXPORT_ALL", "1"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ])
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("REQUEST_METHOD", request.head.split(' ').next().unwrap_or_default())
        .env("CONTENT_TYPE", request.header("content-type").unwrap_or_default())
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", request.header("content-encoding").unwrap_or_default())
        .env("GIT_PROTOCOL", request.header("git-protocol").unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&request.body).unwrap();
    let said = child.wait_with_output().unwrap().stdout;
    let end = said.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let (head, body) = (String::from_utf8_lossy(&said[..end]).into_owned(), &said[end + 4..]);
    let status = head.lines().find_map(|line| line.strip_prefix("Status: ")).unwrap_or("200 OK").to_owned();
    let headers: String =
        head.lines().filter(|line| !line.starts_with("Status: ")).flat_map(|line| [line, "\r\n"]).collect();
    Answer::http(&status, &headers, body)
}
