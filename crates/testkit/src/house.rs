//! A house that is set up: an owner with a browser and a token, a project, a repository that agents see, and an
//! agent that was connected through the real consent page.

mod api;

use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use api::{Api, first, make_repository};

use crate::agent::Agent;
use crate::browser::Browser;
use crate::data::{Data, Engine};
use crate::server::{Options, TestServer};

/// The owner's mail address.
pub const MAIL: &str = "olivia@countersign.example";
/// The owner's password.
pub const PASSWORD: &str = "correct horse battery staple";
/// Everything that an agent may ask for.
pub const SCOPE: &str = "countersign:read countersign:write";

/// Everything that a personal access token may do.
pub const EVERY_SCOPE: &str = "repo:read repo:write api proposals:decide";

/// What most black-box tests begin with.
pub struct House {
    /// What outlives the server.
    pub data: Data,
    /// The server.
    pub server: TestServer,
    /// The owner's browser, signed in.
    pub owner: Browser,
    /// A token of the owner with every scope.
    pub token: String,
    /// The project `General`.
    pub project: String,
    /// The repository `demo`, in that project, with GitNest on.
    pub repository: String,
    /// A connected agent of the owner, with that project.
    pub agent: Agent,
    /// Its connection.
    pub connection: String,
    http: Client,
}

impl House {
    /// Builds one on a fresh store.
    pub async fn build(engine: Engine, options: &Options) -> Self {
        Self::build_on(Data::new(engine).await, options).await
    }

    /// Builds one on a store that nobody claimed yet.
    pub async fn build_on(data: Data, options: &Options) -> Self {
        let server = TestServer::start(&data, options).await;
        let mut owner = Browser::new(&server.url);
        set_up(&server, &mut owner).await;
        let http = Client::new();
        let token = make_token(&server.url, (MAIL, PASSWORD), EVERY_SCOPE).await;
        let api = Api { http: &http, base: &server.url, token: &token };
        let projects = api.ok(Method::GET, "/api/v1/projects", None).await;
        let project = first(&projects)["id"].as_str().expect("an id").to_owned();
        let repository = make_repository(&api, "demo", &project).await;
        let agent = Agent::connect(&server.url, &mut owner, "Test agent", PASSWORD, SCOPE).await;
        let connection = newest_connection(&mut owner).await;
        let mut house = Self { data, server, owner, token, project, repository, agent, connection, http };
        house.add_project().await;
        house
    }

    /// Starts the server again on the same port, after it was stopped or killed.
    pub async fn restart(&mut self, options: &Options) {
        self.server.kill().await;
        let options = Options { port: self.server.port, ..options.clone() };
        self.server = TestServer::start(&self.data, &options).await;
    }

    /// One REST call with the owner's token; the answer whatever its status.
    pub async fn api(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        self.api_at(&self.server.url, method, path, body).await
    }

    /// The same at another server of the house.
    pub async fn api_at(
        &self,
        base: &str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        Api { http: &self.http, base, token: &self.token }.call(method, path, body).await
    }

    /// Approves with the owner's token; `None` when the server went away meanwhile.
    pub async fn approve(&self, proposal: &str) -> Option<(StatusCode, Value)> {
        self.approve_at(&self.server.url, proposal).await
    }

    /// Approves at another server of the same house.
    pub async fn approve_at(&self, base: &str, proposal: &str) -> Option<(StatusCode, Value)> {
        let url = format!("{base}/api/v1/proposals/{proposal}/approve");
        let answer = self.http.post(url).bearer_auth(&self.token).json(&json!({})).send().await.ok()?;
        let status = answer.status();
        Some((status, answer.json().await.ok()?))
    }

