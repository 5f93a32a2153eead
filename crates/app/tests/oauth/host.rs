//! Real hosts: their documents and registrations, as they publish and send them, through to a code.

use countersign_app::consent::view::{Identity, ReturnsTo};
use countersign_app::oauth::{self, AuthorizeFailure};
use countersign_core::oauth::authorize::Browser;
use countersign_core::problem::Code;
use countersign_fetch::testing::{Answer, PUBLIC};
use countersign_store::both;
use serde_json::{Value, json};

use crate::world::{ALL, CHALLENGE, World, parameter, params};

/// The authorization of a client that is answered at `redirect_uri`.
async fn ask(w: &World, client: &str, redirect_uri: &str) -> Result<String, AuthorizeFailure> {
    let pairs = [
        ("client_id", client),
        ("redirect_uri", redirect_uri),
        ("response_type", "code"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("scope", ALL),
    ];
    let url = oauth::begin_authorize(&w.app, &params(&pairs), Browser::SignedIn).await?;
    Ok(url.split_once("?h=").unwrap().1.to_owned())
}

/// Documents that hosts publish: address, content, and where each was seen to be answered.
fn documents() -> Vec<(&'static str, Value, &'static str, ReturnsTo)> {
    let site = |host: &str| ReturnsTo::Site(host.to_owned());
    vec![
        (
            "https://claude.ai/oauth/mcp-oauth-client-metadata",
            json!({
                "client_name": "Claude", "client_uri": "https://claude.ai",
                "redirect_uris": ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
                "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
                "token_endpoint_auth_method": "none",
            }),
            "https://claude.ai/api/mcp/auth_callback",
            site("claude.ai"),
        ),
        (
            "https://claude.ai/oauth/claude-code-client-metadata",
            json!({
                "client_name": "Claude Code", "client_uri": "https://claude.ai",
                "redirect_uris": ["http://localhost/callback", "http://127.0.0.1/callback"],
                "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
                "token_endpoint_auth_method": "none",
            }),
            "http://localhost:54545/callback",
            ReturnsTo::Loopback("localhost:54545".to_owned()),
        ),
        (
            "https://chatgpt.com/oauth/client.json",
            json!({
                "client_name": "ChatGPT", "redirect_uris": ["https://chatgpt.com/connector/oauth/a1B2c3"],
                "jwks_uri": "https://chatgpt.com/oauth/jwks.json", "token_endpoint_auth_method": "private_key_jwt",
                "token_endpoint_auth_methods_supported": ["private_key_jwt", "none"],
                "grant_types": ["authorization_code", "refresh_token"],
            }),
            "https://chatgpt.com/connector/oauth/a1B2c3",
            site("chatgpt.com"),
        ),
        (
            "https://vscode.dev/oauth/client-metadata.json",
            json!({
                "client_name": "Visual Studio Code", "client_uri": "https://code.visualstudio.com",
                "redirect_uris": ["http://127.0.0.1:33418/", "https://vscode.dev/redirect", "https://insiders.vscode.dev/redirect"],
                "token_endpoint_auth_method": "none", "application_type": "native",
            }),
            "http://127.0.0.1:61234/",
            ReturnsTo::Loopback("127.0.0.1:61234".to_owned()),
        ),
    ]
}

both!(the_documents_that_hosts_publish_lead_to_a_code, db, {
    let w = World::over(db).await;
    for (id, mut document, uri, returns_to) in documents() {
        document["client_id"] = id.into();
        let host = id.split('/').nth(2).unwrap();
        let name = document["client_name"].as_str().unwrap().to_owned();
        let text = document.to_string();
        let _site = w.t.outside.site(host, PUBLIC, move |_| Answer::json(&text)).await;
        let handle = ask(&w, id, uri).await.unwrap();
        let view = w.look(&w.ann, &handle).await.unwrap();
        assert_eq!((view.client, view.returns_to), (name, returns_to), "{id}");
        assert_eq!(view.identity, Identity::Domain(host.to_owned()), "{id}");
        let url = w.decide(&w.ann, &handle, w.yes(ALL)).await.unwrap();
        assert!(url.starts_with(uri) && parameter(&url, "code").is_some(), "{url}");
        // The page of somebody else cannot be answered under this name.
        let elsewhere = ask(&w, id, "https://evil.example/cb").await.unwrap();
        assert_eq!(w.look(&w.ann, &elsewhere).await.unwrap_err().code, Code::RedirectRefused, "{id}");
    }
});

both!(a_registration_with_three_kinds_of_redirect_uri_is_answered_at_each, db, {
    let w = World::over(db).await;
    let site = "https://www.cursor.com/agents/mcp/oauth/callback";
    let app = "cursor://anysphere.cursor-mcp/oauth/callback";
    let cursor = json!({
        "client_name": "Cursor", "redirect_uris": [site, "http://localhost:8787/callback", app],
        "token_endpoint_auth_method": "none",
    });
    let answer = oauth::register(&w.app, &cursor).unwrap();
    let client = answer["client_id"].as_str().unwrap();
    for (uri, returns_to) in [
        (site, ReturnsTo::Site("www.cursor.com".to_owned())),
        ("http://localhost:9999/callback", ReturnsTo::Loopback("localhost:9999".to_owned())),
        (app, ReturnsTo::Application("cursor://anysphere.cursor-mcp".to_owned())),
    ] {
        let handle = ask(&w, client, uri).await.unwrap();
        let view = w.look(&w.ann, &handle).await.unwrap();
        assert_eq!((view.returns_to, view.identity), (returns_to, Identity::SelfNamed), "{uri}");
    }
    // Registered, as failing on one fails all; used only when an operator lists it.
    let odd = json!({ "redirect_uris": [site, "unlisted://x/cb"] });
    let odd = oauth::register(&w.app, &odd).unwrap();
    let refused = ask(&w, odd["client_id"].as_str().unwrap(), "unlisted://x/cb").await;
    assert!(matches!(refused, Err(AuthorizeFailure::Local(_))));
    for never in ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"] {
        assert!(oauth::register(&w.app, &json!({ "redirect_uris": [site, never] })).is_err(), "{never}");
    }
});
