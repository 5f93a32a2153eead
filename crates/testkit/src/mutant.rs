//! A mutant of the ref transaction: it compares in Rust and updates without the old value. The race test must
//! see it lose a commit, else the test proves nothing.

use std::path::Path;
use std::process::Stdio;

use countersign_core::id::ResourceId;
use countersign_git::GitHost;
use countersign_git::lock::RepoLock;
use countersign_git::refs::RefName;
use countersign_git::transaction::{Committing, RefEdit, RefOutcome, RefTransaction, Started};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

/// Compares first, then writes blindly.
#[derive(Clone, Debug)]
pub struct CompareThenWrite {
    host: GitHost,
}

impl CompareThenWrite {
    /// Moves refs of the repositories of `host`, wrongly.
    pub const fn new(host: GitHost) -> Self {
        Self { host }
    }
}

/// A transaction of the mutant.
struct Blind {
    host: GitHost,
    repository: ResourceId,
}

impl Blind {
    async fn run(&self, edits: Vec<RefEdit>) -> countersign_git::Result<RefOutcome> {
        let mut script = String::from("start\n");
        for edit in &edits {
            let (name, wanted) = match edit {
                RefEdit::Create { name, .. } => (name, None),
                RefEdit::Update { name, old, .. }
                | RefEdit::Delete { name, old }
                | RefEdit::Verify { name, old } => (name, Some(*old)),
            };
            let asked: RefName = name.clone();
            let now = self.host.with_refs(self.repository, move |refs| refs.find(&asked)).await?;
            if now != wanted {
                return Ok(RefOutcome::Conflict);
            }
            match edit {
                RefEdit::Create { name, new } | RefEdit::Update { name, new, .. } => {
                    script.extend(["update ", &name.full(), " ", &new.to_string(), "\n"]);
                }
                RefEdit::Delete { name, .. } => script.extend(["delete ", &name.full(), "\n"]),
                RefEdit::Verify { .. } => {}
            }
        }
        script.push_str("prepare\ncommit\n");
        Ok(if blindly(&self.host.path(self.repository), &script).await {
            RefOutcome::Done
        } else {
            RefOutcome::Locked
        })
    }
}

async fn blindly(repository: &Path, script: &str) -> bool {
    let mut child = Command::new("git")
        .arg("--git-dir")
        .arg(repository)
        .args(["update-ref", "--no-deref", "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("git starts");
    let mut stdin = child.stdin.take().expect("its input is piped");
    let written = stdin.write_all(script.as_bytes()).await.is_ok();
    drop(stdin);
    written && child.wait().await.is_ok_and(|status| status.success())
}

impl RefTransaction for CompareThenWrite {
    fn start(&self, lock: &RepoLock) -> countersign_git::Result<Box<dyn Started>> {
        Ok(Box::new(Blind { host: self.host.clone(), repository: lock.repository() }))
    }
}

impl Started for Blind {
    fn commit<'a>(self: Box<Self>, edits: Vec<RefEdit>) -> Committing<'a> {
        Box::pin(async move { self.run(edits).await })
    }
}
