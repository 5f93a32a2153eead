//! Attacks on the token endpoint: missing proofs, codes and tokens presented twice, by the wrong client, all at once.

use std::sync::Arc;

use countersign_app::oauth;
use countersign_app::testing::both;
use countersign_core::problem::Code;
use http::StatusCode;
use serde_json::Value;

use crate::server::{REDIRECT, REVOKE, Reply, Server, TOKEN, VERIFIER, authorize, parameter, request};

/// An owner, a client and a code of theirs for it.
async fn with_code(s: &Server) -> (String, String) {
    let client = s.register(&[REDIRECT]).await;
    let consent = s.get(&authorize(&request(&client))).await.header("location").to_owned();
    let code = parameter(&s.approve(&s.owner().await, &consent).await, "code").unwrap();
    (client, code)
}

fn exchange<'a>(client: &'a str, code: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("grant_type", "authorization_code"),
        ("client_id", client),
        ("code", code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ]
}

fn refresh<'a>(client: &'a str, token: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", token)]
}

fn text(reply: &Reply, name: &str) -> String {
    assert_eq!(reply.status, StatusCode::OK, "{reply:?}");
    reply.json()[name].as_str().unwrap().to_owned()
}

fn bad_grant() -> (u16, String) {
    (400, "invalid_grant".to_owned())
}

async fn opens(s: &Server, access: &str) -> bool {
    oauth::authenticate(&s.t.app, access).await.is_ok()
}

both!(
    /// Row 5: a redirect URI that differs at the token endpoint alone.
    a_code_is_not_exchanged_under_any_other_spelling_of_its_redirect_uri,
    db,
    {
        let s = Server::over(db).await;
        let (client, code) = with_code(&s).await;
        for uri in [
            "https://host.example/cb/",
            "https://host.example/cb?x",
            "https://HOST.example/cb",
            "https://host.example:443/cb",
            "https://host.example/%63b",
            "https://host.example/x/../cb",
            "https://evil.example/cb",
        ] {
            let mut form = exchange(&client, &code);
            form[3].1 = uri;
            assert_eq!(s.form(TOKEN, &form).await.error(), bad_grant(), "{uri}");
        }
        text(&s.form(TOKEN, &exchange(&client, &code)).await, "access_token");
    }
);

both!(
    /// Row 7: a code without its proof, or with another one.
    a_code_without_its_own_verifier_gives_nothing_and_stays_good,
    db,
    {
        let s = Server::over(db).await;
        let (client, code) = with_code(&s).await;
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        let long = "a".repeat(129);
        let wrong = VERIFIER.replace('k', "K");
        for verifier in [challenge, &VERIFIER[..42], &long, &wrong, "a", " "] {
            let mut form = exchange(&client, &code);
            form[4].1 = verifier;
            assert_eq!(s.form(TOKEN, &form).await.error(), bad_grant(), "{verifier}");
        }
        let without = &exchange(&client, &code)[..4];
        assert_eq!(s.form(TOKEN, without).await.error(), (400, "invalid_request".to_owned()));
        text(&s.form(TOKEN, &exchange(&client, &code)).await, "access_token");
    }
);

both!(
    /// Row 8: a code that comes twice ends what was issued on it.
    a_code_that_comes_twice_is_refused_and_kills_the_first_tokens,
    db,
    {
        let s = Server::over(db).await;
        let (client, code) = with_code(&s).await;
        let first = s.form(TOKEN, &exchange(&client, &code)).await;
        let (access, again) = (text(&first, "access_token"), text(&first, "refresh_token"));
        assert!(opens(&s, &access).await);
        // A thief of the code alone ends nothing.
        let mut stolen = exchange(&client, &code);
        stolen[4].1 = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        assert_eq!(s.form(TOKEN, &stolen).await.error(), bad_grant());
        assert!(opens(&s, &access).await);
        assert_eq!(s.form(TOKEN, &exchange(&client, &code)).await.error(), bad_grant());
        assert!(!opens(&s, &access).await);
        assert_eq!(s.form(TOKEN, &refresh(&client, &again)).await.error(), bad_grant());
    }
);

both!(
    /// Row 8: another client with a code that is not its own.
    a_code_in_another_clients_hands_is_worth_nothing_and_keeps_its_worth,
    db,
    {
        let s = Server::over(db).await;
        let (client, code) = with_code(&s).await;
        let other = s.register(&[REDIRECT, "https://other.example/cb"]).await;
        assert_eq!(s.form(TOKEN, &exchange(&other, &code)).await.error(), bad_grant());
        let access = text(&s.form(TOKEN, &exchange(&client, &code)).await, "access_token");
        assert_eq!(s.form(TOKEN, &exchange(&other, &code)).await.error(), bad_grant());
        assert!(opens(&s, &access).await);
    }
);

both!(
    /// Row 8: many at once with one code.
    of_twenty_who_present_a_code_at_once_at_most_one_is_answered,
    db,
    {
        let s = Arc::new(Server::over(db).await);
        let (client, code) = with_code(&s).await;
        let mut all = Vec::new();
        for _ in 0..20 {
            let (s, client, code) = (Arc::clone(&s), client.clone(), code.clone());
            all.push(tokio::spawn(async move { s.form(TOKEN, &exchange(&client, &code)).await }));
        }
        let mut answered = 0;
        for one in all {
            let reply = one.await.unwrap();
            if reply.status == StatusCode::OK {
                answered += 1;
            } else {
                assert_eq!(reply.error(), bad_grant());
            }
        }
        assert_eq!(answered, 1);
    }
);

