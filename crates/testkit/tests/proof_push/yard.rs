//! Somebody who pushes to a house, and what must be true of the repository whatever was killed.

use std::path::{Path, PathBuf};

use countersign_app::testing::noise::noise;
use countersign_core::id::ResourceId;
use countersign_store::event::Event;
use countersign_store::testing::log;
use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::{git_ok, push, tip};
use countersign_testkit::server::Options;
use serde_json::Value;
use tokio::process::Child;

/// How much each push brings: more than fits between the two at once.
const BYTES: usize = 600 << 10;

/// A house, and a work tree of its owner.
pub(crate) struct Yard {
    pub(crate) house: House,
    pub(crate) work: PathBuf,
    /// Where `main` was when this began.
    pub(crate) first: String,
    count: u64,
}

impl Yard {
    pub(crate) async fn open(engine: Engine) -> Self {
        let house = House::build(engine, &Options::default()).await;
        let folder = house.data.folder();
        git_ok(&folder, &["clone", "-q", &house.clone_url(), "work"]).await;
        let work = folder.join("work");
        git_ok(&work, &["config", "user.name", "Pusher"]).await;
        git_ok(&work, &["config", "user.email", "pusher@countersign.example"]).await;
        let first = tip(&house.bare()).await;
        Self { house, work, first, count: 0 }
    }

    /// Commits something new on top of what `main` is now, and answers the commit.
    pub(crate) async fn change(&mut self) -> String {
        self.count += 1;
        let bare = self.house.bare().display().to_string();
        git_ok(&self.work, &["fetch", "-q", &bare, "main"]).await;
        git_ok(&self.work, &["reset", "-q", "--hard", "FETCH_HEAD"]).await;
        std::fs::write(self.work.join("noise"), noise(self.count, BYTES)).expect("the work tree is writable");
        git_ok(&self.work, &["add", "-A"]).await;
        git_ok(&self.work, &["commit", "-q", "-m", &format!("Change {}", self.count)]).await;
        git_ok(&self.work, &["rev-parse", "HEAD"]).await
    }

    /// Begins to push it; whoever drops the answer kills git.
    pub(crate) fn push(&self) -> Child {
        push(&self.work, &self.house.clone_url(), &["HEAD:main"])
    }

    /// The log's pushes: kind, old, new of `main`.
    pub(crate) async fn told(&self) -> Vec<(String, Option<String>, Option<String>)> {
        let repository = ResourceId::parse(&self.house.repository).expect("an id");
        let events = log::beside(&self.house.data.database_url(), repository).await;
        let pushes = events.into_iter().filter(|event| event.kind.starts_with("push"));
        let read = |event: Event| {
            let refs: Value = serde_json::from_str(&event.refs).expect("JSON");
            let oid = |name: &str| refs[name].as_str().map(str::to_owned);
            (refs["ref"] == "refs/heads/main").then(|| (event.kind, oid("old"), oid("new")))
        };
        pushes.filter_map(read).collect()
    }

    /// What must be true at rest: the repository is whole, nothing half is left, and the log tells of each move of
    /// `main` exactly once, from where it began to where it is.
    pub(crate) async fn is_sound(&self, what: &str) {
        let bare = self.house.bare();
        git_ok(&bare, &["fsck", "--strict", "--no-dangling"]).await;
        assert_eq!(quarantines(&bare), 0, "{what}: a quarantine is left");
        let now = tip(&bare).await;
        let mut at = self.first.clone();
        for (kind, old, new) in self.told().await {
            assert_eq!(old.as_deref(), Some(at.as_str()), "{what}: {kind} is told twice or out of order");
            at = new.expect("main is never deleted");
        }
        assert_eq!(at, now, "{what}: a move is not told");
    }

    /// Lets a quarantine that was left lie for a while, and starts the server anew.
    pub(crate) async fn restart(&mut self) {
        self.house.server.kill().await;
        for place in quarantine_folders(&self.house.bare()) {
            age(&place);
        }
        self.house.restart(&Options::default()).await;
    }
}

/// Lets a folder and what it holds be as if nobody had touched it for long.
fn age(place: &Path) {
    if place.is_dir() {
        let entries = std::fs::read_dir(place).expect("a quarantine is readable").flatten();
        entries.for_each(|entry| age(&entry.path()));
    }
    let file = std::fs::File::open(place).expect("what is in it is readable");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("its time can be set");
}

fn quarantine_folders(bare: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(bare.join("objects")).expect("objects are readable").flatten();
    let kept = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("tmp_objdir"));
    kept.map(|entry| entry.path()).collect()
}

/// How many pushes have left what they brought.
pub(crate) fn quarantines(bare: &Path) -> usize {
    quarantine_folders(bare).len()
}
