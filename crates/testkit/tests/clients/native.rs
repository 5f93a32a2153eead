//! rmcp's own client, in the test's process.

use countersign_testkit::house::House;
use rmcp::model::{CallToolRequestParams, ClientConfig, ProtocolVersion};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{AuthorizationRequest, OAuthState};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt as _};
use serde_json::{Value, json};

use crate::document;
use crate::program::{Walked, consent};
use crate::row::{Era, Way};

const REDIRECT: &str = "http://127.0.0.1:9/callback";

/// What rmcp's client saw, with a token that it was given or fetched itself, and where it sent the owner's browser.
pub(crate) async fn see(house: &mut House, era: Era, way: Way) -> Walked {
    let request = AuthorizationRequest::new(REDIRECT).with_client_name("rmcp");
    let (bearer, asked) = match way {
        Way::Bearer => (house.agent.access.clone(), None),
        Way::Registration => dance(house, request).await,
        Way::Document => dance(house, request.with_client_metadata_url(document::ADDRESS)).await,
    };
    let lifecycle = match era {
        Era::Legacy => ClientLifecycleMode::Initialize,
        Era::Modern => panic!("rmcp has no word for the new era alone"),
        Era::Auto => ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        },
    };
    let config = StreamableHttpClientTransportConfig::with_uri(house.agent.url.as_str()).auth_header(bearer);
    let transport = StreamableHttpClientTransport::from_config(config);
    let client = ClientConfig::default().serve_with_lifecycle(transport, lifecycle).await;
    let client = client.map_err(|error| error.to_string())?;
    let tools = client.list_all_tools().await.expect("it lists");
    let call = |name: &'static str, arguments: Value| {
        let params = CallToolRequestParams::new(name)
            .with_arguments(arguments.as_object().cloned().unwrap_or_default());
        client.call_tool(params)
    };
    let granted = call("list_granted_resources", json!({})).await.expect("it calls");
    let refused = call("read_proposal", json!({ "proposal_id": "7" })).await.expect("a refusal is a result");
    let unknown = call("no_such_tool", json!({})).await.expect_err("an unknown tool fails").to_string();
    let text = refused.content[0].as_text().expect("text").text.clone();
    let refused: Value = serde_json::from_str(&text).expect("a refusal in JSON");
    let protocol = client.peer_info().expect("it knows its peer").protocol_version.to_string();
    let saw = json!({
        "protocol": protocol,
        "tools": tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>(),
        "granted": granted.structured_content,
        "refused": refused["code"],
        "unknown": unknown,
    });
    client.cancel().await.expect("it ends");
    Ok((saw, asked))
}

async fn dance(house: &mut House, request: AuthorizationRequest) -> (String, Option<String>) {
    let mut state = OAuthState::new(house.agent.url.as_str(), None).await.expect("an OAuth client");
    state.start_authorization(request).await.expect("it finds the authorization server and registers");
    let address = state.get_authorization_url().await.expect("where to send the owner");
    let back = consent(&mut house.owner, &address).await;
    state.handle_callback_url(&back).await.expect("it exchanges the code");
    let manager = state.into_authorization_manager().expect("it is authorized");
    (manager.get_access_token().await.expect("it has a token"), Some(address))
}
