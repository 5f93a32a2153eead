//! Must show: two proposals on one base, approved at the same instant in two server processes on one PostgreSQL
//! and one repository folder, while refs are packed in a loop: exactly one lands.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::{git, git_ok, holds, tip};
use countersign_testkit::server::{Options, TestServer};
use countersign_testkit::trials;
use serde_json::Value;

/// Packs refs until told to stop.
fn pack_refs(bare: PathBuf) -> (Arc<AtomicBool>, tokio::task::JoinHandle<usize>) {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    let task = tokio::spawn(async move {
        let mut runs = 0;
        while !told.load(Ordering::Relaxed) {
            let _ = git(&bare, &["pack-refs", "--all"]).await;
            runs += 1;
        }
        runs
    });
    (stop, task)
}

/// What one approve came to: its commit when it landed.
fn landed(answer: Option<(reqwest::StatusCode, Value)>) -> Option<String> {
    let (status, body) = answer.expect("the server answers");
    match (status.as_u16(), body["code"].as_str()) {
        (200, _) => Some(body["commit"].as_str().expect("a commit").to_owned()),
        (409, Some("proposal_stale")) => {
            assert!(
                body["base_oid"].is_string() && body["branch_head"].is_string(),
                "both ids are named: {body}"
            );
            None
        }
        _ => panic!("neither landed nor stale: {status} {body}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_approvals_on_one_base_in_two_servers_exactly_one_lands() {
    let house = House::build(Engine::Postgres, &Options::default()).await;
    let second = TestServer::start(&house.data, &Options::default()).await;
    let (stop, packing) = pack_refs(house.bare());
    let mut wins = [0_usize; 2];
    for trial in 0..trials(300, 1000) {
        let a = house.propose(&format!("race-a-{trial}"), &format!("a/{trial}.txt"), "a\n").await;
        let b = house.propose(&format!("race-b-{trial}"), &format!("b/{trial}.txt"), "b\n").await;
        let (one, two) =
            tokio::join!(house.decided_at(&house.server.url, &a), house.decided_at(&second.url, &b));
        let commits = [landed(one), landed(two)];
        let winners: Vec<usize> = (0..2).filter(|n| commits[*n].is_some()).collect();
        assert_eq!(winners.len(), 1, "trial {trial}: {commits:?}");
        wins[winners[0]] += 1;
        let commit = commits[winners[0]].as_deref().expect("the winner has a commit");
        assert!(
            holds(&house.bare(), commit).await,
            "trial {trial}: {commit} was reported and is not in the branch"
        );
    }
    stop.store(true, Ordering::Relaxed);
    let packed = packing.await.expect("the packing ends");
    println!(
        "proof: race of two approvals in two servers: {} trials, wins {wins:?}, {packed} runs of pack-refs, 0 lost",
        wins[0] + wins[1]
    );
    git_ok(&house.bare(), &["fsck", "--strict"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_racing_push_exactly_one_of_three_moves_the_branch_off_the_base() {
    let house = House::build(Engine::Postgres, &Options::default()).await;
    let second = TestServer::start(&house.data, &Options::default()).await;
    let (stop, packing) = pack_refs(house.bare());
    let work = tempfile(&house).await;
    let mut wins = [0_usize; 3];
    for trial in 0..200 {
        let base = tip(&house.bare()).await;
        let a = house.propose(&format!("push-a-{trial}"), &format!("a/{trial}.txt"), "a\n").await;
        let b = house.propose(&format!("push-b-{trial}"), &format!("b/{trial}.txt"), "b\n").await;
        git_ok(&work, &["fetch", "-q", "origin"]).await;
        git_ok(&work, &["reset", "-q", "--hard", "origin/main"]).await;
        git_ok(&work, &["commit", "-q", "--allow-empty", "-m", &format!("push {trial}")]).await;
        let pushed = git_ok(&work, &["rev-parse", "HEAD"]).await;
        // A push takes longer to reach the refs than an approval or not, as the machine has it: the head starts
        // of both sweep over that, so that each side wins some of the races.
        let pause = |steps: usize| std::time::Duration::from_millis(u64::try_from(steps).unwrap_or(0) * 15);
        let (push_waits, approve_waits) = if trial % 2 == 0 { (trial % 8, 0) } else { (0, trial % 32) };
        let push = async {
            tokio::time::sleep(pause(push_waits)).await;
            let output = git(&work, &["push", "-q", "origin", "HEAD:main"]).await;
            output.status.success()
        };
        let approve = async {
            tokio::time::sleep(pause(approve_waits)).await;
            tokio::join!(house.decided_at(&house.server.url, &a), house.decided_at(&second.url, &b))
        };
        let (push_won, (one, two)) = tokio::join!(push, approve);
        let mut winners = Vec::new();
        for (n, answer) in [(0, one), (1, two)] {
            if let Some(commit) = landed(answer) {
                assert!(holds(&house.bare(), &commit).await, "trial {trial}: {commit} is lost");
                let parent = git_ok(&house.bare(), &["rev-parse", &format!("{commit}^")]).await;
                if parent == base {
                    winners.push(n);
                }
            }
        }
        if push_won {
            assert!(holds(&house.bare(), &pushed).await, "trial {trial}: the push is lost");
            winners.push(2);
        }
        assert_eq!(winners.len(), 1, "trial {trial}: {winners:?} moved the branch off {base}");
        wins[winners[0]] += 1;
    }
    stop.store(true, Ordering::Relaxed);
    let _ = packing.await;
    println!("proof: race with a push: wins {wins:?} (approval here, approval there, push), 0 lost");
    assert!(wins.iter().all(|count| *count >= 5), "each of the three wins at least five times: {wins:?}");
}

/// A work tree that fetches from the bare folder and pushes over HTTP, as people do.
async fn tempfile(house: &House) -> PathBuf {
    let work = house.data.folder().join("work");
    let bare = house.bare();
    git_ok(&house.data.folder(), &["clone", "-q", &bare.display().to_string(), "work"]).await;
    git_ok(&work, &["remote", "set-url", "--push", "origin", &house.clone_url()]).await;
    git_ok(&work, &["config", "user.name", "Pusher"]).await;
    git_ok(&work, &["config", "user.email", "pusher@countersign.example"]).await;
    work
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mutant_that_compares_in_rust_loses_a_commit() {
    let options = Options { mutant_refs: true, ..Options::default() };
    let house = House::build(Engine::Postgres, &options).await;
    let second = TestServer::start(&house.data, &options).await;
    for trial in 0..1000 {
        let a = house.propose(&format!("mutant-a-{trial}"), &format!("a/{trial}.txt"), "a\n").await;
        let b = house.propose(&format!("mutant-b-{trial}"), &format!("b/{trial}.txt"), "b\n").await;
        let (one, two) =
            tokio::join!(house.decided_at(&house.server.url, &a), house.decided_at(&second.url, &b));
        for answer in [one, two] {
            if let Some((status, body)) = answer
                && status.as_u16() == 200
                && !holds(&house.bare(), body["commit"].as_str().expect("a commit")).await
            {
                println!("proof: the mutant that compares in Rust: lost a commit in trial {trial}");
                return;
            }
        }
    }
    panic!("the mutant lost nothing in 1,000 trials: the race test proves nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_that_starts_during_sixteen_approvals_loses_nothing() {
    let house = Arc::new(House::build(Engine::Postgres, &Options::default()).await);
    let mut overlaps = 0;
    for round in 0..5 {
        overlaps += u32::from(second_server_during_sixteen(&house, round).await);
    }
    assert!(overlaps > 0, "each time all sixteen had ended before the second server served");
    println!(
        "proof: a second server starts during sixteen approvals: 5 times, {overlaps} overlapped, all landed"
    );
}

/// Whether an approval was still under way when the second server served.
async fn second_server_during_sixteen(house: &Arc<House>, round: usize) -> bool {
    let lanes: Vec<_> = (16 * round..16 * (round + 1)).map(|n| format!("main:refs/heads/lane-{n}")).collect();
    let there = house.clone_url();
    let push: Vec<&str> =
        ["push", "-q", &there].into_iter().chain(lanes.iter().map(String::as_str)).collect();
    git_ok(&house.bare(), &push).await;
    let mut proposals = Vec::new();
    for n in (16 * round)..(16 * (round + 1)) {
        let mut arguments = house.import(&format!("lane-key-{n}"), &format!("lane/{n}.txt"), "x\n");
        arguments["branch"] = format!("lane-{n}").into();
        let answer = house.agent.call("propose_gitnest_file_import", arguments).await;
        proposals.push(answer.ok()["proposal_id"].as_str().expect("an id").to_owned());
    }
    let approvals: Vec<_> = proposals
        .into_iter()
        .map(|id| {
            let house = Arc::clone(house);
            // Sixteen at once may be told to wait and call again; whoever does so gets the answer.
            tokio::spawn(async move {
                loop {
                    let answer = house.approve(&id).await;
                    if answer.as_ref().is_none_or(|(status, _)| status.as_u16() != 503) {
                        return answer;
                    }
                    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
                }
            })
        })
        .collect();
    let second = TestServer::start(&house.data, &Options::default()).await;
    let overlapped = approvals.iter().any(|approval| !approval.is_finished());
    for (n, approval) in (16 * round..).zip(approvals) {
        let commit =
            landed(approval.await.expect("the approval ends")).expect("nobody else moves this branch");
        let head = git_ok(&house.bare(), &["rev-parse", &format!("refs/heads/lane-{n}")]).await;
        assert_eq!(head, commit);
    }
    second.stop().await;
    overlapped
}
