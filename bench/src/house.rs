//! Our server: set up and connected as a person would, then the shipped program on the same data.

use std::ffi::OsString;

use countersign_testkit::agent;
use countersign_testkit::browser::Browser;
use countersign_testkit::data::Engine;
use countersign_testkit::house::{House, PASSWORD, SCOPE};
use countersign_testkit::server::{Options, Ships, binary};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::era::{Era, Tool};
use crate::failure::Failure;
use crate::load::Target;
use crate::process::{Launch, Process};

/// What stands in the way of a measurement alone: the limit of calls a minute.
const SETTINGS: &str = "rate_limit = 4000000000\n";

/// A data folder with an owner, a project and an agent that was connected through the consent page.
pub(crate) struct Ours {
    house: House,
}

impl Ours {
    /// Sets it up.
    pub(crate) fn set_up(runtime: &Runtime) -> Result<Self, Failure> {
        let variables = [("COUNTERSIGN_LOG".to_owned(), "warn".to_owned())].into();
        let options = Options { ships: Ships::Unclaimed, variables, ..Options::default() };
        let house = runtime.block_on(async {
            let mut house = House::build(Engine::Sqlite, &options).await;
            house.server.kill().await;
            house
        });
        std::fs::write(house.data.folder().join("config.toml"), SETTINGS)
            .map_err(Failure::while_doing("write the settings of our server"))?;
        Ok(Self { house })
    }

    /// The trivial read: what the connection was granted, which is one project.
    pub(crate) fn target(&self, era: Era) -> Target {
        era.target(&Tool {
            port: self.house.server.port,
            path: "/api/v1/external-mcp",
            bearer: Some(&self.house.agent.access),
            name: "list_granted_resources",
            arguments: json!({}),
            expects: &self.house.project,
        })
    }

    /// Starts the program that ships.
    pub(crate) fn start(&self, runtime: &Runtime) -> Result<Process, Failure> {
        let port = self.house.server.port;
        let text = OsString::from;
        let launch = Launch {
            program: binary("countersign"),
            arguments: vec![text("serve"), text("--log"), text("warn")],
            variables: vec![
                ("COUNTERSIGN_BIND", text(&format!("127.0.0.1:{port}"))),
                ("COUNTERSIGN_PUBLIC_URL", text(&format!("http://127.0.0.1:{port}"))),
                ("COUNTERSIGN_DATA", self.house.data.folder().into()),
                ("COUNTERSIGN_DATABASE_URL", text(&self.house.data.database_url())),
            ],
        };
        Process::start(runtime, &launch, &self.target(Era::V2025))
    }

    /// The port on which it serves.
    pub(crate) const fn port(&self) -> u16 {
        self.house.server.port
    }

    /// The address of its repository, with a token that may push.
    pub(crate) fn clone_url(&self) -> String {
        self.house.clone_url()
    }

    /// The folder of its repository.
    pub(crate) fn bare(&self) -> std::path::PathBuf {
        self.house.bare()
    }

    /// The id of its repository.
    pub(crate) fn repository(&self) -> &str {
        &self.house.repository
    }

    /// The owner's session, as a request carries it.
    pub(crate) fn cookie(&self) -> String {
        self.house.owner.cookie()
    }

    /// The agent proposes the file of this number; the proposal.
    pub(crate) async fn propose(&self, number: usize) -> String {
        self.house
            .propose(&format!("bench-queue-{number:05}"), &format!("queue/{number}.txt"), "a line\n")
            .await
    }

    /// The owner declines a proposal.
    pub(crate) async fn decline(&self, proposal: &str) {
        self.house.decline(proposal).await;
    }

    /// One more member of its project, who sees the proposals; their session, as a request carries it.
    pub(crate) async fn member(&self, number: usize) -> String {
        let (mail, password) = (format!("member-{number}@countersign.example"), "a sentence of a member");
        self.house.add_member("viewer", (&mail, password)).await;
        Browser::signed_in(&self.house.server.url, &mail, password).await.cookie()
    }

    /// The owner consents in the browser; the code.
    pub(crate) async fn consent(&mut self, metadata: &Value, client: (&str, &str)) -> String {
        agent::consent(&mut self.house.owner, metadata, client, (PASSWORD, SCOPE)).await
    }
}
