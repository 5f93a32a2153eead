//! Killed between git's renames: the marker stands, the branch did not move; or neither does.

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::{commits, git_ok, tip};
use countersign_testkit::server::Options;
use countersign_testkit::wrapper::{self, Mishap};

use crate::kills;
use crate::landing::{killed_at, lands_once};

/// Leaves a proposal whose marker stands and whose branch did not move; gives its id. Both processes are dead.
pub(crate) async fn torn(house: &mut House, key: &str) -> String {
    let proposal = house.propose(key, &format!("{key}.txt"), "x\n").await;
    let (git, armed) = wrapper::write(&house.data.folder(), Mishap::BothKilledBetweenRenames);
    std::fs::write(armed, "").expect("the mishap can be armed");
    house.restart(&Options { git: Some(git), ..Options::default() }).await;
    assert!(house.approve(&proposal).await.is_none(), "{key}: killed between the renames");
    assert!(house.server.ended().await);
    let marker = git_ok(&house.bare(), &["rev-parse", &format!("refs/proposals/{proposal}")]).await;
    assert_ne!(marker, tip(&house.bare()).await, "{key}: the marker stands, the branch did not move");
    proposal
}

async fn torn_between_the_renames(engine: Engine) {
    let mut house = House::build(engine, &Options::default()).await;
    for n in 0..kills() {
        let before = commits(&house.bare()).await;
        let proposal = torn(&mut house, &format!("torn-once-{n}")).await;
        house.restart(&Options::default()).await;
        lands_once(&house, &proposal, before, &format!("torn {n}")).await;

        // Killed again at the restart: before it takes the lock, and before it rolls the branch forward.
        let before = commits(&house.bare()).await;
        let proposal = torn(&mut house, &format!("torn-again-{n}")).await;
        for kill_at in ["take_lock:1", "roll_forward:1"] {
            house.dies_at_start(&killed_at(kill_at)).await;
        }
        house.restart(&Options::default()).await;
        lands_once(&house, &proposal, before, &format!("torn again {n}")).await;

        // The branch went elsewhere before the restart: stale, marker gone; killed on the way there too.
        let proposal = torn(&mut house, &format!("torn-moved-{n}")).await;
        house.sweep_locks();
        let tree = git_ok(&house.bare(), &["rev-parse", "refs/heads/main^{tree}"]).await;
        let parent = tip(&house.bare()).await;
        let commit = ["-c", "user.name=o", "-c", "user.email=o@countersign.example", "commit-tree"];
        let arguments = [&commit[..], &[&tree, "-p", &parent, "-m", "elsewhere"]].concat();
        let other = git_ok(&house.bare(), &arguments).await;
        git_ok(&house.bare(), &["update-ref", "refs/heads/main", &other, &parent]).await;
        house.dies_at_start(&killed_at("drop_marker:1")).await;
        house.restart(&Options::default()).await;
        let (status, body) = house.approve(&proposal).await.expect("the server answers");
        assert_eq!((status.as_u16(), body["code"].as_str()), (409, Some("proposal_stale")), "{body}");
        assert_eq!(tip(&house.bare()).await, other, "what others pushed stays");
    }
    println!(
        "proof: killed between git's two renames on {engine:?}: {} kills, none landed twice",
        3 * kills()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn torn_between_the_renames_on_sqlite() {
    torn_between_the_renames(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn torn_between_the_renames_on_postgres() {
    torn_between_the_renames(Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_the_first_rename_both_locks_are_swept_and_it_lands() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let mut house = House::build(engine, &Options::default()).await;
        for n in 0..kills().min(10) {
            let what = format!("first-rename-{n}");
            let before = commits(&house.bare()).await;
            let proposal = house.propose(&what, &format!("{what}.txt"), "x\n").await;
            let (git, armed) = wrapper::write(&house.data.folder(), Mishap::BothKilledBeforeRenames);
            std::fs::write(armed, "").expect("the mishap can be armed");
            house.restart(&Options { git: Some(git), ..Options::default() }).await;
            assert!(house.approve(&proposal).await.is_none(), "{what}: killed before the renames");
            assert!(house.server.ended().await);
            assert_eq!(commits(&house.bare()).await, before, "{what}: nothing moved");
            house.restart(&Options::default()).await;
            lands_once(&house, &proposal, before, &what).await;
        }
    }
}
