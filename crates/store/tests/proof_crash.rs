//! kill -9 in the midst of many writers, again and again: every answered append is there afterwards, and no gap.
//!
//! The test starts its own program again as the one that is killed.
#![cfg(test)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use countersign_core::id::ResourceId;
use countersign_core::time::Timestamp;
use countersign_store::event::{self, NewEvent};
use countersign_store::testing::house::{self, House};
use countersign_store::testing::{Database, Folder, environment};
use countersign_store::{Db, Result};

/// Names the database to the program that is to be killed.
const URL: &str = "COUNTERSIGN_CRASH_URL";
const RESOURCES: u64 = 8;
const WRITERS: u64 = 64;

fn resource(number: u64) -> ResourceId {
    house::resource(10_000 + number % RESOURCES)
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn furnish(url: &str) {
    let db = Db::open(url).await.unwrap();
    let house = House::build(&db).await;
    for number in 0..RESOURCES {
        let row = house.with_resource(resource(number), "log");
        let made: Result<()> = db.write(move |t| Box::pin(async move { row.insert(t).await })).await;
        made.unwrap();
    }
    db.close().await;
}

/// Appends until it is killed, and prints each answer.
#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn append_for_ever(url: &str) {
    let db = Db::open(url).await.unwrap();
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let db = db.clone();
        writers.spawn(async move {
            loop {
                let sequence = append(&db, resource(writer)).await.unwrap();
                let line = format!("answer {} {sequence}\n", writer % RESOURCES);
                std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
            }
        });
    }
    writers.join_all().await;
}

async fn append(db: &Db, resource: ResourceId) -> Result<i64> {
    let event = NewEvent {
        kind: "note.changed".to_owned(),
        at: Timestamp::from_millis(1),
        actor: "{}".to_owned(),
        summary: "a change".to_owned(),
        refs: "{}".to_owned(),
    };
    db.write(move |t| {
        Box::pin(async move {
            event::append(t, resource, event).await?;
            event::newest(t, resource).await
        })
    })
    .await
}

/// The number of events of each resource; fails on a gap.
#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn logs(url: &str) -> BTreeMap<u64, i64> {
    let db = Db::open(url).await.unwrap();
    let mut lengths = BTreeMap::new();
    for number in 0..RESOURCES {
        let mut last = 0;
        loop {
            let page: Result<_> =
                db.read(move |t| Box::pin(event::page(t, resource(number), last, 1000))).await;
            let page = page.unwrap();
            for event in &page {
                assert_eq!(event.sequence, last + 1, "a gap");
                last = event.sequence;
            }
            if page.is_empty() {
                break;
            }
        }
        lengths.insert(number, last);
    }
    db.close().await;
    lengths
}

/// Starts the appender, kills it after it gave some answers, and returns them: resource and sequence.
fn run_and_kill(test: &str, url: &str, answers: usize) -> Vec<(u64, i64)> {
    #[expect(clippy::disallowed_methods, reason = "only another process can be killed")]
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(URL, url)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(std::io::Result::ok);
    let mut heard: Vec<_> = lines.by_ref().filter_map(|line| answer(&line)).take(answers).collect();
    child.kill().unwrap();
    // What it had still said before the signal came is an answer as well.
    heard.extend(lines.filter_map(|line| answer(&line)));
    child.wait().unwrap();
    assert!(heard.len() >= answers, "the appender ended by itself");
    heard
}

fn answer(line: &str) -> Option<(u64, i64)> {
    let (number, sequence) = line.strip_prefix("answer ")?.split_once(' ')?;
    Some((number.parse().ok()?, sequence.parse().ok()?))
}

fn prove(engine: &str, test: &str, url: &str) {
    let kills: usize = if environment("TRIALS").as_deref() == Some("full") { 50 } else { 10 };
    furnish(url);
    let mut answered = 0;
    for kill in 0..kills {
        // A number of answers that no batch size divides, so that the kills fall everywhere.
        let heard = run_and_kill(test, url, 100 + kill * 337 % 1000);
        let there = logs(url);
        for (number, sequence) in &heard {
            assert!(there[number] >= *sequence, "the answered event {sequence} of log {number} is lost");
        }
        answered += heard.len();
    }
    println!("proof: appends under kill -9, {engine}: {kills} kills, {answered} answered, none lost, no gap");
}

#[test]
fn proof_on_sqlite_every_answered_append_survives_a_kill() {
    if let Some(url) = environment(URL) {
        return append_for_ever(&url);
    }
    let folder = Folder::new();
    prove("SQLite", "proof_on_sqlite_every_answered_append_survives_a_kill", &folder.sqlite_url());
}

#[test]
fn proof_on_postgresql_every_answered_append_survives_a_kill() {
    if let Some(url) = environment(URL) {
        return append_for_ever(&url);
    }
    let database = block_on(Database::create());
    prove("PostgreSQL", "proof_on_postgresql_every_answered_append_survives_a_kill", database.url());
    block_on(database.remove());
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().unwrap().block_on(future)
}
