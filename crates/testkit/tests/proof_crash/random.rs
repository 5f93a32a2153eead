//! Killed at any moment, not at a named point.

use std::time::Duration;

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::commits;
use countersign_testkit::server::Options;

use crate::landing::lands_once;

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_random_moments_an_approval_lands_once() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let mut house = House::build(engine, &Options::default()).await;
        let (mut seed, mut window, mut cut_short) = (20_261_129_u64, 60_000_u64, 0);
        for n in 0..50 {
            // A linear congruential generator (Knuth, MMIX).
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moment = Duration::from_micros((seed >> 33) % window);
            let before = commits(&house.bare()).await;
            let proposal = house.propose(&format!("random-{n}"), &format!("random-{n}.txt"), "x\n").await;
            let approval = house.approve_later(&proposal);
            tokio::time::sleep(moment).await;
            house.server.kill().await;
            let answered = approval.await.expect("the call ends");
            cut_short += u32::from(!answered);
            // As many before the answer as after it, however fast the machine is.
            window = if answered { window * 7 / 8 } else { window * 9 / 8 };
            house.restart(&Options::default()).await;
            lands_once(&house, &proposal, before, &format!("random {n}")).await;
        }
        assert!(cut_short >= 10, "only {cut_short} of 50 approvals were cut short");
        println!(
            "proof: killed at random moments on {engine:?}: 50 kills, {cut_short} before the answer, one commit each"
        );
    }
}
