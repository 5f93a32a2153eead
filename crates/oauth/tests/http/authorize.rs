//! Authorize: to consent, back to the client, or a page of ours and nowhere else.

use countersign_app::testing::both;
use http::{Method, StatusCode};

use crate::server::{AUTHORIZE, REDIRECT, Reply, Server, authorize, parameter, request};

fn with(client: &str, name: &'static str, value: &str) -> String {
    let pairs: Vec<_> = request(client)
        .into_iter()
        .map(|(n, v)| if n == name { (n, value.to_owned()) } else { (n, v) })
        .collect();
    authorize(&pairs)
}

fn is_page_of_ours(reply: &Reply) {
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    assert_eq!(reply.header("location"), "");
    assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
    assert!(reply.header("content-security-policy").contains("frame-ancestors 'none'"));
    assert_eq!((reply.header("x-frame-options"), reply.header("cache-control")), ("DENY", "no-store"));
    assert_eq!(reply.header("referrer-policy"), "no-referrer");
}

both!(a_good_request_goes_on_to_consent, db, {
    let s = Server::over(db).await;
    let client = s.register(&[REDIRECT]).await;
    let reply = s.get(&authorize(&request(&client))).await;
    assert_eq!((reply.status, reply.header("cache-control")), (StatusCode::FOUND, "no-store"));
    let location = reply.header("location");
    assert!(location.starts_with("http://localhost:8420/external-assistant-authorize?h="), "{location}");
    assert_eq!(parameter(location, "h").unwrap().len(), 43);
});

both!(an_unknown_client_gets_a_page_that_says_what_to_do, db, {
    let s = Server::over(db).await;
    let client = s.register(&[REDIRECT]).await;
    let middle = client.len() / 2;
    let mut bent = client.clone();
    bent.replace_range(middle..=middle, if client.as_bytes()[middle] == b'A' { "B" } else { "A" });
    let at = client.find('.').unwrap() + 1;
    let mut unsigned = client.clone();
    unsigned.replace_range(at..=at, if client.as_bytes()[at] == b'A' { "B" } else { "A" });
    for id in [
        bent.as_str(),
        unsigned.as_str(),
        &client[..client.len() - 1],
        "",
        "x",
        "https://evil.example/",
        "http://evil.example/c.json",
        "https://127.0.0.1/c.json",
    ] {
        let reply = s.get(&with(&client, "client_id", id)).await;
        is_page_of_ours(&reply);
        assert!(String::from_utf8(reply.body).unwrap().contains("does not know the client"), "{id}");
    }
    is_page_of_ours(&s.get(AUTHORIZE).await);
    is_page_of_ours(&s.get(&format!("{AUTHORIZE}?client_id=%ff")).await);
});

both!(a_redirect_uri_that_was_not_registered_is_never_followed, db, {
    let s = Server::over(db).await;
    let client = s.register(&[REDIRECT, "http://localhost/cb", "unlisted://x/cb"]).await;
    for uri in [
        "https://evil.example/cb",
        "https://host.example/cb/",
        "https://host.example/c",
        "https://host.example/cb?x=1",
        "https://host.example/CB",
        "https://HOST.example/cb",
        "https://host.example:444/cb",
        "https://host.example.evil.example/cb",
        "https://host.example@evil.example/cb",
        "https://host.example/x/%2e%2e/cb",
        "https://host.example/%63b",
        "http://host.example/cb",
        "http://localhost.evil.example/cb",
        "http://localhost@evil/cb",
        "http://127.1/cb",
        "http://127.0.0.1/cb",
        "http://localhost:1/cb/",
        "http://localhost:1/cb?x",
        "javascript:alert(1)//cb",
        "data:text/html,x",
        "unlisted://x/cb",
        "",
        "/cb",
        "//host.example/cb",
        "https://host.example/cb\r\nLocation: https://evil.example",
    ] {
        is_page_of_ours(&s.get(&with(&client, "redirect_uri", uri)).await);
    }
    let loopback = s.get(&with(&client, "redirect_uri", "http://localhost:54321/cb")).await;
    assert_eq!(loopback.status, StatusCode::FOUND);
});

both!(a_custom_scheme_is_followed_when_the_operator_listed_it, db, {
    let s = Server::with(db, |settings| settings.custom_redirects = vec!["unlisted://x/cb".to_owned()]).await;
    let client = s.register(&[REDIRECT, "unlisted://x/cb"]).await;
    let reply = s.get(&with(&client, "redirect_uri", "unlisted://x/cb")).await;
    assert_eq!(reply.status, StatusCode::FOUND);
});

both!(every_later_fault_is_told_to_the_client_with_state_and_issuer, db, {
    let s = Server::over(db).await;
    let (_, session) = s.owner().await;
    let client = s.register(&[REDIRECT]).await;
    for (name, value, error) in [
        ("response_type", "token", "unsupported_response_type"),
        ("response_type", "", "invalid_request"),
        ("code_challenge", "", "invalid_request"),
        ("code_challenge", "too-short", "invalid_request"),
        ("code_challenge_method", "", "invalid_request"),
        ("code_challenge_method", "plain", "invalid_request"),
        ("code_challenge_method", "S512", "invalid_request"),
    ] {
        let reply = s.get_as(&session, &with(&client, name, value)).await;
        let location = reply.header("location");
        assert!(location.starts_with(&format!("{REDIRECT}?error={error}&")), "{name}={value}: {location}");
        assert!(location.ends_with("&state=xyz&iss=http%3A%2F%2Flocalhost%3A8420"), "{location}");
    }
    let mut pairs = request(&client);
    pairs.push(("resource", "https://evil.example/mcp".to_owned()));
    let reply = s.get_as(&session, &authorize(&pairs)).await;
    assert_eq!(parameter(reply.header("location"), "error").as_deref(), Some("invalid_target"));
    let mut twice = request(&client);
    twice.push(("scope", "countersign:read".to_owned()));
    let reply = s.get_as(&session, &authorize(&twice)).await;
    assert_eq!(parameter(reply.header("location"), "error").as_deref(), Some("invalid_request"));
});

