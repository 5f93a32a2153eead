//! Registration: open to all, kept nowhere, bounded.

use std::net::Ipv4Addr;

use countersign_app::testing::both;
use http::Request;
use serde_json::json;

use crate::server::{REGISTER, Server};

both!(what_hosts_send_is_accepted_as_a_public_client, db, {
    let s = Server::over(db).await;
    let claude = json!({
        "client_name": "Claude", "redirect_uris": ["https://claude.ai/api/mcp/auth_callback"],
        "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
        "token_endpoint_auth_method": "client_secret_post", "scope": "countersign:read", "application_type": "web",
    });
    let cursor = json!({
        "client_name": "Cursor", "token_endpoint_auth_method": "none", "resource": "http://localhost:8420/api/v1/external-mcp",
        "redirect_uris": ["https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback", "cursor://anysphere.cursor-mcp/oauth/callback"],
    });
    let code = json!({
        "client_name": "Visual Studio Code", "client_uri": "https://code.visualstudio.com", "token_endpoint_auth_method": "none",
        "redirect_uris": ["http://127.0.0.1:33418/", "http://127.0.0.1/", "https://vscode.dev/redirect", "https://insiders.vscode.dev/redirect"],
    });
    for body in [claude, cursor, code] {
        let reply = s.post(REGISTER, "application/json; charset=utf-8", body.to_string()).await;
        assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (201, "no-store"), "{body}");
        let answer = reply.json();
        assert!(answer["client_id"].as_str().unwrap().len() <= 512);
        assert_eq!(answer["token_endpoint_auth_method"], "none");
        assert_eq!(answer["redirect_uris"], body["redirect_uris"]);
        assert!(answer.get("client_secret").is_none());
    }
});

both!(what_is_no_registration_is_refused_in_its_words, db, {
    let s = Server::over(db).await;
    let large = json!({ "redirect_uris": ["https://h.example/cb"], "x": "y".repeat(9000) }).to_string();
    for (kind, body, error) in [
        ("application/json", "{", "invalid_client_metadata"),
        ("application/json", "[]", "invalid_client_metadata"),
        ("application/json", "\u{feff}{}", "invalid_client_metadata"),
        ("text/plain", "{\"redirect_uris\":[\"https://h.example/cb\"]}", "invalid_client_metadata"),
        ("application/jsonx", "{\"redirect_uris\":[\"https://h.example/cb\"]}", "invalid_client_metadata"),
        ("application/json", large.as_str(), "invalid_client_metadata"),
        ("application/json", "{}", "invalid_redirect_uri"),
        ("application/json", "{\"redirect_uris\":[\"javascript:alert(1)\"]}", "invalid_redirect_uri"),
        ("application/json", "{\"redirect_uris\":[\"http://h.example/cb\"]}", "invalid_redirect_uri"),
    ] {
        assert_eq!(
            s.post(REGISTER, kind, body.to_owned()).await.error(),
            (400, error.to_owned()),
            "{kind} {body:.60}"
        );
    }
});

both!(a_flood_is_stopped_for_one_address_and_not_for_its_neighbour, db, {
    let s = Server::over(db).await;
    let body = json!({ "redirect_uris": ["https://h.example/cb"] }).to_string();
    let ask = || {
        Request::post(REGISTER).header("content-type", "application/json").body(body.clone().into()).unwrap()
    };
    let flood = Ipv4Addr::new(192, 0, 2, 1);
    for _ in 0..60 {
        assert_eq!(s.send_from(ask(), flood).await.status.as_u16(), 201);
    }
    let reply = s.send_from(ask(), flood).await;
    assert_eq!(reply.error(), (429, "temporarily_unavailable".to_owned()));
    assert_eq!(reply.header("retry-after"), "60");
    assert_eq!(s.send_from(ask(), Ipv4Addr::new(192, 0, 2, 2)).await.status.as_u16(), 201);
    s.t.clock.advance_seconds(60);
    assert_eq!(s.send_from(ask(), flood).await.status.as_u16(), 201);
});

both!(a_flood_from_everywhere_keeps_nobody_from_registering, db, {
    let s = Server::over(db).await;
    let body = json!({ "redirect_uris": ["https://h.example/cb"] }).to_string();
    for n in 0..700_u32 {
        let ask = Request::post(REGISTER)
            .header("content-type", "application/json")
            .body(body.clone().into())
            .unwrap();
        let reply = s.send_from(ask, Ipv4Addr::from_bits(0xc633_0000 + n)).await;
        assert_eq!(reply.status.as_u16(), 201, "{n}");
    }
});
