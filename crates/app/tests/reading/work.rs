//! Commits that somebody pushed, and proposals that an agent made.

use std::path::Path;
use std::process::Command;

use countersign_app::proposal::{FileImport, approve, propose_file_import};
use countersign_app::testing::home::Home;
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_core::id::ProposalId;
use serde_json::json;

/// What a git that succeeded has printed.
pub(crate) fn git(folder: &Path, args: &[&str]) -> String {
    let who = ["-c", "user.name=Pat", "-c", "user.email=pat@example.org"];
    let output = Command::new("git").args(who).args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// Pushes a commit with these files to `main` and answers its id.
pub(crate) fn push(home: &Home, message: &str, files: &[(&str, &str)]) -> String {
    let work = home.test.folder.path().join("work");
    let from = home.path().display().to_string();
    if !work.exists() {
        git(home.test.folder.path(), &["clone", "--quiet", &from, "work"]);
    }
    git(&work, &["pull", "--quiet", "--ff-only", "origin", "main"]);
    for (path, content) in files {
        let path = work.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    git(&work, &["add", "-A"]);
    git(&work, &["commit", "--quiet", "-m", message]);
    git(&work, &["push", "--quiet", "origin", "HEAD:main"]);
    git(&work, &["rev-parse", "HEAD"])
}

/// Proposes files on `main`.
pub(crate) async fn propose(home: &Home, message: &str, files: &[(&str, &str)]) -> ProposalId {
    let files: Vec<ProposedFile> = files
        .iter()
        .map(|(path, content)| ProposedFile { path: (*path).into(), content: (*content).into() })
        .collect();
    let import = FileImport {
        repository: home.repository,
        branch: "main".into(),
        message: message.into(),
        arguments: json!({ "message": message }),
        files,
        idempotency_key: format!("key of {}", message.escape_default()),
        expected_base_oid: None,
    };
    propose_file_import(home.app(), &home.agent, import).await.unwrap().proposal_id
}

/// Proposes files on `main` and approves them.
pub(crate) async fn approve_one(home: &Home, message: &str, files: &[(&str, &str)]) {
    let proposal = propose(home, message, files).await;
    approve(home.app(), &home.owner, proposal).await.unwrap().commit.unwrap();
}
