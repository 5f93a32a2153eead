//! A push of several refs, of every kind, that is killed: each ref is where it was or where it was to be, and the log
//! tells each move once.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use countersign_core::id::ResourceId;
use countersign_store::testing::log;
use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::{git_ok, push};
use countersign_testkit::trials;
use serde_json::Value;
use tokio::process::Child;

use crate::yard::Yard;
use crate::{Dice, killed_at};

/// Full name to object.
type Refs = BTreeMap<String, String>;

/// Branches and tags as they lie there.
async fn refs(bare: &Path) -> Refs {
    let format = "--format=%(refname) %(objectname)";
    let listed = git_ok(bare, &["for-each-ref", format, "refs/heads", "refs/tags"]).await;
    listed
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(n, o)| (n.to_owned(), o.to_owned()))
        .collect()
}

/// What the log says of where they are, after what was there `first`: every move starts where the last one ended.
async fn told(house: &House, first: &Refs, what: &str) -> Refs {
    let repository = ResourceId::parse(&house.repository).expect("an id");
    let events = log::beside(&house.data.database_url(), repository).await;
    let mut at = first.clone();
    for event in events.into_iter().filter(|event| event.kind.starts_with("push")) {
        let refs: Value = serde_json::from_str(&event.refs).expect("JSON");
        let name = refs["ref"].as_str().expect("a name").to_owned();
        assert_eq!(at.get(&name).map(String::as_str), refs["old"].as_str(), "{what}: {name} is told twice");
        match refs["new"].as_str() {
            Some(new) => at.insert(name, new.to_owned()),
            None => at.remove(&name),
        };
    }
    at
}

/// What one push wants of each ref: `None` where it is to go.
async fn wants(yard: &mut Yard, n: usize) -> Vec<(String, Option<String>)> {
    let main = yard.change().await;
    // A commit without a parent is no descendant of what `forced` was.
    let root = git_ok(&yard.work, &["commit-tree", "HEAD^{tree}", "-m", &format!("Root {n}")]).await;
    vec![
        ("refs/heads/main".to_owned(), Some(main.clone())),
        ("refs/heads/forced".to_owned(), Some(root)),
        (format!("refs/heads/new-{n}"), Some(main.clone())),
        (format!("refs/tags/v{n}"), Some(main)),
        (format!("refs/heads/gone-{n}"), None),
    ]
}

/// The same for the command line of git.
fn refspecs(wants: &[(String, Option<String>)]) -> Vec<String> {
    let spec = |(name, to): &(String, Option<String>)| match to {
        Some(to) => format!("+{to}:{name}"),
        None => format!(":{name}"),
    };
    wants.iter().map(spec).collect()
}

async fn pushed(yard: &Yard, refspecs: &[String]) -> bool {
    begin(yard, refspecs).wait().await.expect("git ends").success()
}

fn begin(yard: &Yard, refspecs: &[String]) -> Child {
    let refspecs: Vec<&str> = refspecs.iter().map(String::as_str).collect();
    push(&yard.work, &yard.house.clone_url(), &refspecs)
}

async fn many_killed(engine: Engine) {
    let mut yard = Yard::open(engine).await;
    let first = refs(&yard.house.bare()).await;
    let rounds = trials(6, 40);
    yard.change().await;
    let made = (0..rounds).map(|n| format!("gone-{n}")).chain(["forced".to_owned()]);
    assert!(pushed(&yard, &made.map(|name| format!("HEAD:refs/heads/{name}")).collect::<Vec<_>>()).await);
    let (mut dice, mut window) = (Dice(20_261_201), Duration::from_millis(400));
    let (mut whole, mut half, mut none) = (0, 0, 0);
    for n in 0..rounds {
        let what = format!("many {n}");
        let wants = wants(&mut yard, n).await;
        let before = refs(&yard.house.bare()).await;
        // Every other one dies where its refs are moved and nothing is told.
        let at_a_point = n % 2 == 0;
        if at_a_point {
            let point = ["sync_push:1", "record_push:1"][n / 2 % 2];
            yard.house.restart(&killed_at(point)).await;
        }
        let mut pushing = begin(&yard, &refspecs(&wants));
        if at_a_point {
            assert!(yard.house.server.ended().await, "{what}: by a signal");
        } else {
            tokio::time::sleep(dice.moment(window)).await;
            yard.house.server.kill().await;
        }
        let done = pushing.wait().await.expect("git ends").success();
        window = if done { window * 7 / 8 } else { window * 9 / 8 };
        yard.restart().await;
        let now = refs(&yard.house.bare()).await;
        let mut moved = 0;
        for (name, to) in &wants {
            let (was, is) = (before.get(name), now.get(name));
            assert!(is == was || is == to.as_ref(), "{what}: {name} is elsewhere");
            moved += usize::from(is == to.as_ref());
        }
        assert!(!done || moved == wants.len(), "{what}: git was told that all is pushed");
        match moved {
            0 => none += 1,
            all if all == wants.len() => whole += 1,
            _ => half += 1,
        }
        assert_eq!(told(&yard.house, &first, &what).await, now, "{what}: a move is not told");
        git_ok(&yard.house.bare(), &["fsck", "--strict", "--no-dangling"]).await;
    }
    assert!(whole > 0, "nothing was moved");
    println!(
        "proof: a push of five refs of every kind whose server is killed on {engine:?}: {rounds} kills, {none} \
         moved nothing, {half} a part, {whole} all, each move told once"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_of_every_kind_of_ref_that_is_killed_is_told_ref_by_ref() {
    many_killed(Engine::Sqlite).await;
    many_killed(Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_push_of_every_kind_moves_is_told_at_once() {
    let mut yard = Yard::open(Engine::Sqlite).await;
    let first = refs(&yard.house.bare()).await;
    yard.change().await;
    assert!(pushed(&yard, &["gone-0", "forced"].map(|name| format!("HEAD:refs/heads/{name}"))).await);
    let wants = wants(&mut yard, 0).await;
    assert!(pushed(&yard, &refspecs(&wants)).await);
    let now = refs(&yard.house.bare()).await;
    assert_eq!(told(&yard.house, &first, "a push").await, now);
    assert!(!now.contains_key("refs/heads/gone-0") && now.contains_key("refs/tags/v0"));
}
