//! Must show: the audit log of a real server is sealed while it serves, survives its death, and shows by the command
//! line what somebody changed in the database meanwhile.
#![cfg(test)]

use std::time::Duration;

use countersign_store::Db;
use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::server::{Options, TestServer, run};
use reqwest::Method;
use serde_json::Value;

/// Longer than a seal takes to come; who waits for it looks as long as this.
const HANG: Duration = Duration::from_mins(1);
const LOOK: Duration = Duration::from_millis(200);

/// `countersign verify audit --json` against a house: its exit code and what it says.
async fn verify(house: &House, more: &[&str]) -> (i32, Value) {
    let arguments = [&["verify", "audit", "--json"], more].concat();
    let done = run(&house.server.url, &house.token, &arguments).await;
    let said = String::from_utf8_lossy(&done.stdout);
    let value = serde_json::from_str(&said);
    let value =
        value.unwrap_or_else(|error| panic!("{error}: {said}{}", String::from_utf8_lossy(&done.stderr)));
    (done.status.code().expect("it ends by itself"), value)
}

/// Waits until there is a seal, and gives what the command line says then.
async fn sealed(house: &House) -> Value {
    let waiting = async {
        loop {
            let (code, said) = verify(house, &[]).await;
            assert_eq!((code, &said["verdict"]), (0, &Value::from("intact")), "{said}");
            if said["seals"].as_u64().is_some_and(|seals| seals > 0) {
                return said;
            }
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::time::timeout(HANG, waiting).await.expect("a server seals by itself")
}

/// As somebody who has the database: marks one record as another outcome.
async fn change_one(house: &House) {
    let db = Db::open(&house.data.database_url()).await.expect("the database is free");
    let sql = "UPDATE audit SET outcome = 'refused' WHERE action = 'setup.claim' AND seal_id IS NOT NULL";
    let done = db.write(move |t| Box::pin(async move { t.exec(sql, &[]).await })).await;
    assert_eq!(done.expect("it can be written"), 1);
    db.close().await;
}

async fn change_is_found(engine: Engine) {
    let mut house = House::build(engine, &Options::default()).await;
    let noted = sealed(&house).await["head"].as_str().expect("a head").to_owned();
    for _ in 0..20 {
        house.api(Method::GET, "/api/v1/me", None).await;
    }
    house.restart(&Options::default()).await;
    let (code, said) = verify(&house, &["--expect", &noted]).await;
    assert_eq!((code, &said["verdict"]), (0, &Value::from("intact")), "a kill breaks nothing: {said}");
    house.server.kill().await;
    change_one(&house).await;
    house.restart(&Options::default()).await;
    let (code, said) = verify(&house, &["--expect", &noted]).await;
    assert_eq!((code, &said["fault"]["kind"]), (5, &Value::from("row_changed")), "{said}");
    let cut = format!("99999:{}", "0".repeat(64));
    let (code, _) = verify(&house, &["--expect", &cut]).await;
    assert_eq!(code, 5);
    house.server.kill().await;
    house.data.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_record_of_a_real_server_is_found_on_sqlite() {
    change_is_found(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_record_of_a_real_server_is_found_on_postgres() {
    change_is_found(Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_leaves_nothing_of_its_own_unsealed_and_two_seal_one_log() {
    let mut house = House::build(Engine::Postgres, &Options::default()).await;
    let other = TestServer::start(&house.data, &Options::default()).await;
    for _ in 0..50 {
        house.api(Method::GET, "/api/v1/me", None).await;
    }
    sealed(&house).await;
    other.stop().await;
    let (code, said) = verify(&house, &[]).await;
    assert_eq!((code, &said["verdict"]), (0, &Value::from("intact")), "{said}");
    house.server.kill().await;
    let other =
        TestServer::start(&house.data, &Options { port: house.server.port, ..Options::default() }).await;
    let before = verify(&house, &[]).await.1;
    other.stop().await;
    let db = Db::open(&house.data.database_url()).await.expect("the database is free");
    let unsealed = db.read(|t| Box::pin(countersign_store::audit_seal::count_unsealed(t))).await;
    assert_eq!(unsealed.expect("it can be read"), 0, "before it stopped: {before}");
    db.close().await;
    house.data.remove().await;
}
