//! Must show: objects are pruned and repacked without pause while approvals and pushes run in two servers on one
//! PostgreSQL and one repository folder: nothing is lost.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use countersign_core::id::ResourceId;
use countersign_git::GitHost;
use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::{git, git_ok};
use countersign_testkit::server::{Options, TestServer};
use countersign_testkit::{trials, upkeep};

/// Prunes at once what nothing reaches and repacks the rest, until told to stop, in a third process, so that only the
/// lock on disk keeps it from the servers.
async fn keep_pruning(repositories: PathBuf, id: ResourceId, stop: Arc<AtomicBool>) -> usize {
    let host = GitHost::open(&repositories, None).await.expect("the folder opens");
    let mut runs = 0;
    while !stop.load(Ordering::Relaxed) {
        match upkeep::tend(&host, id).await {
            Ok(()) => {}
            Err(error) if error.is_passing() => continue,
            Err(error) => panic!("upkeep goes on: {error}"),
        }
        runs += 1;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    runs
}

/// Approves at `base` one proposal after another on `branch`; the commits that were reported.
async fn approve(house: &House, base: &str, branch: &str, trials: usize) -> Vec<String> {
    let mut commits = Vec::new();
    for trial in 0..trials {
        let path = format!("{branch}/{trial}.txt");
        let mut import = house.import(&format!("{branch}-{trial:04}"), &path, &format!("{branch} {trial}\n"));
        import["branch"] = branch.into();
        let answer = house.agent.call("propose_gitnest_file_import", import).await;
        let id = answer.ok()["proposal_id"].as_str().expect("an id").to_owned();
        let body = loop {
            let (status, body) = house.approve_at(base, &id).await.expect("the server answers");
            match status.as_u16() {
                200 => break body,
                // The repository was held alone for too long: the answer asks to call again.
                503 => tokio::time::sleep(Duration::from_millis(100)).await,
                _ => panic!("{branch} {trial}: {status} {body}"),
            }
        };
        commits.push(body["commit"].as_str().expect("a commit").to_owned());
    }
    commits
}

/// Pushes one commit after another to `branch`, and lets each second one be forced away from a scratch branch, so
/// that there is always something that nothing reaches; the commits that were taken.
async fn push(work: &Path, branch: &str, trials: usize) -> Vec<String> {
    let mut commits = Vec::new();
    for trial in 0..trials {
        let text = format!("{branch} pushed {trial}\n");
        std::fs::write(work.join(format!("{branch}.txt")), text).expect("a file can be written");
        git_ok(work, &["add", "-A"]).await;
        git_ok(work, &["commit", "-q", "-m", &format!("{branch} {trial}")]).await;
        let scratch = format!("+HEAD~{}:refs/heads/scratch-{branch}", trial % 2);
        for refspec in [format!("HEAD:refs/heads/{branch}"), scratch] {
            try_push(work, &refspec).await;
        }
        commits.push(git_ok(work, &["rev-parse", "HEAD"]).await);
    }
    commits
}

async fn try_push(work: &Path, refspec: &str) {
    for _ in 0..20 {
        let output = git(work, &["push", "-q", "origin", refspec]).await;
        if output.status.success() {
            return;
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_busy = said.contains("503") || said.contains("Push again in a few seconds.");
        assert!(is_busy, "a push may be told to come again, and nothing else: {said}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("twenty pushes were told to come again");
}

/// Clones over and over; how often. A reader takes no lock and is never refused.
async fn keep_cloning(house: &House, stop: &AtomicBool) -> usize {
    let mut clones = 0;
    while !stop.load(Ordering::Relaxed) {
        let name = format!("reader-{clones}");
        git_ok(&house.data.folder(), &["clone", "-q", &house.clone_url(), &name]).await;
        let folder = house.data.folder().join(name);
        git_ok(&folder, &["fsck", "--strict"]).await;
        std::fs::remove_dir_all(folder).expect("it can be removed");
        clones += 1;
    }
    clones
}

async fn work_tree(house: &House, url: &str, branch: &str) -> PathBuf {
    let name = format!("work-{branch}");
    git_ok(&house.data.folder(), &["clone", "-q", url, &name]).await;
    let work = house.data.folder().join(name);
    git_ok(&work, &["config", "user.name", "Pusher"]).await;
    git_ok(&work, &["config", "user.email", "pusher@countersign.example"]).await;
    work
}

#[tokio::test(flavor = "multi_thread")]
async fn prune_and_repack_without_pause_lose_no_approval_and_no_push_in_two_servers() {
    let house = House::build(Engine::Postgres, &Options::default()).await;
    let second = TestServer::start(&house.data, &Options::default()).await;
    git_ok(&house.bare(), &["branch", "lane", "main"]).await;
    let there =
        house.clone_url().replace(&house.server.url["http://".len()..], &second.url["http://".len()..]);
    let one = work_tree(&house, &house.clone_url(), "one").await;
    let two = work_tree(&house, &there, "two").await;
    let stop = Arc::new(AtomicBool::new(false));
    let id = ResourceId::parse(&house.repository).expect("an id");
    let pruning = tokio::spawn(keep_pruning(house.data.repositories(), id, Arc::clone(&stop)));
    let trials = trials(30, 300);
    let writing = async {
        let lists = tokio::join!(
            approve(&house, &house.server.url, "main", trials),
            approve(&house, &second.url, "lane", trials),
            push(&one, "one", trials),
            push(&two, "two", trials),
        );
        stop.store(true, Ordering::Relaxed);
        lists
    };
    let ((main, lane, one, two), clones) = tokio::join!(writing, keep_cloning(&house, &stop));
    let pruned = pruning.await.expect("the pruning ends");
    for (branch, commits) in [("main", &main), ("lane", &lane), ("one", &one), ("two", &two)] {
        let history = git_ok(&house.bare(), &["rev-list", &format!("refs/heads/{branch}")]).await;
        let lost: Vec<_> = commits.iter().filter(|commit| !history.contains(commit.as_str())).collect();
        assert!(lost.is_empty(), "{branch} lost {lost:?}");
    }
    git_ok(&house.bare(), &["fsck", "--strict", "--full"]).await;
    assert!(pruned >= 5 && clones >= 1, "{pruned} runs, {clones} clones: this showed nothing");
    println!(
        "proof: prune and repack without pause in a third process: {} approvals and {} pushes in two servers, \
         {pruned} runs, {clones} clones, 0 lost",
        main.len() + lane.len(),
        one.len() + two.len()
    );
    second.stop().await;
}
