//! Token and revocation: the whole way of a client, and whatever else arrives there.

use countersign_app::oauth;
use countersign_app::testing::both;
use countersign_core::problem::Code;
use http::{Method, StatusCode};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::server::{REDIRECT, REVOKE, Reply, Server, TOKEN, VERIFIER, authorize, parameter, request};

const FORM: &str = "application/x-www-form-urlencoded";

fn exchange<'a>(client: &'a str, code: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("grant_type", "authorization_code"),
        ("client_id", client),
        ("code", code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ]
}

/// From the first request to a code.
async fn code(s: &Server, client: &str) -> String {
    let consent = s.get(&authorize(&request(client))).await.header("location").to_owned();
    let answer = s.approve(&s.owner().await, &consent).await;
    assert_eq!(parameter(&answer, "state").as_deref(), Some("xyz"));
    parameter(&answer, "code").unwrap()
}

fn text(reply: &Reply, name: &str) -> String {
    reply.json()[name].as_str().unwrap().to_owned()
}

both!(a_client_gets_tokens_refreshes_and_gives_them_back, db, {
    let s = Server::over(db).await;
    let client = s.register(&[REDIRECT]).await;
    let code = code(&s, &client).await;
    let first = s.form(TOKEN, &exchange(&client, &code)).await;
    assert_eq!((first.status, first.header("cache-control")), (StatusCode::OK, "no-store"));
    assert_eq!(text(&first, "token_type"), "Bearer");
    assert_eq!(text(&first, "scope"), "countersign:read countersign:write");
    assert_eq!(first.json()["expires_in"], 3600);
    let refresh = text(&first, "refresh_token");
    let again = [
        ("grant_type", "refresh_token"),
        ("client_id", client.as_str()),
        ("refresh_token", refresh.as_str()),
    ];
    let (second, third) = (s.form(TOKEN, &again).await, s.form(TOKEN, &again).await);
    assert_eq!((second.status, &second.body), (StatusCode::OK, &third.body));
    let access = text(&second, "access_token");
    assert!(oauth::authenticate(&s.t.app, &access).await.is_ok());
    let stranger = s.register(&["https://other.example/cb"]).await;
    assert_eq!(s.form(REVOKE, &[("client_id", &stranger), ("token", &access)]).await.status, StatusCode::OK);
    assert!(oauth::authenticate(&s.t.app, &access).await.is_ok());
    assert_eq!(s.form(REVOKE, &[("client_id", &client), ("token", &access)]).await.status, StatusCode::OK);
    let dead = oauth::authenticate(&s.t.app, &access).await.unwrap_err();
    assert_eq!(dead.code, Code::Unauthenticated);
});

both!(a_parameter_that_comes_twice_is_refused_before_the_code_is_used, db, {
    let s = Server::over(db).await;
    let client = s.register(&[REDIRECT]).await;
    let code = code(&s, &client).await;
    for (name, value) in exchange(&client, &code) {
        let mut twice = exchange(&client, &code);
        twice.push((name, value));
        assert_eq!(s.form(TOKEN, &twice).await.error(), (400, "invalid_request".to_owned()), "{name}");
    }
    let mut two = exchange(&client, &code);
    two.extend([("resource", "http://localhost:8420/api/v1/external-mcp"); 2]);
    assert_eq!(s.form(TOKEN, &two).await.error(), (400, "invalid_target".to_owned()));
    two.truncate(5);
    two.push(("resource", "https://evil.example/mcp"));
    assert_eq!(s.form(TOKEN, &two).await.error(), (400, "invalid_target".to_owned()));
    assert_eq!(s.form(TOKEN, &exchange(&client, &code)).await.status, StatusCode::OK);
});

