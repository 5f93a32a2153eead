//! The documents, and everything beside them that must be missing.

use countersign_app::testing::both;
use countersign_core::oauth::metadata::{Offer, Urls};
use http::{Method, Request, StatusCode};

use crate::server::{AUTHORIZE, REGISTER, REVOKE, Server, TOKEN, request};

const RESOURCE: &str = "/.well-known/oauth-protected-resource";
const OF_CONNECTOR: &str = "/.well-known/oauth-protected-resource/api/v1/external-mcp";
const ISSUER: &str = "/.well-known/oauth-authorization-server";

both!(the_documents_say_where_everything_is, db, {
    let s = Server::over(db).await;
    let urls = Urls::new("http://localhost:8420").unwrap();
    assert_eq!(s.get(RESOURCE).await.json(), urls.protected_resource());
    assert_eq!(s.get(OF_CONNECTOR).await.json(), urls.protected_resource());
    assert_eq!(s.get(ISSUER).await.json(), urls.authorization_server(Offer::default()));
});

both!(no_header_of_a_request_changes_a_document, db, {
    let s = Server::over(db).await;
    for uri in [RESOURCE, OF_CONNECTOR, ISSUER] {
        let plain = s.get(uri).await.body;
        for (name, value) in [
            ("host", "evil.example"),
            ("x-forwarded-host", "evil.example"),
            ("x-forwarded-proto", "ftp"),
            ("forwarded", "host=evil.example;proto=ftp"),
            ("x-original-url", "/evil"),
        ] {
            let spoofed = Request::get(uri).header(name, value).body(axum::body::Body::empty()).unwrap();
            assert_eq!(s.send(spoofed).await.body, plain, "{name}");
        }
    }
});

both!(every_other_well_known_path_is_missing_in_json, db, {
    let s = Server::over(db).await;
    for uri in [
        "/.well-known",
        "/.well-known/",
        "/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server/api/v1/external-mcp",
        "/.well-known/oauth-authorization-server/",
        "/.well-known/oauth-protected-resource/",
        "/.well-known/oauth-protected-resource/api/v1/external-mcp/",
        "/.well-known/oauth-protected-resource/other",
        "/.well-known/jwks.json",
        "/.well-known/a/b/c",
        "/api/v1/external-mcp/.well-known/oauth-authorization-server",
        "/api/v1/external-mcp/.well-known/openid-configuration",
        "/api/v1/external-mcp/.well-known/oauth-protected-resource",
    ] {
        for method in [Method::GET, Method::POST] {
            let reply = s.method(method, uri).await;
            assert_eq!(reply.error(), (404, "not_found".to_owned()), "{uri}");
        }
    }
});

both!(any_origin_may_read_machine_endpoints_without_credentials_and_none_may_read_authorize, db, {
    let s = Server::over(db).await;
    for uri in [RESOURCE, OF_CONNECTOR, ISSUER, "/.well-known/x", REGISTER, TOKEN, REVOKE] {
        let preflight = Request::options(uri)
            .header("origin", "https://app.example")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,content-type,mcp-protocol-version")
            .body(axum::body::Body::empty())
            .unwrap();
        let reply = s.send(preflight).await;
        assert_eq!(reply.status, StatusCode::NO_CONTENT, "{uri}");
        assert!(reply.header("access-control-allow-headers").contains("MCP-Protocol-Version"));
        assert!(reply.header("access-control-allow-methods").contains("POST"));
        for reply in [reply, s.get(uri).await] {
            assert_eq!(reply.header("access-control-allow-origin"), "*", "{uri}");
            assert_eq!(reply.header("access-control-allow-credentials"), "", "{uri}");
            assert!(reply.header("access-control-expose-headers").contains("WWW-Authenticate"));
        }
    }
    let client = s.register(&["https://host.example/cb"]).await;
    let reply = s.get(&crate::server::authorize(&request(&client))).await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (StatusCode::FOUND, ""));
});

both!(an_operator_can_leave_the_issuer_out_of_answers, db, {
    let s = Server::with(db, |settings| settings.send_issuer = false).await;
    let urls = Urls::new("http://localhost:8420").unwrap();
    assert_eq!(
        s.get(ISSUER).await.json(),
        urls.authorization_server(Offer { issuer_in_answers: false, ..Offer::default() })
    );
    let client = s.register(&["https://host.example/cb"]).await;
    let mut bad = request(&client);
    bad.retain(|(name, _)| *name != "code_challenge");
    let (_, session) = s.owner().await;
    let reply = s.get_as(&session, &crate::server::authorize(&bad)).await;
    assert!(reply.header("location").contains("error=invalid_request"), "{}", reply.header("location"));
    assert!(!reply.header("location").contains("iss="));
});

both!(a_public_url_that_no_client_would_accept_does_not_start, db, {
    let t =
        countersign_app::testing::TestApp::with(db, |settings| settings.public_url = "http://lan".to_owned())
            .await;
    assert!(countersign_oauth::routes(&t.app, |_| String::new()).is_err());
});

both!(a_method_that_is_not_served_is_told_in_the_words_of_the_endpoint, db, {
    let s = Server::over(db).await;
    for uri in [REGISTER, TOKEN, REVOKE] {
        let reply = s.method(Method::PUT, uri).await;
        assert_eq!(reply.error(), (405, "invalid_request".to_owned()), "{uri}");
        assert_eq!(
            (reply.header("allow"), reply.header("access-control-allow-origin")),
            ("POST", "*"),
            "{uri}"
        );
    }
    let page = s.method(Method::PUT, AUTHORIZE).await;
    assert_eq!(page.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(page.header("allow").contains("GET") && String::from_utf8(page.body).unwrap().contains("<p>"));
});

both!(every_answer_tells_what_is_left, db, {
    let s = Server::over(db).await;
    let form = "application/x-www-form-urlencoded";
    let preflight = http::Request::builder()
        .method(http::Method::OPTIONS)
        .uri(crate::server::TOKEN)
        .header("access-control-request-method", "POST")
        .body(axum::body::Body::empty())
        .unwrap();
    for (reply, limit) in [
        (s.get("/.well-known/oauth-authorization-server").await, "2000"),
        (s.get("/.well-known/none").await, "2000"),
        (s.post(crate::server::TOKEN, form, "").await, "2000"),
        (s.post(crate::server::REVOKE, form, "").await, "2000"),
        (s.get(crate::server::REVOKE).await, "2000"),
        (s.post(crate::server::REGISTER, "application/json", "{}").await, "60"),
        (s.get(crate::server::AUTHORIZE).await, "60"),
        (s.send(preflight).await, "2000"),
    ] {
        assert_eq!(reply.header("x-ratelimit-limit"), limit, "{reply:?}");
        let left = reply.header("x-ratelimit-remaining").parse::<u32>();
        assert!(left.is_ok_and(|left| left < 2000) && reply.header("x-ratelimit-reset") == "60", "{reply:?}");
    }
});
