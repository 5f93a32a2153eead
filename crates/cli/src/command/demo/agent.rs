//! `countersign demo-agent URL`: the agent of the demo, a process that knows the connector's address alone.
//!
//! Discovery, registration, consent and calls are rmcp's own: what any host would do. It says what it is doing in lines of
//! JSON, which the demo reads.

use std::time::Duration;

use clap::Args;
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{AuthClient, AuthorizationManager, AuthorizationRequest, OAuthState};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

use crate::answer::Answer;
use crate::failure::Failure;

/// How many proposals it makes.
pub(super) const PROPOSALS: usize = 3;
/// How often it looks whether it was granted something, and the pause in between.
const LOOKS: usize = 300;
const PAUSE: Duration = Duration::from_millis(200);

/// The agent of the demo
#[derive(Args, Debug)]
pub(crate) struct DemoAgent {
    /// The connector's address
    url: String,
}

type Client = RunningService<RoleClient, ()>;

impl DemoAgent {
    pub(in crate::command) async fn run(self) -> Result<Answer, Failure> {
        countersign_fetch::tls::install();
        let manager = authorize(&self.url).await?;
        let http = AuthClient::new(countersign_fetch::plain(), manager);
        let config = StreamableHttpClientTransportConfig::with_uri(self.url);
        let client =
            ().serve(StreamableHttpClientTransport::with_client(http, config))
                .await
                .map_err(Failure::server)?;
        say("connected", "yes");
        let repository = granted(&client).await?;
        propose_all(&client, &repository).await?;
        client.cancel().await.map_err(Failure::server)?;
        Ok(Answer::new(&Value::Null, ""))
    }
}

/// The whole dance: the owner's browser brings the answer to an address on which this process listens.
async fn authorize(url: &str) -> Result<AuthorizationManager, Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(Failure::server)?;
    let address = listener.local_addr().map_err(Failure::server)?;
    let redirect = format!("http://{address}/callback");
    let mut state = OAuthState::new(url, None).await.map_err(Failure::server)?;
    let request = AuthorizationRequest::new(&redirect)
        .with_client_name("Demo agent")
        .with_scopes(["countersign:read", "countersign:write"]);
    state.start_authorization(request).await.map_err(Failure::server)?;
    say("authorize", &state.get_authorization_url().await.map_err(Failure::server)?);
    let target = answer_browser(&listener).await.map_err(Failure::server)?;
    state.handle_callback_url(&format!("http://{address}{target}")).await.map_err(Failure::server)?;
    state.into_authorization_manager().ok_or_else(|| Failure::demo("the authorization came to nothing"))
}

/// Takes one request and gives its target: path and query of the redirect.
async fn answer_browser(listener: &TcpListener) -> std::io::Result<String> {
    let (stream, _) = listener.accept().await?;
    let mut stream = BufReader::new(stream);
    let mut first = String::new();
    stream.read_line(&mut first).await?;
    let mut rest = String::new();
    while stream.read_line(&mut rest).await? > 2 {
        rest.clear();
    }
    let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 12\r\nConnection: close\r\n\r\nConnected.\r\n";
    stream.get_mut().write_all(answer.as_bytes()).await?;
    Ok(first.split(' ').nth(1).unwrap_or_default().to_owned())
}

/// The first repository of the first project that the owner adds; until then it looks again.
async fn granted(client: &Client) -> Result<String, Failure> {
    for _ in 0..LOOKS {
        let seen = call(client, "list_granted_resources", json!({})).await?;
        if let Some(project) = seen["projects"][0]["id"].as_str() {
            let asked = json!({ "project_id": project, "resource_type": "gitnest_repository" });
            let listed = call(client, "list_project_resources", asked).await?;
            let id = listed["items"][0]["id"].as_str().map(str::to_owned);
            return id.ok_or_else(|| Failure::demo("the project holds no repository"));
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(Failure::demo("the owner granted nothing"))
}

/// Reads, and proposes twice on one commit of main and once on docs.
async fn propose_all(client: &Client, repository: &str) -> Result<(), Failure> {
    let seen =
        call(client, "read_gitnest_repository", json!({ "repository_id": repository, "path": "README.md" }))
            .await?;
    let readme = seen["file"]["text"].as_str().unwrap_or_default();
    let head = &seen["head_oid"];
    let longer = format!("{readme}\n## Watering\n\nEvery morning, before the sun is on the beds.\n");
    let files = [
        ("main", "Say when to water", "README.md", longer.as_str()),
        ("main", "Plan the harvest", "harvest.txt", "beans: August\ntomatoes: until the first frost\n"),
        ("docs", "Add a chapter on mint", "mint.md", "# Mint\n\nKeep it in a pot.\n"),
    ];
    for (number, (branch, message, path, content)) in files.into_iter().enumerate() {
        let mut arguments = json!({
            "repository_id": repository,
            "branch": branch,
            "message": message,
            "files": [{ "path": path, "content": content }],
            "idempotency_key": format!("demo-proposal-{number}"),
        });
        if branch == "main" {
            arguments["expected_base_oid"] = head.clone();
        }
        let proposed = call(client, "propose_gitnest_file_import", arguments).await?;
        say("proposed", proposed["proposal_id"].as_str().unwrap_or_default());
    }
    Ok(())
}

async fn call(client: &Client, tool: &'static str, arguments: Value) -> Result<Value, Failure> {
    let Value::Object(arguments) = arguments else { return Err(Failure::demo("arguments are an object")) };
    let params = CallToolRequestParams::new(tool).with_arguments(arguments);
    let result = client.call_tool(params).await.map_err(Failure::server)?;
    let content = result.structured_content.unwrap_or(Value::Null);
    if result.is_error == Some(true) {
        Err(Failure::demo(format!("{tool} refused: {content}")))
    } else {
        Ok(content)
    }
}

fn say(name: &str, value: &str) {
    println!("{}", json!({ name: value }));
}
