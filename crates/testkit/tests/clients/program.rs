//! Clients that are programs of their own: each has a driver in `tests/e2e/clients`, which speaks in lines of JSON.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use countersign_testkit::browser::Browser;
use countersign_testkit::house::{House, PASSWORD};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;

use crate::document;
use crate::row::{Client, Era, Way};

/// How long one row may take on a busy machine.
const ROW: Duration = Duration::from_mins(2);

/// Plays the owner at `address`: signed in, approves on the consent page; says where the browser is led.
pub(crate) async fn consent(owner: &mut Browser, address: &str) -> String {
    let page = owner.get(address).await;
    let fill = [("answer", "approve"), ("password", PASSWORD)];
    let answered = owner.submit(&page, "/external-assistant-authorize", &fill).await;
    answered.location.unwrap_or_else(|| panic!("no redirect: {} {}", answered.status, answered.body))
}

/// What a client saw, and the address to which it sent the owner's browser, if it did.
pub(crate) type Walked = Result<(Value, Option<String>), String>;

/// Walks one way with a client.
pub(crate) async fn see(client: Client, house: &mut House, era: Era, way: Way) -> Walked {
    let mut command = command(client, &house.agent.url, era);
    match way {
        Way::Bearer => command.arg(&house.agent.access),
        Way::Registration => &mut command,
        Way::Document => command.arg(document::ADDRESS),
    };
    let told = tokio::time::timeout(ROW, drive(&mut command, &mut house.owner)).await;
    told.unwrap_or_else(|_| Err("it came to no end".to_owned()))
}

fn command(client: Client, url: &str, era: Era) -> Command {
    let e2e = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/e2e");
    let (python, node) = (e2e.join(".venv/bin/python"), e2e.join("node_modules/.bin/node"));
    let (program, driver) = match client {
        Client::Python => (&python, "client.py"),
        Client::McpRemote => (&python, "remote.py"),
        Client::TypeScript => (&node, "client.mjs"),
        Client::Inspector => (&node, "inspector.mjs"),
        Client::Rmcp => panic!("rmcp is no program"),
    };
    let mut command = Command::new(program);
    command.arg(e2e.join("clients").join(driver)).args([url, era.as_str()]);
    if client == Client::McpRemote {
        command.arg(node);
    }
    command
}

/// Runs a driver; `owner` consents if it asks.
async fn drive(command: &mut Command, owner: &mut Browser) -> Walked {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap_or_else(|error| panic!("no client to drive ({error}): run `make setup` first"));
    let mut stdin = child.stdin.take().expect("its input is piped");
    let mut stderr = child.stderr.take().expect("its complaints are piped");
    let complaints = tokio::spawn(async move {
        let mut text = String::new();
        let _ = stderr.read_to_string(&mut text).await;
        text
    });
    let mut lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
    let (mut last, mut asked) = (Value::Null, None);
    while let Some(line) = lines.next_line().await.expect("its output is readable") {
        let said: Value = serde_json::from_str(&line).map_err(|_| format!("it says {line}"))?;
        if let Some(address) = said["authorize"].as_str() {
            asked = Some(address.to_owned());
            let back = consent(owner, address).await;
            stdin.write_all(format!("{back}\n").as_bytes()).await.expect("it reads its input");
        }
        last = said;
    }
    if child.wait().await.expect("its end is seen").success() {
        return Ok((last, asked));
    }
    Err(format!("it ended badly after {last}: {}", complaints.await.unwrap_or_default()))
}
