//! The load: agents propose, an owner approves and a person pushes, each on a branch of their own, until the server is
//! gone; what was answered stands in a book.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use countersign_store::testing::Folder;
use countersign_testkit::house::House;
use countersign_testkit::repo::{git, git_ok};

/// The branches, one for each who writes; the last is pushed to.
pub(crate) const LANES: [&str; 4] = ["lane-a", "lane-b", "lane-c", PUSHED];
pub(crate) const PUSHED: &str = "pushed";

/// What was answered until the power was cut.
#[derive(Debug, Default)]
pub(crate) struct Book {
    /// Proposals that were taken: id and branch.
    pub(crate) proposed: Vec<(String, &'static str)>,
    /// Approvals that were answered: id, branch and commit.
    pub(crate) landed: Vec<(String, &'static str, String)>,
    /// Approvals that were asked for and not answered: id and branch.
    pub(crate) begun: Vec<(String, &'static str)>,
    /// Commits whose push was answered.
    pub(crate) pushed: Vec<String>,
    /// How many pushes were cut short.
    pub(crate) pushing: usize,
}

impl Book {
    pub(crate) fn add(&mut self, other: Self) {
        self.proposed.extend(other.proposed);
        self.landed.extend(other.landed);
        self.begun.extend(other.begun);
        self.pushed.extend(other.pushed);
        self.pushing += other.pushing;
    }
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Proposals, approvals and pushes.
    All,
    /// Proposals alone: rows, and nothing in a repository.
    Proposals,
}

pub(crate) struct Load {
    /// Not on the power that is cut.
    place: Folder,
    next: AtomicUsize,
    /// How many calls were answered, pushes aside.
    pub(crate) answered: AtomicUsize,
    /// How many pushes were.
    pub(crate) pushed: AtomicUsize,
}

impl Load {
    /// Clones the branch that is pushed to.
    pub(crate) async fn prepare(house: &House) -> Self {
        let zero = || AtomicUsize::new(0);
        let load = Self { place: Folder::new(), next: zero(), answered: zero(), pushed: zero() };
        git_ok(load.place.path(), &["clone", "-q", "--branch", PUSHED, &house.clone_url(), "work"]).await;
        for (key, value) in [("user.name", "Pusher"), ("user.email", "pusher@countersign.example")] {
            git_ok(&load.work(), &["config", key, value]).await;
        }
        load
    }

    /// Where somebody works who pushes.
    pub(crate) fn work(&self) -> PathBuf {
        self.place.path().join("work")
    }

    /// Writes until the server is gone.
    pub(crate) async fn run(&self, house: &House, work: Work) -> Book {
        let [a, b, c, _] = LANES;
        self.answered.store(0, Ordering::SeqCst);
        self.pushed.store(0, Ordering::SeqCst);
        let push = async { if work == Work::All { self.push().await } else { Book::default() } };
        let land = |lane| self.land(house, lane, work);
        let (one, two, three, four) = tokio::join!(land(a), land(b), land(c), push);
        let mut all = Book::default();
        for book in [one, two, three, four] {
            all.add(book);
        }
        all
    }

    async fn land(&self, house: &House, lane: &'static str, work: Work) -> Book {
        let mut book = Book::default();
        loop {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            let mut import =
                house.import(&format!("{lane}-{n:06}"), &format!("{lane}/{n}.txt"), &format!("{n}\n"));
            import["branch"] = lane.into();
            let Some(answer) = house.agent.try_call("propose_gitnest_file_import", import).await else {
                return book;
            };
            let id = answer.ok()["proposal_id"].as_str().unwrap().to_owned();
            book.proposed.push((id.clone(), lane));
            if work == Work::Proposals {
                self.answered.fetch_add(1, Ordering::SeqCst);
                continue;
            }
            let Some((status, body)) = house.approve(&id).await else {
                book.begun.push((id, lane));
                return book;
            };
            assert_eq!(status.as_u16(), 200, "{body}");
            book.landed.push((id, lane, body["commit"].as_str().unwrap().to_owned()));
            self.answered.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Commits something new there; the commit.
    pub(crate) async fn commit(&self) -> String {
        let (n, work) = (self.next.fetch_add(1, Ordering::Relaxed), self.work());
        std::fs::write(work.join("pushed.txt"), format!("{n}\n")).unwrap();
        git_ok(&work, &["add", "-A"]).await;
        git_ok(&work, &["commit", "-q", "-m", &format!("Push {n}")]).await;
        git_ok(&work, &["rev-parse", "HEAD"]).await
    }

    async fn push(&self) -> Book {
        let (mut book, work) = (Book::default(), self.work());
        loop {
            let commit = self.commit().await;
            if !git(&work, &["push", "-q", "origin", "HEAD"]).await.status.success() {
                book.pushing += 1;
                return book;
            }
            book.pushed.push(commit);
            self.pushed.fetch_add(1, Ordering::SeqCst);
        }
    }
}