both!(an_unknown_client_is_401_and_a_bad_grant_is_400, db, {
    let s = Server::over(db).await;
    let client = s.register(&[REDIRECT]).await;
    let mut bent = client.clone();
    bent.replace_range(20..21, if client.as_bytes()[20] == b'A' { "B" } else { "A" });
    for id in ["", "x", &bent] {
        assert_eq!(s.form(TOKEN, &exchange(id, "cs_ac_x")).await.error(), (401, "invalid_client".to_owned()));
        assert_eq!(
            s.form(REVOKE, &[("client_id", id), ("token", "x")]).await.error(),
            (401, "invalid_client".to_owned())
        );
    }
    assert_eq!(s.form(TOKEN, &exchange(&client, "cs_ac_x")).await.error(), (400, "invalid_grant".to_owned()));
    let refresh =
        [("grant_type", "refresh_token"), ("client_id", client.as_str()), ("refresh_token", "cs_rt_x")];
    assert_eq!(s.form(TOKEN, &refresh).await.error(), (400, "invalid_grant".to_owned()));
    let password = [("grant_type", "password"), ("client_id", client.as_str())];
    assert_eq!(s.form(TOKEN, &password).await.error(), (400, "unsupported_grant_type".to_owned()));
});

both!(only_a_form_of_bounded_size_is_read_and_only_by_post, db, {
    let s = Server::over(db).await;
    let long = format!("grant_type={}", "a".repeat(64 * 1024));
    for uri in [TOKEN, REVOKE] {
        for (kind, body) in [
            ("application/json", "{}"),
            ("", "grant_type=x"),
            ("application/x-www-form-urlencodedx", "grant_type=x"),
            ("multipart/form-data; boundary=x", "--x--"),
            (FORM, "a=%ff"),
            (FORM, long.as_str()),
        ] {
            let reply = s.post(uri, kind, body.to_owned()).await;
            assert_eq!(reply.error(), (400, "invalid_request".to_owned()), "{uri} {kind}");
        }
        for method in [Method::GET, Method::PUT, Method::DELETE] {
            assert_eq!(s.method(method, uri).await.status, StatusCode::METHOD_NOT_ALLOWED);
        }
    }
});

both!(nothing_that_arrives_makes_the_server_fail, db, {
    let s = Server::over(db).await;
    let client = s.register(&[REDIRECT]).await;
    let names = prop::sample::select(vec![
        "grant_type",
        "client_id",
        "code",
        "redirect_uri",
        "code_verifier",
        "resource",
        "refresh_token",
        "scope",
        "token",
        "x",
    ]);
    let values = prop_oneof![
        Just("authorization_code".to_owned()),
        Just("refresh_token".to_owned()),
        Just(client),
        Just("cs_rt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA".to_owned()),
        Just("cs_ac_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA".to_owned()),
        "[ -~%&=+]{0,40}",
        "\\PC{0,20}",
    ];
    let bodies = prop::collection::vec((names, values), 0..8);
    let mut runner = TestRunner::deterministic();
    for n in 0..200_u32 {
        let pairs = bodies.new_tree(&mut runner).unwrap().current();
        let plain: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let uri = if n % 2 == 0 { TOKEN } else { REVOKE };
        for reply in [s.form(uri, &pairs).await, s.post(uri, FORM, plain.join("&")).await] {
            let status = reply.status.as_u16();
            assert!(matches!(status, 200 | 400 | 401), "{status} for {pairs:?}");
            assert!(uri == REVOKE || status != 200, "tokens for {pairs:?}");
            let _ = reply.json();
        }
    }
});

both!(trouble_with_the_store_is_503_and_never_invalid_grant, db, {
    let s = Server::over(db).await;
    let client = s.register(&[REDIRECT]).await;
    let code = code(&s, &client).await;
    let first = s.form(TOKEN, &exchange(&client, &code)).await;
    let refresh = text(&first, "refresh_token");
    s.t.app.db.close().await;
    let again = [
        ("grant_type", "refresh_token"),
        ("client_id", client.as_str()),
        ("refresh_token", refresh.as_str()),
    ];
    for (uri, pairs) in [
        (TOKEN, again.to_vec()),
        (TOKEN, exchange(&client, &code)),
        (REVOKE, vec![("client_id", client.as_str()), ("token", refresh.as_str())]),
    ] {
        let reply = s.form(uri, &pairs).await;
        assert_eq!(reply.error(), (503, "temporarily_unavailable".to_owned()), "{uri}");
        assert_eq!(reply.header("retry-after"), "2");
    }
});
