//! Killed at any moment, not at a named point.

use std::time::Duration;

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::commits;
use countersign_testkit::server::Options;
use tokio::time::Instant;

use crate::landing::lands_once;

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_random_moments_an_approval_lands_once() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let mut house = House::build(engine, &Options::default()).await;
        let (mut seed, mut cut_short) = (20_261_129_u64, 0);
        let first = house.propose("random-first", "random-first.txt", "x\n").await;
        let begun = Instant::now();
        house.approve(&first).await.expect("the server answers");
        let window = u64::try_from(begun.elapsed().as_micros()).expect("less than an age");
        for n in 0..50 {
            // A linear congruential generator (Knuth, MMIX): the moments repeat in every run.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moment = Duration::from_micros((seed >> 33) % window);
            let before = commits(&house.bare()).await;
            let proposal = house.propose(&format!("random-{n}"), &format!("random-{n}.txt"), "x\n").await;
            let approval = house.approve_later(&proposal);
            tokio::time::sleep(moment).await;
            house.server.kill().await;
            cut_short += u32::from(!approval.await.expect("the call ends"));
            house.restart(&Options::default()).await;
            lands_once(&house, &proposal, before, &format!("random {n}")).await;
        }
        assert!(cut_short >= 10, "only {cut_short} of 50 approvals were cut short");
        println!(
            "proof: killed at random moments on {engine:?}: 50 kills, {cut_short} before the answer, one commit each"
        );
    }
}
