//! Histories for tests and measurements, written by one `git fast-import`: thousands of files and hundreds of commits
//! in a moment, and names and modes that no work tree would take.

use std::fmt::Write as _;

use countersign_core::id::ResourceId;
use countersign_git::process::Limits;

use crate::App;

/// What a commit does to one path.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// Writes a file.
    File(&'a [u8]),
    /// Points a symbolic link there.
    Link(&'a str),
    /// Puts a commit of another repository there.
    Module(&'a str),
    /// Takes it away.
    Remove,
}

/// A stream for `git fast-import`. It goes on from the branch `main`.
#[derive(Debug)]
pub struct History {
    stream: Vec<u8>,
    branches: Vec<String>,
    at: i64,
}

impl Default for History {
    fn default() -> Self {
        Self { stream: Vec::new(), branches: Vec::new(), at: 1_795_000_000 }
    }
}

impl History {
    /// Adds a commit to a branch; a new branch begins at `main`. Each is a minute younger than the one before.
    pub fn commit(&mut self, branch: &str, message: &str, changes: &[(&[u8], Change<'_>)]) {
        self.at += 60;
        let who = format!("Pat <pat@example.org> {} +0000", self.at);
        let mut head = format!(
            "commit refs/heads/{branch}\nauthor {who}\ncommitter {who}\ndata {}\n{message}\n",
            message.len()
        );
        if !self.branches.iter().any(|known| known == branch) {
            // `^0` is the branch as it stood before the import.
            let before = if self.branches.iter().any(|known| known == "main") { "" } else { "^0" };
            let _ = writeln!(head, "from refs/heads/main{before}");
            self.branches.push(branch.to_owned());
        }
        self.stream.extend(head.bytes());
        for (path, change) in changes {
            self.change(&quoted(path), *change);
        }
        self.stream.push(b'\n');
    }

    /// Merges another branch, as it stands before the import, into one, without its changes.
    pub fn merge(&mut self, branch: &str, other: &str, message: &str) {
        self.commit(branch, message, &[]);
        // The parents follow the message: `from`, where there is one, and then `merge`.
        self.stream.pop();
        self.stream.extend(format!("merge refs/heads/{other}^0\n\n").bytes());
    }

    fn change(&mut self, path: &str, change: Change<'_>) {
        let (mode, content) = match change {
            Change::File(content) => ("100644", content),
            Change::Link(target) => ("120000", target.as_bytes()),
            Change::Module(oid) => return self.stream.extend(format!("M 160000 {oid} {path}\n").bytes()),
            Change::Remove => return self.stream.extend(format!("D {path}\n").bytes()),
        };
        self.stream.extend(format!("M {mode} inline {path}\ndata {}\n", content.len()).bytes());
        self.stream.extend(content);
        self.stream.push(b'\n');
    }

    /// Tags the tip of a branch.
    pub fn tag(&mut self, name: &str, branch: &str) {
        self.stream.extend(format!("reset refs/tags/{name}\nfrom refs/heads/{branch}\n\n").bytes());
    }

    /// What `git fast-import` reads.
    pub fn into_stream(self) -> Vec<u8> {
        self.stream
    }

    /// Writes it into a repository.
    pub async fn plant(self, app: &App, id: ResourceId) {
        let command = app.git.git().command(&app.git.path(id), "fast-import").args(["--quiet", "--force"]);
        let done = command.succeed(self.into_stream(), Limits::LONG).await;
        done.unwrap_or_else(|error| panic!("the history is not taken: {error}"));
    }
}

/// A history of `files` files in folders of fifty, and `commits` commits that each change one of them: a large, ordinary
/// repository, in which `src/busy.rs` is changed by every tenth.
pub fn large(files: usize, commits: usize) -> History {
    let mut history = History::default();
    let path = |n: usize| format!("src/part{:02}/file{:02}.rs", n / 50, n % 50).into_bytes();
    let text = |n: usize, version: usize| {
        let mut text = format!("//! File {n}, version {version}.\n\n");
        for line in 0..60 {
            let version = if line % 7 == version % 7 { version } else { 0 };
            let _ = writeln!(text, "pub fn step_{line}(input: u64) -> u64 {{ input + {n} + {version} }}");
        }
        text.into_bytes()
    };
    let first: Vec<(Vec<u8>, Vec<u8>)> = (0..files).map(|n| (path(n), text(n, 0))).collect();
    let changes: Vec<(&[u8], Change<'_>)> =
        first.iter().map(|(path, text)| (path.as_slice(), Change::File(text))).collect();
    history.commit("main", "Begin", &changes);
    for version in 1..commits {
        if version % 10 == 0 {
            let busy = text(0, version);
            history.commit(
                "main",
                &format!("Keep busy, {version}"),
                &[(b"src/busy.rs", Change::File(&busy))],
            );
        } else {
            let n = version * 37 % files.max(1);
            history.commit(
                "main",
                &format!("Change file {n}"),
                &[(&path(n), Change::File(&text(n, version)))],
            );
        }
    }
    history
}

/// A path as the stream takes it, whatever it holds.
fn quoted(path: &[u8]) -> String {
    let coded = path.iter().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_') {
            text.push(char::from(*byte));
        } else {
            let _ = write!(text, "\\{byte:03o}");
        }
        text
    });
    format!("\"{coded}\"")
}
