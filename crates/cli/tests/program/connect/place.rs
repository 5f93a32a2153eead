//! A home and a folder of work with nothing in them, and the programs that run there.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// Where the connector would be.
pub(super) const SERVER: &str = "http://127.0.0.1:8421";

/// The tests' Node, and the hosts beside it.
fn e2e() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/e2e").canonicalize().unwrap()
}

/// A home and a folder of work.
pub(super) struct Place {
    folder: TempDir,
}

impl Place {
    pub(super) fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(place.home()).unwrap();
        std::fs::create_dir(place.work()).unwrap();
        place
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(super) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The file of a host, below the work or the home.
    pub(super) fn file(&self, file: &str) -> PathBuf {
        file.strip_prefix("~/").map_or_else(|| self.work().join(file), |below| self.home().join(below))
    }

    pub(super) fn put(&self, file: &str, text: &str) {
        let path = self.file(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// `countersign` with these arguments; whether it succeeded, and its answer or its complaint.
    pub(super) fn countersign(&self, arguments: &[&str]) -> (bool, Value) {
        let mut program = self.bare(Path::new(env!("CARGO_BIN_EXE_countersign")));
        let output = program.args(["--json", "--url", SERVER]).args(arguments).output().unwrap();
        let said = if output.status.success() { &output.stdout } else { &output.stderr };
        (output.status.success(), serde_json::from_slice(said).unwrap())
    }

    /// What `countersign connect` says of a host.
    pub(super) fn recipe(&self, host: &str) -> Value {
        let (good, recipe) = self.countersign(&["connect", host]);
        assert!(good, "{recipe}");
        recipe
    }

    /// `countersign connect HOST --write`.
    pub(super) fn write(&self, host: &str) -> Value {
        let (good, wrote) = self.countersign(&["connect", host, "--write"]);
        assert!(good, "{wrote}");
        wrote
    }

    /// Runs Claude Code; what it printed.
    pub(super) fn claude(&self, arguments: &[&str]) -> String {
        self.node("@anthropic-ai/claude-code/cli.js", arguments)
    }

    /// Runs Gemini CLI; what it printed.
    pub(super) fn gemini(&self, arguments: &[&str]) -> String {
        self.node("@google/gemini-cli/bundle/gemini.js", arguments)
    }

    /// Runs Codex; what it printed.
    pub(super) fn codex(&self, arguments: &[&str]) -> String {
        let (package, triple) = match std::env::consts::ARCH {
            "aarch64" => ("codex-linux-arm64", "aarch64-unknown-linux-musl"),
            _ => ("codex-linux-x64", "x86_64-unknown-linux-musl"),
        };
        let program =
            e2e().join("hosts/node_modules").join(package).join("vendor").join(triple).join("codex/codex");
        run(self.bare(&program).args(arguments))
    }

    /// Runs a script of the hosts' folder.
    pub(super) fn node(&self, script: &str, arguments: &[&str]) -> String {
        let mut node = self.bare(&e2e().join("node_modules/.bin/node"));
        run(node.arg(e2e().join("hosts/node_modules").join(script)).args(arguments))
    }

    /// A program with nothing in its environment but its home, and that it may not call home.
    fn bare(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.work())
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", "/usr/bin:/bin")
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            // Gemini CLI asks its person at the first start in a folder whether it may read the folder's settings.
            .env("GEMINI_CLI_TRUST_WORKSPACE", "true")
            .stdin(std::process::Stdio::null());
        command
    }
}

fn run(command: &mut Command) -> String {
    let output =
        command.output().unwrap_or_else(|error| panic!("no host to run ({error}): run `make setup` first"));
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    said
}
