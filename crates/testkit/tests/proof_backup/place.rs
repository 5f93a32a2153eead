//! The operator's commands, and what there is to compare afterwards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

use countersign_store::testing::Folder;
use countersign_testkit::data::Data;
use countersign_testkit::repo::tar;
use countersign_testkit::server::operate;
use serde_json::Value;
use tokio::process::Command;

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    /// What it answered, or why not.
    pub(crate) said: Value,
}

impl Ended {
    pub(crate) fn of(output: &Output) -> Self {
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let text = if output.status.success() { &out } else { &err };
        let said = serde_json::from_str(text).unwrap_or_else(|_| Value::from(format!("{out}{err}")));
        Self { code: output.status.code(), said }
    }

    /// What it answered; the test fails when it did not.
    pub(crate) fn ok(self) -> Value {
        assert_eq!(self.code, Some(0), "{}", self.said);
        self.said
    }

    /// Exit code and code of a failure.
    pub(crate) fn failed(&self) -> (Option<i32>, &str) {
        (self.code, self.said["code"].as_str().unwrap_or_default())
    }
}

/// A command of the operator at the machine of `data`, in JSON.
pub(crate) fn command(data: &Data, what: &str, file: &Path, more: &[&str]) -> Command {
    let file = file.display().to_string();
    operate(data, &[&["--json", what, &file], more].concat())
}

pub(crate) async fn backup(data: &Data, file: &Path) -> Ended {
    Ended::of(&command(data, "backup", file, &[]).output().await.expect("the program starts"))
}

pub(crate) async fn verify(data: &Data, file: &Path) -> Ended {
    Ended::of(&command(data, "backup", file, &["--verify"]).output().await.expect("the program starts"))
}

pub(crate) async fn restore(data: &Data, file: &Path) -> Ended {
    Ended::of(&command(data, "restore", file, &[]).output().await.expect("the program starts"))
}

/// The entries of a backup as `tar` unpacks them, but for the head and the manifest, which hold the time.
pub(crate) async fn entries(file: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let folder = Folder::new();
    unpack(file, folder.path()).await;
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.path().to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(&inner).expect("it is readable").flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
                continue;
            }
            let name = entry.path().strip_prefix(folder.path()).expect("it is in there").to_owned();
            if name.parent().is_some_and(|above| !above.as_os_str().is_empty()) {
                all.insert(name, std::fs::read(entry.path()).expect("it is readable"));
            }
        }
    }
    all
}

/// Unpacks with the tar of the machine: the file is one that others read too.
pub(crate) async fn unpack(file: &Path, folder: &Path) {
    let done = tar(&["-xf", &file.display().to_string(), "-C", &folder.display().to_string()]).await;
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// What is in a folder, at every depth.
pub(crate) fn everything_in(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(&inner).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            }
            all.push(entry.path());
        }
    }
    all.sort();
    all
}
