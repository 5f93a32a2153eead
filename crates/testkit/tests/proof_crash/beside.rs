//! The same kills while a second server serves the store and the folder: the one that lives finishes what the other
//! began, and nobody starts that one again first.

use std::time::Duration;

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::{commits, git_ok};
use countersign_testkit::server::{Options, TestServer};
use countersign_testkit::wrapper::{self, Mishap};

use crate::landing::{killed_at, lands_once_at};
use crate::torn::torn;
use crate::{ORDINARY, kills};

/// A house whose server is to be killed, and the server that lives beside it.
async fn neighbours() -> (House, TestServer) {
    let house = House::build(Engine::Postgres, &Options::default()).await;
    let beside = TestServer::start(&house.data, &Options::default()).await;
    (house, beside)
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_every_ordinary_point_the_server_beside_it_lands_it() {
    let (mut house, beside) = neighbours().await;
    for point in ORDINARY {
        for n in 0..kills() {
            let what = format!("beside {} {n}", point.as_str());
            house.restart(&killed_at(&format!("{}:1", point.as_str()))).await;
            let proposal = house.propose(&what, &format!("{what}.txt"), "x\n").await;
            let before = commits(&house.bare()).await;
            assert!(house.approve(&proposal).await.is_none(), "{what}: killed before it answered");
            assert!(house.server.ended().await, "{what}: by a signal");
            lands_once_at(&house, &beside.url, &proposal, (before, &what)).await;
        }
    }
    println!("proof: killed beside a second server: {} kills, one commit each", ORDINARY.len() * kills());
    git_ok(&house.bare(), &["fsck", "--strict"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_the_renames_the_server_beside_it_rolls_forward() {
    let (mut house, beside) = neighbours().await;
    for n in 0..kills() {
        let what = format!("beside-torn-{n}");
        house.restart(&Options::default()).await;
        let before = commits(&house.bare()).await;
        let proposal = torn(&mut house, &what).await;
        lands_once_at(&house, &beside.url, &proposal, (before, &what)).await;
    }
    println!(
        "proof: killed between git's renames beside a second server: {} kills, one commit each",
        kills()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_where_it_sweeps_and_where_it_gives_up_the_server_beside_it_goes_on() {
    let (mut house, beside) = neighbours().await;
    for n in 0..kills() {
        for (at, git_refuses) in
            [("take_alone:1", false), ("sweep:1", false), ("recheck:1", true), ("give_up:1", true)]
        {
            let what = format!("beside-{}-{n}", at.replace(':', "-"));
            let before = commits(&house.bare()).await;
            let mut options = killed_at(at);
            if git_refuses {
                let (git, armed) = wrapper::write(&house.data.folder(), Mishap::Refuses);
                std::fs::write(armed, "").expect("the mishap can be armed");
                options.git = Some(git);
            }
            house.restart(&options).await;
            let proposal = house.propose(&what, &format!("{what}.txt"), "x\n").await;
            if !git_refuses {
                std::fs::write(house.bare().join("refs/heads/main.lock"), "").expect("a lock can be left");
            }
            assert!(house.approve(&proposal).await.is_none(), "{what}: killed before it answered");
            assert!(house.server.ended().await, "{what}: by a signal");
            lands_once_at(&house, &beside.url, &proposal, (before, &what)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_proposal_approved_at_both_of_which_one_is_killed_lands_once() {
    let (mut house, beside) = neighbours().await;
    let mut killed = 0;
    for n in 0..10 * kills() {
        let what = format!("at-both-{n:03}");
        let before = commits(&house.bare()).await;
        let proposal = house.propose(&what, &format!("{what}.txt"), "x\n").await;
        let here = house.approve_later(&proposal);
        let there = house.decided_at(&beside.url, &proposal);
        let moment = Duration::from_millis(u64::try_from(n * 7 % 60).expect("it is small"));
        let ((status, body), ()) =
            tokio::join!(async { there.await.expect("the server that lives answers") }, async {
                tokio::time::sleep(moment).await;
                house.server.kill_now();
            });
        assert_eq!(status.as_u16(), 200, "{what}: {body}");
        killed += usize::from(!here.await.expect("the call ends"));
        lands_once_at(&house, &beside.url, &proposal, (before, &what)).await;
        house.restart(&Options::default()).await;
    }
    assert!(killed > kills(), "only {killed} were killed before they answered");
    println!(
        "proof: approved at two servers of which one is killed: {} times, {killed} before it answered, one commit each",
        10 * kills()
    );
}
