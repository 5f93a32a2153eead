//! Must show: stock clients list and call tools in every era that they speak, with a bearer and by their own way
//! from the URL alone through the real consent page to tokens. What each comes to is a snapshot: a row that stops
//! passing and one that begins to are both seen.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test starts the programs that users start")]

mod document;
mod native;
mod program;
mod row;

use countersign_fetch::testing::{Answer, Outside, PUBLIC};
use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::server::{OUTSIDE, Options};

use self::row::{Client, table};

/// Runs every row of a client and holds what they came to against the snapshot. `about` says how the client is told
/// of its metadata document; it stands above the rows.
async fn holds(client: Client, about: &str) {
    let outside = Outside::new();
    let _site = outside.site(document::SITE, PUBLIC, |_| Answer::json(document::text())).await;
    let variables = [(OUTSIDE.to_owned(), outside.write())].into();
    let mut house = House::build(Engine::Sqlite, &Options { variables, ..Options::default() }).await;
    let rows = table(client, &mut house).await;
    insta::with_settings!({ description => about, omit_expression => true }, {
        insta::assert_snapshot!(client.as_str(), rows);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_sdk_lists_and_calls_in_both_eras_and_signs_in_by_itself() {
    holds(
        Client::Python,
        "PyPI `mcp` 2.3.0. Its metadata document: `OAuthClientProvider(client_metadata_url=…)`.",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_typescript_sdk_lists_and_calls_in_both_eras_and_signs_in_by_itself() {
    let about = "npm `@modelcontextprotocol/client` 2.4.0. \
        Its metadata document: `clientMetadataUrl` of the provider.";
    holds(Client::TypeScript, about).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rmcp_lists_and_calls_in_both_eras_and_signs_in_by_itself() {
    holds(
        Client::Rmcp,
        "rmcp 3.11.0. Its metadata document: `AuthorizationRequest::with_client_metadata_url`.",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inspectors_command_line_lists_and_calls_in_both_eras_and_signs_in_by_itself() {
    let about = "npm `@modelcontextprotocol/inspector` 2.12.0, `--cli`. \
        Its metadata document: `--client-metadata-url`.";
    holds(Client::Inspector, about).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mcp_remote_lists_and_calls_in_both_eras_and_signs_in_by_itself() {
    holds(
        Client::McpRemote,
        "npm `mcp-remote` 0.15.1 before the Python SDK. Its metadata document: `--client-metadata-url`.",
    )
    .await;
}