both!(
    /// Row 9: a refresh token that comes back after its successor was used.
    a_refresh_token_that_was_used_up_ends_its_family_and_tells_the_owner,
    db,
    {
        let s = Server::over(db).await;
        let (client, code) = with_code(&s).await;
        let first = text(&s.form(TOKEN, &exchange(&client, &code)).await, "refresh_token");
        let second = s.form(TOKEN, &refresh(&client, &first)).await;
        let again = s.form(TOKEN, &refresh(&client, &first)).await;
        assert_eq!(second.body, again.body, "within the window the same answer, byte for byte");
        let third = s.form(TOKEN, &refresh(&client, &text(&second, "refresh_token"))).await;
        s.t.clock.advance_seconds(61);
        assert_eq!(s.form(TOKEN, &refresh(&client, &first)).await.error(), bad_grant());
        assert!(!opens(&s, &text(&third, "access_token")).await);
        let last = text(&third, "refresh_token");
        assert_eq!(s.form(TOKEN, &refresh(&client, &last)).await.error(), bad_grant());
        let told: Vec<(String,)> = s
            .t
            .app
            .db
            .read(|t| {
                Box::pin(async move {
                    let sql = "SELECT outcome FROM audit WHERE action = 'oauth.refresh' AND code = 'token_reused'";
                    t.all(sql, &[]).await
                })
            })
            .await
            .unwrap_or_else(|error: countersign_store::Error| panic!("{error}"));
        assert_eq!(told.len(), 1);
    }
);

both!(
    /// Row 9: the processes of one host that refresh at the same moment.
    twenty_who_refresh_at_once_go_on_with_one_successor,
    db,
    {
        let s = Arc::new(Server::over(db).await);
        let (client, code) = with_code(&s).await;
        let first = text(&s.form(TOKEN, &exchange(&client, &code)).await, "refresh_token");
        let mut all = Vec::new();
        for _ in 0..20 {
            let (s, client, first) = (Arc::clone(&s), client.clone(), first.clone());
            all.push(tokio::spawn(async move { s.form(TOKEN, &refresh(&client, &first)).await }));
        }
        let mut tips = std::collections::BTreeSet::new();
        for one in all {
            tips.insert(text(&one.await.unwrap(), "refresh_token"));
        }
        assert_eq!(tips.len(), 1);
    }
);

both!(
    /// Row 18: an answer that could be another server's.
    a_yes_names_its_issuer_once_as_the_documents_do_whatever_the_redirect_uri_holds,
    db,
    {
        let s = Server::over(db).await;
        let uri = "https://host.example/cb?iss=https://evil.example&keep=%41";
        let client = s.register(&[uri]).await;
        let mut pairs = request(&client);
        pairs[1].1 = uri.to_owned();
        let consent = s.get(&authorize(&pairs)).await.header("location").to_owned();
        let answer = s.approve(&s.owner().await, &consent).await;
        assert_eq!(answer.matches("iss=").count(), 1, "{answer}");
        assert!(!answer.contains("evil") && answer.contains("keep=%41&code=cs_ac_"), "{answer}");
        let document = s.get("/.well-known/oauth-authorization-server").await.json();
        assert_eq!(document["issuer"], "http://localhost:8420");
        assert_eq!(parameter(&answer, "iss").unwrap(), "http%3A%2F%2Flocalhost%3A8420");
    }
);

both!(
    /// Row 25: a client that gives back what is not its own, and one that does.
    nobody_ends_a_sign_in_but_its_own_client_and_then_all_of_it_at_once,
    db,
    {
        let s = Server::over(db).await;
        let (client, code) = with_code(&s).await;
        let tokens: Value = s.form(TOKEN, &exchange(&client, &code)).await.json();
        let (access, again) =
            (tokens["access_token"].as_str().unwrap(), tokens["refresh_token"].as_str().unwrap());
        let other = s.register(&["https://other.example/cb"]).await;
        for token in [access, again, code.as_str(), "cs_at_x", ""] {
            let reply = s.form(REVOKE, &[("client_id", &other), ("token", token)]).await;
            let expected = if token.is_empty() { 400 } else { 200 };
            assert_eq!(reply.status.as_u16(), expected, "{token}");
            assert!(opens(&s, access).await);
        }
        assert_eq!(s.form(REVOKE, &[("client_id", &client), ("token", again)]).await.status, StatusCode::OK);
        let dead = oauth::authenticate(&s.t.app, access).await.unwrap_err();
        assert_eq!(dead.code, Code::Unauthenticated);
        assert_eq!(s.form(TOKEN, &refresh(&client, again)).await.error(), bad_grant());
    }
);

both!(
    /// An operator who lets nobody register: the endpoint says so, and who is known stays known.
    where_registration_is_off_nobody_new_registers_and_who_is_known_goes_on,
    db,
    {
        let on = Server::over(db.clone()).await;
        let known = on.register(&[REDIRECT]).await;
        let s = Server::with(db, |settings| settings.client_registration = false).await;
        let body = serde_json::json!({ "redirect_uris": [REDIRECT] }).to_string();
        let reply = s.post(crate::server::REGISTER, "application/json", body).await;
        assert_eq!(reply.error(), (403, "access_denied".to_owned()));
        let document = s.get("/.well-known/oauth-authorization-server").await.json();
        assert!(document.get("registration_endpoint").is_none());
        assert_eq!(document["client_id_metadata_document_supported"], true);
        assert_eq!(s.get(&authorize(&request(&known))).await.status, StatusCode::FOUND);
        let off = Server::with(s.t.app.db.clone(), |settings| settings.client_documents = false).await;
        let document = off.get("/.well-known/oauth-authorization-server").await.json();
        assert_eq!(document["client_id_metadata_document_supported"], false);
        let url = off.get(&authorize(&request("https://app.example/client.json"))).await;
        assert_eq!((url.status, url.header("location")), (StatusCode::BAD_REQUEST, ""));
    }
);
