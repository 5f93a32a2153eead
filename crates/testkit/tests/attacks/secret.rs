//! Attacks with what lies about: logs, the database, a token in other hands.

use std::path::Path;

use countersign_store::Db;
use countersign_store::testing::Folder;
use countersign_store::testing::table::take_away;
use countersign_testkit::data::Engine;
use countersign_testkit::house::PASSWORD;
use countersign_testkit::server::Options;
use reqwest::StatusCode;
use serde_json::Value;

use crate::stage::{CONSENT, REDIRECT, Stage, parameter};

/// Every secret that a sign-in issues or takes.
async fn whole_way(stage: &mut Stage) -> Vec<(&'static str, String)> {
    let client = stage.client().await;
    let page = stage.look(&client, REDIRECT).await;
    let handle = page.form(CONSENT).fields.iter().find(|(name, _)| name == "h").unwrap().1.clone();
    let code = parameter(&stage.approve(&page).await, "code").unwrap();
    let (_, tokens) = stage.exchange(&client, REDIRECT, &code).await;
    let text = |tokens: &Value, name: &str| tokens[name].as_str().unwrap().to_owned();
    let (access, refresh) = (text(&tokens, "access_token"), text(&tokens, "refresh_token"));
    assert_eq!(stage.call(Some(&access)).await, StatusCode::OK);
    let form = [
        ("grant_type", "refresh_token"),
        ("client_id", client.as_str()),
        ("refresh_token", refresh.as_str()),
    ];
    let (status, second) = stage.token(&form).await;
    assert_eq!(status, StatusCode::OK);
    // Wrong ones are secrets too: they may be another server's.
    assert_eq!(stage.call(Some("cs_at_wrong-but-somebodys")).await, StatusCode::UNAUTHORIZED);
    let session = stage.owner.cookie().split('=').nth(1).unwrap().to_owned();
    vec![
        ("password", PASSWORD.to_owned()),
        ("setup", stage.server.setup_link.clone().unwrap().split_once('#').unwrap().1.to_owned()),
        ("session", session),
        ("handle", handle),
        ("code", code),
        ("verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".to_owned()),
        ("access", access),
        ("refresh", refresh),
        ("second access", text(&second, "access_token")),
        ("second refresh", text(&second, "refresh_token")),
        ("wrong token", "cs_at_wrong-but-somebodys".to_owned()),
    ]
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|at| at == text.as_bytes())
}

/// Row 22: a thief of the disk finds no secret there, but hashes.
#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_a_sign_in_is_on_disk() {
    let mut stage = Stage::open().await;
    let secrets = whole_way(&mut stage).await;
    let Stage { data, server, .. } = stage;
    server.stop().await;
    let files = files(&data.folder());
    assert!(files.iter().any(|path| path.ends_with("countersign.db")), "{files:?}");
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        for (name, secret) in &secrets {
            assert!(!holds(&bytes, secret), "{name} is in {}", path.display());
        }
    }
}

/// Row 21: the log at its loudest, of a way that went well and of the same calls when everything fails.
#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_a_sign_in_is_in_the_loudest_log() {
    let folder = Folder::new();
    let log = folder.path().join("log");
    let variables = [("RUST_LOG".to_owned(), "trace".to_owned())].into();
    let options = Options { log: Some(log.clone()), variables, ..Options::default() };
    let mut stage = Stage::on(Engine::Postgres, options).await;
    let secrets = whole_way(&mut stage).await;
    let secret = |wanted: &str| secrets.iter().find(|(name, _)| *name == wanted).unwrap().1.clone();
    let client = stage.client().await;
    let question = stage.request(&client, REDIRECT);
    let db = Db::open(&stage.data.database_url()).await.unwrap();
    for table in ["oauth_access", "oauth_refresh", "oauth_code", "oauth_request", "session"] {
        take_away(&db, table).await;
    }
    let (access, refresh, code) = (secret("access"), secret("refresh"), secret("code"));
    assert!(stage.call(Some(&access)).await.is_server_error());
    let form = [("grant_type", "refresh_token"), ("client_id", &client), ("refresh_token", &refresh)];
    assert!(stage.token(&form).await.0.is_server_error());
    assert!(stage.exchange(&client, REDIRECT, &code).await.0.is_server_error());
    for address in [question, stage.at(&format!("{CONSENT}?h={}", secret("handle")))] {
        assert!(stage.owner.get(&address).await.status.is_server_error());
    }
    db.close().await;
    let Stage { data, server, .. } = stage;
    server.stop().await;
    let written = std::fs::read(&log).unwrap();
    for said in ["an OAuth endpoint failed", "a request failed"] {
        assert!(holds(&written, said), "{said}");
    }
    for (name, secret) in &secrets {
        assert!(!holds(&written, secret), "{name} is in the log");
    }
    data.remove().await;
}