both!(a_fault_in_the_browser_of_nobody_known_is_told_on_our_page_and_leads_nowhere, db, {
    let s = Server::over(db).await;
    let client = s.register(&["https://evil.example/login"]).await;
    let mut pairs = request(&client);
    for (name, value) in &mut pairs {
        match *name {
            "redirect_uri" => *value = "https://evil.example/login".to_owned(),
            "response_type" => *value = "x".to_owned(),
            _ => {}
        }
    }
    for reply in [s.get(&authorize(&pairs)).await, s.get_as("cs_se_none", &authorize(&pairs)).await] {
        is_page_of_ours(&reply);
        let page = String::from_utf8(reply.body).unwrap();
        assert!(page.contains("evil.example") && page.contains("response_type=code"), "{page}");
    }
});

both!(exactly_one_issuer_is_named_whatever_the_redirect_uri_holds, db, {
    let s = Server::over(db).await;
    let uri = "https://host.example/cb?iss=https://evil.example&keep=%41";
    let (_, session) = s.owner().await;
    let client = s.register(&[uri]).await;
    let mut pairs = request(&client);
    pairs.retain(|(name, _)| *name != "redirect_uri" && *name != "response_type");
    pairs.push(("redirect_uri", uri.to_owned()));
    let reply = s.get_as(&session, &authorize(&pairs)).await;
    let location = reply.header("location");
    assert!(location.starts_with("https://host.example/cb?keep=%41&error=invalid_request&"), "{location}");
    assert_eq!(location.matches("iss=").count(), 1);
});

both!(only_a_browser_that_navigates_gets_anywhere_and_not_too_often, db, {
    let s = Server::over(db).await;
    assert_eq!(s.method(Method::POST, AUTHORIZE).await.status, StatusCode::METHOD_NOT_ALLOWED);
    let client = s.register(&[REDIRECT]).await;
    for _ in 1..60 {
        assert_eq!(s.get(&authorize(&request(&client))).await.status, StatusCode::FOUND);
    }
    let reply = s.get(&authorize(&request(&client))).await;
    assert_eq!((reply.status, reply.header("location")), (StatusCode::TOO_MANY_REQUESTS, ""));
    assert_eq!(reply.header("retry-after"), "60");
    assert_eq!((reply.header("x-ratelimit-limit"), reply.header("x-ratelimit-remaining")), ("60", "0"));
});

both!(a_flood_from_everywhere_is_stopped_and_whoever_is_signed_in_is_not, db, {
    let s = Server::over(db).await;
    let client = s.register(&[REDIRECT]).await;
    let address = authorize(&request(&client));
    let ask = || http::Request::get(&address).body(axum::body::Body::empty()).unwrap();
    let mut stopped = 0;
    for n in 0..610_u32 {
        let reply = s.send_from(ask(), std::net::Ipv4Addr::from_bits(0xc633_0000 + n)).await;
        stopped += u32::from(reply.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert_eq!(stopped, 10);
    let (_, session) = s.owner().await;
    for _ in 0..60 {
        assert_eq!(s.get_as(&session, &address).await.status, StatusCode::FOUND);
    }
    assert_eq!(s.get_as(&session, &address).await.status, StatusCode::TOO_MANY_REQUESTS);
});

both!(one_host_of_ipv6_stops_nobody_else_whichever_of_its_addresses_it_takes, db, {
    let s = Server::over(db).await;
    let client = s.register(&[REDIRECT]).await;
    let address = authorize(&request(&client));
    let ask = || http::Request::get(&address).body(axum::body::Body::empty()).unwrap();
    let host = |n: u16| std::net::Ipv6Addr::new(0x2001, 0xdb8, 0, 1, 0, 0, 0, n);
    let mut followed = 0;
    for n in 0..700 {
        followed += u32::from(s.send_from(ask(), host(n)).await.status == StatusCode::FOUND);
    }
    assert_eq!(followed, 60);
    let neighbour = std::net::Ipv6Addr::new(0x2001, 0xdb8, 0, 2, 0, 0, 0, 1);
    assert_eq!(s.send_from(ask(), neighbour).await.status, StatusCode::FOUND);
});

both!(trouble_with_the_store_is_a_page_and_no_answer_to_the_client, db, {
    let s = Server::over(db).await;
    let client = s.register(&[REDIRECT]).await;
    s.t.app.db.close().await;
    let reply = s.get(&authorize(&request(&client))).await;
    assert_eq!((reply.status, reply.header("location")), (StatusCode::SERVICE_UNAVAILABLE, ""));
    assert_eq!(reply.header("retry-after"), "2");
});
