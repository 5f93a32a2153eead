//! Documents: those of real hosts, and those that must not pass.

use serde_json::json;

use super::*;

const URL: &str = "https://app.example/client.json";

fn url() -> HttpsUrl {
    client_url(URL).unwrap()
}

fn read_json(document: &Value) -> Result<ClientDocument, DocumentRefusal> {
    read(&url(), "application/json", document.to_string().as_bytes())
}

#[test]
fn a_client_id_is_an_https_url_with_a_path_and_a_host_by_name() {
    for good in [
        "https://claude.ai/oauth/mcp-oauth-client-metadata",
        "https://claude.ai/oauth/claude-code-client-metadata",
        "https://chatgpt.com/oauth/client.json",
        "https://chatgpt.com/oauth/a1b2/client.json",
        "https://vscode.dev/oauth/client-metadata.json",
        "https://app.example:8443/x?v=1",
    ] {
        assert_eq!(client_url(good).map(|url| url.as_str().to_owned()).as_deref(), Some(good));
    }
    for bad in [
        "",
        "https://app.example",
        "https://app.example/",
        "https://app.example/?x",
        "http://app.example/client.json",
        "https://app/client.json",
        "https://localhost/client.json",
        "https://127.0.0.1/client.json",
        "https://[::1]/client.json",
        "https://2130706433/client.json",
        "https://0x7f.1/client.json",
        "https://u:p@app.example/client.json",
        "https://app.example/client.json#x",
        "https://app.example/a/../client.json",
        "https://app.example/a/%2e%2e/client.json",
        "https://App.example/client.json",
        "javascript:alert(1)",
        "cs_cl_AQ.AQ",
    ] {
        assert_eq!(client_url(bad), None, "{bad}");
    }
}

#[test]
fn a_document_gives_name_redirect_uris_and_its_hash() {
    let document = json!({
        "client_id": URL, "client_name": "An <b>app\u{202e}", "logo_uri": "https://evil.example/logo.png",
        "redirect_uris": ["https://app.example/cb", "http://localhost/callback", "app://x/cb"],
        "token_endpoint_auth_method": "none", "unknown": [1],
    });
    let read = read_json(&document).unwrap();
    assert_eq!(read.name, "An bapp");
    assert_eq!(read.redirect_uris.len(), 3);
    assert_eq!(read.hash.as_slice(), Sha256::digest(document.to_string()).as_slice());
    let nameless =
        json!({ "client_id": URL, "redirect_uris": ["https://app.example/cb"], "client_name": "\u{200b}" });
    assert_eq!(read_json(&nameless).unwrap().name, "app.example");
}

#[test]
fn only_the_document_of_this_very_address_is_taken() {
    for id in [
        json!("https://app.example/client.json/"),
        json!("https://app.example/client.json?"),
        json!("https://app.example:443/client.json"),
        json!("HTTPS://app.example/client.json"),
        json!("https://APP.example/client.json"),
        json!("https://app.example/%63lient.json"),
        json!("https://other.example/client.json"),
        json!([URL]),
        json!(null),
    ] {
        let document = json!({ "client_id": id, "redirect_uris": ["https://app.example/cb"] });
        assert_eq!(read_json(&document), Err(DocumentRefusal::OtherClient), "{document}");
    }
    assert_eq!(
        read_json(&json!({ "redirect_uris": ["https://x.example/"] })),
        Err(DocumentRefusal::OtherClient)
    );
}

#[test]
fn a_client_that_needs_a_secret_is_refused_and_one_that_can_do_without_is_not() {
    let with = |name: &str, value: Value| {
        let mut document = json!({ "client_id": URL, "redirect_uris": ["https://app.example/cb"] });
        document[name] = value;
        document
    };
    for (name, value) in [
        ("client_secret", json!("s")),
        ("client_secret", json!(null)),
        ("client_secret_expires_at", json!(0)),
    ] {
        assert_eq!(read_json(&with(name, value)), Err(DocumentRefusal::Secret), "{name}");
    }
    let (one, many) = ("token_endpoint_auth_method", "token_endpoint_auth_methods_supported");
    for (name, value) in [
        (one, json!("private_key_jwt")),
        (one, json!("client_secret_post")),
        (many, json!(["private_key_jwt"])),
        (many, json!("none")),
        (one, json!(["none"])),
    ] {
        assert_eq!(read_json(&with(name, value.clone())), Err(DocumentRefusal::Authentication), "{value}");
    }
    let mut both = with(one, json!("private_key_jwt"));
    both[many] = json!(["private_key_jwt", "none"]);
    for document in [both, with(one, json!("none")), with(many, json!(["none"]))] {
        assert!(read_json(&document).is_ok(), "{document}");
    }
}

#[test]
fn what_may_never_be_used_is_left_out_and_nothing_left_is_refused() {
    let with = |uris: Value| read_json(&json!({ "client_id": URL, "redirect_uris": uris }));
    let bad = ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://app.example/cb"];
    let mut mixed = bad.to_vec();
    mixed.push("https://app.example/cb");
    let read = with(json!(mixed)).unwrap();
    assert_eq!(
        read.redirect_uris.iter().map(RedirectUri::as_str).collect::<Vec<_>>(),
        ["https://app.example/cb"]
    );
    for uris in [json!(bad), json!([]), json!([7]), json!("https://app.example/cb"), json!(null)] {
        assert_eq!(with(uris.clone()), Err(DocumentRefusal::RedirectUris), "{uris}");
    }
}

#[test]
fn only_an_object_served_as_json_is_read() {
    let good = json!({ "client_id": URL, "redirect_uris": ["https://app.example/cb"] }).to_string();
    for kind in ["application/json", "application/client-metadata+json"] {
        assert!(read(&url(), kind, good.as_bytes()).is_ok(), "{kind}");
    }
    for kind in ["", "text/html", "text/plain", "application/jsonx", "text/x+json"] {
        assert_eq!(read(&url(), kind, good.as_bytes()), Err(DocumentRefusal::MediaType), "{kind}");
    }
    for body in [&b""[..], b"[]", b"null", b"{", b"\xff{}", b"<html>", b"{}{}"] {
        assert_eq!(read(&url(), "application/json", body), Err(DocumentRefusal::NotAnObject));
    }
}

#[test]
fn an_address_in_upper_case_or_with_a_closing_dot_is_no_second_spelling_of_a_client() {
    assert_eq!(client_url("https://app.example./client.json"), None);
    assert_eq!(client_url("https://APP.EXAMPLE/client.json"), None);
}
