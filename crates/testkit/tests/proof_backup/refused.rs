//! What stands in the way is named, and nothing is changed.

use std::os::unix::fs::PermissionsExt as _;

use countersign_store::testing::Folder;
use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::House;
use countersign_testkit::server::{Options, TestServer, operate};

use crate::place::{Ended, backup, command, everything_in, restore};

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_there_stays_unless_it_is_to_be_replaced() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let files = Folder::new();
    let file = files.path().join("a.tar");
    std::fs::write(&file, "mine").expect("it can be written");
    assert_eq!(backup(&house.data, &file).await.failed(), (Some(1), "backup_refused"));
    assert_eq!(std::fs::read(&file).expect("it stays"), b"mine");
    let forced = command(&house.data, "backup", &file, &["--force"]).output().await.expect("it starts");
    Ended::of(&forced).ok();
    assert_eq!(std::fs::metadata(&file).expect("it is there").permissions().mode() & 0o777, 0o600);
    assert_eq!(everything_in(files.path()), [file], "no draft is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_no_server_ever_was_there_is_nothing_to_back_up_and_nothing_is_made() {
    let data = Data::new(Engine::Sqlite).await;
    let files = Folder::new();
    assert_eq!(backup(&data, &files.path().join("a.tar")).await.failed(), (Some(1), "backup_refused"));
    assert_eq!(everything_in(&data.folder()), [""; 0].map(std::path::PathBuf::from));
    assert_eq!(everything_in(files.path()), [""; 0].map(std::path::PathBuf::from));
}

async fn a_place_that_is_not_empty(engine: Engine) {
    let (mut house, mut other) =
        (House::build(engine, &Options::default()).await, House::build(engine, &Options::default()).await);
    let files = Folder::new();
    let file = files.path().join("a.tar");
    backup(&house.data, &file).await.ok();
    other.server.kill().await;
    let before = everything_in(&other.data.folder());
    let refused = restore(&other.data, &file).await;
    assert_eq!(refused.failed(), (Some(1), "restore_refused"), "{}", refused.said);
    assert_eq!(everything_in(&other.data.folder()), before);
    // An empty folder beside a database that is not.
    std::fs::rename(other.data.repositories(), other.data.folder().join("elsewhere"))
        .expect("it can be moved");
    let refused = restore(&other.data, &file).await;
    assert_eq!(refused.failed(), (Some(1), "restore_refused"), "{}", refused.said);
    assert!(!other.data.repositories().exists());
    std::fs::rename(other.data.folder().join("elsewhere"), other.data.repositories()).expect("and back");
    other.restart(&Options::default()).await;
    for house in [&mut house, &mut other] {
        house.server.kill().await;
    }
    house.data.remove().await;
    other.data.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_restored_over_a_server_of_sqlite() {
    a_place_that_is_not_empty(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_restored_over_a_server_of_postgres() {
    a_place_that_is_not_empty(Engine::Postgres).await;
}

async fn of_two_restores_one_wins(engine: Engine) {
    let house = House::build(engine, &Options::default()).await;
    let files = Folder::new();
    let file = files.path().join("a.tar");
    backup(&house.data, &file).await.ok();
    let place = Data::new(engine).await;
    let ends = tokio::join!(restore(&place, &file), restore(&place, &file), restore(&place, &file));
    let ends = [ends.0, ends.1, ends.2];
    assert_eq!(ends.iter().filter(|end| end.code == Some(0)).count(), 1, "{ends:?}");
    for lost in ends.iter().filter(|end| end.code != Some(0)) {
        assert!(["restore_under_way", "restore_refused"].contains(&lost.failed().1), "{}", lost.said);
    }
    TestServer::start(&place, &Options::default()).await.stop().await;
    place.remove().await;
    let House { data, mut server, .. } = house;
    server.kill().await;
    data.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_three_restores_into_one_place_one_wins_on_sqlite() {
    of_two_restores_one_wins(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_three_restores_into_one_place_one_wins_on_postgres() {
    of_two_restores_one_wins(Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_tells_of_the_last_backup_of_room_and_of_the_clock() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let files = Folder::new();
    let file = files.path().join("a.tar");
    let doctor = || async {
        let port = house.server.port.to_string();
        let mut asked = operate(&house.data, &["--json", "doctor"]);
        asked.env("COUNTERSIGN_BIND", format!("127.0.0.1:{port}"));
        let told = asked.output().await.expect("it starts");
        String::from_utf8_lossy(&told.stdout).into_owned()
    };
    assert!(doctor().await.contains("none was made here"));
    backup(&house.data, &file).await.ok();
    let told = doctor().await;
    for word in [&file.display().to_string(), "are free", "\"about\": \"clock\""] {
        assert!(told.contains(word), "{word}: {told}");
    }
}
