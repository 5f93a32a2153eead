//! An approval as a script would make it: eight processes of git, each as small as it can be.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::failure::Failure;
use crate::process::command;

/// Whether what git wrote survives a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durable {
    /// git's default: objects and refs stay in the page cache.
    No,
    /// `core.fsync=all`.
    Yes,
}

/// A bare repository of the baseline's own.
#[derive(Debug)]
pub(crate) struct Script {
    git: PathBuf,
    bare: PathBuf,
    durable: Durable,
}

impl Script {
    /// Copies the repository at `from` to `bare`.
    pub(crate) fn copy(from: &Path, bare: &Path, durable: Durable) -> Result<Self, Failure> {
        // The same git that the product finds, and no search along the path for each process.
        let mut places = ["/usr/local/bin/git", "/usr/bin/git", "/bin/git"].into_iter().map(PathBuf::from);
        let git = places.find(|place| place.is_file()).ok_or_else(|| Failure::new("there is no git"))?;
        let script = Self { git, bare: bare.to_owned(), durable };
        let (from, to) = (from.to_string_lossy(), bare.to_string_lossy());
        script.git_in(Path::new("/"), &["clone", "--quiet", "--bare", "--no-hardlinks", &from, &to], "")?;
        Ok(script)
    }

    /// Puts one file on `main`, with a marker for `proposal`: look up both refs, tree, commit, transaction.
    pub(crate) fn approve(&self, proposal: &str, path: &str, content: &str) -> Result<(), Failure> {
        let marker = marker(proposal);
        if self.look_up_marker(proposal)? {
            return Err(Failure::new("the baseline approves what it has approved"));
        }
        let tip = self.tip()?;
        self.git(&["read-tree", &tip], "")?;
        let blob = self.git(&["hash-object", "-w", "--stdin"], content)?;
        self.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{blob},{path}")], "")?;
        let tree = self.git(&["write-tree"], "")?;
        let commit = self.git(&["commit-tree", &tree, "-p", &tip], &format!("Write {path}\n"))?;
        let edits = format!("create {marker} {commit}\nupdate refs/heads/main {commit} {tip}\n");
        self.git(&["update-ref", "--stdin"], &edits).map(drop)
    }

    /// Looks up both refs and finds that `base` is not the tip.
    pub(crate) fn refuse_stale(&self, proposal: &str, base: &str) -> Result<(), Failure> {
        if self.look_up_marker(proposal)? || self.tip()? == base {
            return Err(Failure::new("the baseline finds nothing stale"));
        }
        Ok(())
    }

    /// Finds the marker of what was approved.
    pub(crate) fn replay(&self, proposal: &str) -> Result<(), Failure> {
        if self.look_up_marker(proposal)? {
            Ok(())
        } else {
            Err(Failure::new("the baseline finds no marker"))
        }
    }

    pub(crate) fn tip(&self) -> Result<String, Failure> {
        self.git(&["rev-parse", "--verify", "refs/heads/main"], "")
    }

    fn look_up_marker(&self, proposal: &str) -> Result<bool, Failure> {
        let found = self.run(&self.bare, &["rev-parse", "--verify", "--quiet", &marker(proposal)], "")?;
        Ok(found.status.success())
    }

    fn git(&self, arguments: &[&str], input: &str) -> Result<String, Failure> {
        self.git_in(&self.bare, arguments, input)
    }

    fn git_in(&self, folder: &Path, arguments: &[&str], input: &str) -> Result<String, Failure> {
        let output = self.run(folder, arguments, input)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        Err(Failure::new(format!("git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr))))
    }

    fn run(&self, folder: &Path, arguments: &[&str], input: &str) -> Result<std::process::Output, Failure> {
        let failed = |error: std::io::Error| Failure::new(format!("git: {error}"));
        let mut git = command(&self.git);
        git.current_dir(folder)
            .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
            .envs([("GIT_AUTHOR_NAME", "Agent"), ("GIT_AUTHOR_EMAIL", "agent@countersign.example")])
            .envs([("GIT_COMMITTER_NAME", "Olivia"), ("GIT_COMMITTER_EMAIL", "olivia@countersign.example")])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if self.durable == Durable::Yes {
            git.args(["-c", "core.fsync=all"]);
        }
        git.args(arguments);
        if input.is_empty() {
            return git.stdin(Stdio::null()).output().map_err(failed);
        }
        let mut child = git.stdin(Stdio::piped()).spawn().map_err(failed)?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes()).map_err(failed)?;
        }
        child.wait_with_output().map_err(failed)
    }
}

fn marker(proposal: &str) -> String {
    format!("refs/proposals/{proposal}")
}
