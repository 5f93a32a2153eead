//! A house whose clock a test sets while the server runs, and attempts at its owner's password from any loopback address.

use std::net::Ipv4Addr;
use std::path::PathBuf;

use countersign_testkit::clock::VARIABLE;
use countersign_testkit::data::Engine;
use countersign_testkit::house::{House, MAIL};
use countersign_testkit::server::Options;
use reqwest::Client;
use serde_json::{Value, json};

/// A house whose clock is set by a file.
pub(crate) struct Clocked {
    pub(crate) house: House,
    file: PathBuf,
}

impl Clocked {
    /// Proposals live for ten minutes, so that all of this fits into the hour of an access token.
    pub(crate) async fn build() -> Self {
        let mut house = House::build(Engine::Sqlite, &Options::default()).await;
        std::fs::write(house.data.folder().join("config.toml"), "proposal_lifetime_s = 600\n").unwrap();
        let file = house.data.folder().join("clock");
        let variables = [(VARIABLE.to_owned(), format!("@{}", file.display()))].into();
        house.restart(&Options { variables, ..Options::default() }).await;
        Self { house, file }
    }

    pub(crate) fn set(&self, seconds: i64) {
        std::fs::write(&self.file, seconds.to_string()).unwrap();
    }

    /// One attempt at a password: the status, and the seconds to wait.
    pub(crate) async fn guess_from(&self, address: Ipv4Addr, password: &str) -> (u16, i64) {
        let body = json!({ "mail": MAIL, "password": password, "name": "t", "scopes": ["api"], "hours": 1 });
        let client = Client::builder().local_address(Some(address.into())).build().unwrap();
        let request = client.post(format!("{}/api/v1/tokens", self.house.server.url)).json(&body);
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        let told: Value = answer.json().await.unwrap();
        (status, told["retry_after_s"].as_i64().unwrap_or(0))
    }
}
