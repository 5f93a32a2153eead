//! Where a test works: a folder of repositories, and the git that a stranger would run on it.

use std::path::Path;
use std::process::{Command, Output};

use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::identity::Identity;
use countersign_core::gitnest::message::{AgentMessage, CommitMessage};
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::{ProposalId, ResourceId};
use countersign_core::time::Timestamp;
use countersign_git::create::NewRepository;
use countersign_git::sign::Signer;
use countersign_git::{GitHost, Repo, Result};
use tempfile::TempDir;
use uuid::Uuid;

/// A folder of repositories that is gone after the test.
pub(crate) struct Place {
    pub(crate) dir: TempDir,
    pub(crate) host: GitHost,
    pub(crate) signer: Signer,
    pub(crate) id: ResourceId,
}

impl Place {
    /// An empty folder.
    pub(crate) async fn empty() -> Self {
        let dir = TempDir::new().unwrap();
        let host = open(dir.path()).await;
        let signer = Signer::open(&dir.path().join("keys"), |seed| seed.fill(7)).unwrap();
        Self { dir, host, signer, id: ResourceId::new(Uuid::from_u128(1)) }
    }

    /// A folder with one repository, and its first commit.
    pub(crate) async fn with_repository() -> (Self, Oid) {
        let place = Self::empty().await;
        let tip = place.host.create(place.id, readme(), &place.signer).await.unwrap();
        (place, tip)
    }

    /// Runs git inside the repository and answers what it printed.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        said(&git(&self.host.path(self.id), args))
    }
}

/// The repositories of a folder, as one server opens them.
pub(crate) async fn open(root: &Path) -> GitHost {
    GitHost::open(&root.join("repositories"), git_binary().as_deref()).await.unwrap()
}

/// A git that is named where the first one on the path is too old.
pub(crate) fn git_binary() -> Option<std::path::PathBuf> {
    std::env::var_os("COUNTERSIGN_GIT").map(Into::into)
}

pub(crate) fn main_branch() -> BranchName {
    BranchName::parse("main").unwrap()
}

pub(crate) fn message(text: &str) -> CommitMessage {
    CommitMessage::plain(&AgentMessage::parse(text).unwrap())
}

pub(crate) fn mira() -> Identity {
    Identity::new("Mira", "mira@example.com")
}

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds * 1000)
}

pub(crate) fn proposal(number: u128) -> ProposalId {
    ProposalId::new(Uuid::from_u128(number))
}

pub(crate) fn readme() -> NewRepository {
    NewRepository {
        branch: main_branch(),
        readme: "# Orchard\n".into(),
        author: mira(),
        at: at(1_700_000_000),
        message: message("Begin"),
    }
}

/// Runs a plain git, as anybody would, but for the machine's own configuration.
pub(crate) fn git(folder: &Path, args: &[&str]) -> Output {
    let program = git_binary().unwrap_or_else(|| "git".into());
    Command::new(program)
        .args(args)
        .current_dir(folder)
        .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("LC_ALL", "C")])
        .envs([
            ("GIT_AUTHOR_NAME", "T"),
            ("GIT_AUTHOR_EMAIL", "t@t"),
            ("GIT_COMMITTER_NAME", "T"),
            ("GIT_COMMITTER_EMAIL", "t@t"),
        ])
        .output()
        .unwrap()
}

/// What a git that succeeded has printed.
pub(crate) fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// What work on the repository of `place` gives.
pub(crate) async fn asked<T: Send + 'static>(
    place: &Place,
    work: impl FnOnce(&Repo) -> Result<T> + Send + 'static,
) -> T {
    place.host.with(place.id, work).await.unwrap()
}
