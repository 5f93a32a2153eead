//! Under load: whatever was answered before a backup began is in it, and nothing in it is half.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use countersign_core::id::ProposalId;
use countersign_store::testing::Folder;
use countersign_store::{Db, proposal};
use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::House;
use countersign_testkit::repo::{git, git_ok, holds};
use countersign_testkit::server::{Options, TestServer, run};
use countersign_testkit::trials;
use reqwest::Method;
use serde_json::json;

use crate::place::{backup, restore};

/// How long the load may take to come to what a backup waits for.
const HANG: Duration = Duration::from_mins(2);

/// What the servers answered so far.
#[derive(Clone, Debug, Default)]
struct Answered {
    /// Proposals that were approved, with their commits.
    approved: Vec<(String, String)>,
    /// Commits that were pushed to `topic`.
    pushed: Vec<String>,
}

struct Load {
    house: House,
    /// Every server.
    bases: Vec<String>,
    answered: Mutex<Answered>,
}

impl Load {
    fn answered(&self) -> Answered {
        self.answered.lock().expect("nobody panics with it").clone()
    }

    fn clone_url(&self, n: usize) -> String {
        let base = &self.bases[n % self.bases.len()];
        self.house
            .clone_url()
            .replace(&self.house.server.url.replace("http://", ""), &base.replace("http://", ""))
    }

    /// A work tree of its own.
    async fn work(&self, name: &str) -> PathBuf {
        let folder = self.house.data.folder();
        git_ok(&folder, &["clone", "-q", &self.house.clone_url(), name]).await;
        let work = folder.join(name);
        for (key, value) in [("user.name", "Pusher"), ("user.email", "pusher@countersign.example")] {
            git_ok(&work, &["config", key, value]).await;
        }
        work
    }

    /// Proposes and approves for ever, at each server in turn.
    async fn approves(&self) {
        for n in 0.. {
            let id =
                self.house.propose(&format!("load-key-{n}"), &format!("f{n}.txt"), &format!("{n}\n")).await;
            let base = &self.bases[n % self.bases.len()];
            let (status, body) = self.house.approve_at(base, &id).await.expect("the server answers");
            if status.as_u16() == 200 {
                let commit = body["commit"].as_str().expect("a commit").to_owned();
                self.answered.lock().expect("nobody panics with it").approved.push((id, commit));
            }
        }
    }

    /// Pushes to one branch for ever.
    async fn pushes(&self) {
        let work = self.work("pusher").await;
        for n in 0.. {
            git_ok(&work, &["commit", "-q", "--allow-empty", "-m", &format!("Push {n}")]).await;
            if git(&work, &["push", "-q", &self.clone_url(n), "HEAD:topic"]).await.status.success() {
                let commit = git_ok(&work, &["rev-parse", "HEAD"]).await;
                self.answered.lock().expect("nobody panics with it").pushed.push(commit);
            }
        }
    }

    /// Makes branches and tags and removes them again, one where another one's folder was.
    async fn comes_and_goes(&self) {
        let work = self.work("gardener").await;
        for n in 0.. {
            git_ok(&work, &["commit", "-q", "--allow-empty", "-m", &format!("Branch {n}")]).await;
            for names in
                [["HEAD:a", "HEAD:refs/tags/t"], [":a", ":t"], ["HEAD:a/b", "HEAD:c"], [":a/b", ":c"]]
            {
                let _ = git(&work, &["push", "-q", &self.clone_url(n), names[0], names[1]]).await;
            }
        }
    }

    /// Makes repositories for ever.
    async fn makes(&self) {
        for n in 0.. {
            let new = json!({ "name": format!("new-{n}"), "project_id": self.house.project });
            let _ = self.house.api(Method::POST, "/api/v1/repositories", Some(new)).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }

    /// Takes backups, each after more was answered; what was answered before each.
    async fn backups(&self, folder: &Folder, count: usize) -> Vec<(PathBuf, Answered)> {
        let mut taken = Vec::new();
        for n in 0..count {
            let more = async {
                let before = self.answered();
                loop {
                    let now = self.answered();
                    if now.approved.len() > before.approved.len() && now.pushed.len() > before.pushed.len() {
                        return now;
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            let seen = tokio::time::timeout(HANG, more).await.expect("the load goes on");
            let file = folder.path().join(format!("{n}.tar"));
            backup(&self.house.data, &file).await.ok();
            taken.push((file, seen));
        }
        taken
    }
}

async fn under_load(engine: Engine, servers: usize) {
    let house = House::build(engine, &Options::default()).await;
    let mut others = Vec::new();
    for _ in 1..servers {
        others.push(TestServer::start(&house.data, &Options::default()).await);
    }
    let bases = std::iter::once(&house.server).chain(&others).map(|server| server.url.clone()).collect();
    let load = Load { house, bases, answered: Mutex::default() };
    let files = Folder::new();
    let count = trials(3, 20);
    let working = async {
        tokio::join!(load.approves(), load.pushes(), load.comes_and_goes(), load.makes());
    };
    let taken = tokio::select! {
        taken = load.backups(&files, count) => taken,
        () = working => panic!("the load ended"),
    };
    let Load { mut house, answered, .. } = load;
    let total = answered.into_inner().expect("nobody panics with it");
    house.server.kill().await;
    for mut other in others {
        other.kill().await;
    }
    for (n, (file, seen)) in taken.iter().enumerate() {
        let to = [Engine::Sqlite, Engine::Postgres][n % 2];
        let old = std::mem::replace(&mut house.data, Data::new(to).await);
        restore(&house.data, file).await.ok();
        holds_all(&house, seen).await;
        house.restart(&Options::default()).await;
        let audit = run(&house.server.url, &house.token, &["verify", "audit"]).await;
        assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
        house.server.kill().await;
        holds_all(&house, seen).await;
        std::mem::replace(&mut house.data, old).remove().await;
    }
    println!(
        "proof: backups under load of {servers} servers on {engine:?}: {count} taken and restored, {} approvals and {} pushes meanwhile, 0 lost",
        total.approved.len(),
        total.pushed.len()
    );
    house.data.remove().await;
}

/// Every approval is executed and every commit is on its branch.
async fn holds_all(house: &House, seen: &Answered) {
    let bare = house.bare();
    git_ok(&bare, &["fsck", "--strict", "--no-dangling"]).await;
    let db = Db::open(&house.data.database_url()).await.expect("the database is free");
    for (id, commit) in &seen.approved {
        assert!(holds(&bare, commit).await, "the commit of {id} is not on its branch");
        let id = ProposalId::parse(id).expect("an id");
        let row = db.read(move |t| Box::pin(proposal::find(t, id))).await.expect("it can be read");
        assert_eq!(row.map(|row| row.status).as_deref(), Some("executed"), "{id}");
    }
    for commit in &seen.pushed {
        git_ok(&bare, &["merge-base", "--is-ancestor", commit, "refs/heads/topic"]).await;
    }
    db.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_two_servers_at_work_holds_whatever_was_answered_before() {
    under_load(Engine::Postgres, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_one_server_at_work_holds_whatever_was_answered_before() {
    under_load(Engine::Sqlite, 1).await;
}