    /// The same, and again for as long as another holds the repository.
    pub async fn decided_at(&self, base: &str, proposal: &str) -> Option<(StatusCode, Value)> {
        loop {
            let answer = self.approve_at(base, proposal).await;
            let is_busy = |(_, body): &(StatusCode, Value)| body["code"] == "repository_busy";
            if !answer.as_ref().is_some_and(is_busy) {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Declines with the owner's token.
    pub async fn decline(&self, proposal: &str) {
        let path = format!("/api/v1/proposals/{proposal}/decline");
        let (status, body) = self.api(Method::POST, &path, Some(json!({ "reason": "Not now." }))).await;
        assert!(status.is_success(), "{status} {body}");
    }

    /// Makes a person a member of the project.
    pub async fn add_member(&self, role: &str, (mail, password): (&str, &str)) {
        let path = format!("/api/v1/projects/{}/members", self.project);
        let person = json!({ "mail": mail, "name": mail, "password": password, "role": role });
        let (status, body) = self.api(Method::POST, &path, Some(person)).await;
        assert!(status.is_success(), "{status} {body}");
    }

    /// Proposes one file on `main`; gives the id.
    pub async fn propose(&self, key: &str, path: &str, content: &str) -> String {
        let answer = self.agent.call("propose_gitnest_file_import", self.import(key, path, content)).await;
        answer.ok()["proposal_id"].as_str().expect("an id").to_owned()
    }

    /// The arguments of such a proposal.
    pub fn import(&self, key: &str, path: &str, content: &str) -> Value {
        json!({
            "repository_id": self.repository,
            "branch": "main",
            "message": format!("Write {path}"),
            "files": [{ "path": path, "content": content }],
            "idempotency_key": key,
        })
    }

    /// The bare folder of the repository.
    pub fn bare(&self) -> std::path::PathBuf {
        self.data.repositories().join(format!("{}.git", self.repository))
    }

    /// The address to clone from, with the owner's token in it.
    pub fn clone_url(&self) -> String {
        self.server.url.replace("http://", &format!("http://olivia:{}@", self.token)) + "/git/acme/demo.git"
    }

    /// Adds the project to the agent's connection, by the form on its page.
    pub async fn add_project(&mut self) {
        let path = format!("/connected/{}", self.connection);
        let page = self.owner.get(&path).await;
        let project = self.project.clone();
        let done = self.owner.submit(&page, &format!("{path}/projects"), &[("project", &project)]).await;
        assert!(done.status.is_success(), "{} {}", done.status, done.body);
    }
}

/// Claims the first set-up and stays signed in.
pub async fn set_up(server: &TestServer, owner: &mut Browser) {
    let link = server.setup_link.clone().expect("a fresh server offers its set-up");
    let code = link.split('#').nth(1).expect("the code is in the fragment").to_owned();
    let page = owner.get("/setup").await;
    let fill = [
        ("token", code.as_str()),
        ("workspace_name", "Acme"),
        ("workspace_slug", "acme"),
        ("name", "Olivia Owner"),
        ("mail", MAIL),
        ("password", PASSWORD),
    ];
    let done = owner.submit(&page, "/setup", &fill).await;
    assert!(done.status.is_success(), "{} {}", done.status, done.body);
    if let Some(form) = done.find_form("/sign-in") {
        drop(form);
        let signed = owner.submit(&done, "/sign-in", &[("mail", MAIL), ("password", PASSWORD)]).await;
        assert!(signed.status.is_success(), "{} {}", signed.status, signed.body);
    }
}

/// Makes a token of the person with this mail address and password.
pub async fn make_token(base: &str, (mail, password): (&str, &str), scopes: &str) -> String {
    let scopes: Vec<&str> = scopes.split(' ').collect();
    let body = json!({ "mail": mail, "password": password, "name": "test", "scopes": scopes, "hours": 12 });
    let request = Client::new().post(format!("{base}/api/v1/tokens")).json(&body);
    let answer = request.send().await.expect("an answer");
    let status = answer.status();
    let made: Value = answer.json().await.expect("an answer in JSON");
    assert!(status.is_success(), "{status} {made}");
    made["token"].as_str().expect("the token is shown once").to_owned()
}

/// The id of the newest connection on the page of connections.
pub async fn newest_connection(owner: &mut Browser) -> String {
    let page = owner.get("/connected").await;
    let links = page.body.split("href=\"/connected/").skip(1);
    let id = links.filter_map(|rest| rest.split(['"', '/', '?', '#']).next()).find(|id| id.len() == 36);
    id.unwrap_or_else(|| panic!("no connection is listed:\n{}", page.body)).to_owned()
}

impl House {
    /// Starts the server and waits until it dies by a signal before it serves.
    pub async fn dies_at_start(&mut self, options: &Options) {
        self.server.kill().await;
        let options = Options { port: self.server.port, ..options.clone() };
        assert!(TestServer::dies(&self.data, &options).await, "the server was to die at its start");
    }

    /// Removes the lock files that a killed git left, as a person with a shell would.
    pub fn sweep_locks(&self) {
        let mut folders = vec![self.bare().join("refs")];
        let _ = std::fs::remove_file(self.bare().join("HEAD.lock"));
        let _ = std::fs::remove_file(self.bare().join("packed-refs.lock"));
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("the folder is readable").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "lock") {
                    std::fs::remove_file(path).expect("a lock can be removed");
                }
            }
        }
    }

    /// Sends an approve and does not wait for it; the task says whether it was answered.
    pub fn approve_later(&self, proposal: &str) -> tokio::task::JoinHandle<bool> {
        let url = format!("{}/api/v1/proposals/{proposal}/approve", self.server.url);
        let request = self.http.post(url).bearer_auth(&self.token).json(&json!({}));
        tokio::spawn(async move { request.send().await.is_ok() })
    }
}

impl House {
    /// Takes the project off the agent's connection, by the form on its page.
    pub async fn remove_project(&mut self) {
        let path = format!("/connected/{}", self.connection);
        let page = self.owner.get(&path).await;
        let action = format!("{path}/projects/{}/remove", self.project);
        let done = self.owner.submit(&page, &action, &[]).await;
        assert!(done.status.is_success(), "{} {}", done.status, done.body);
    }

    /// Revokes the agent's connection, by the form on its page.
    pub async fn revoke(&mut self) {
        revoke_connection(&mut self.owner, &self.connection).await;
    }
}

/// Revokes a connection, by the form on its page.
pub async fn revoke_connection(owner: &mut Browser, connection: &str) {
    let path = format!("/connected/{connection}");
    let page = owner.get(&path).await;
    let done = owner.submit(&page, &format!("{path}/revoke"), &[]).await;
    assert!(done.status.is_success(), "{} {}", done.status, done.body);
}
