//! Codes and access tokens against those who should not have them.

use std::sync::Arc;
use std::time::Duration;

use countersign_app::oauth;
use countersign_app::secret::{Secret, SecretKind};
use countersign_core::oauth::refusal::OAuthError;
use countersign_core::problem::Code;
use countersign_store::both;

use crate::world::{RESOURCE, Tokens, VERIFIER, World, code_form, params, refused, register};

both!(a_code_becomes_tokens_of_one_hour_and_a_caller, db, {
    let w = World::over(db).await;
    let tokens = w.tokens().await;
    assert_eq!(tokens.expires_in, 3600);
    assert!(tokens.access.starts_with("cs_at_") && tokens.refresh.starts_with("cs_rt_"));
    let caller = w.call(&tokens.access).await.unwrap();
    assert_eq!((caller.person(), caller.workspace), (Some(w.ann.user), Some(w.workspace)));
    assert_eq!(caller.scopes.to_string(), tokens.scope);
    w.t.clock.advance_seconds(3599);
    assert!(w.call(&tokens.access).await.is_ok());
    w.t.clock.advance_seconds(1);
    assert_eq!(w.call(&tokens.access).await.unwrap_err(), Code::Unauthenticated);
});

both!(a_code_that_comes_twice_ends_what_was_issued_on_it_and_tells_the_owner, db, {
    let w = World::over(db).await;
    let code = w.code(&w.client).await;
    let tokens = Tokens::of(&w.exchange(&w.client, &code).await.unwrap_or_else(|error| panic!("{error}")));
    assert!(w.call(&tokens.access).await.is_ok());
    w.t.clock.advance_seconds(3000);
    assert_eq!(refused(w.exchange(&w.client, &code).await), OAuthError::InvalidGrant);
    assert_eq!(w.call(&tokens.access).await.unwrap_err(), Code::Unauthenticated);
    assert_eq!(refused(w.refresh(&tokens.refresh).await), OAuthError::InvalidGrant);
    assert_eq!(w.text("SELECT reason FROM oauth_family").await, ["code_reused"]);
    assert_eq!(
        w.text("SELECT code FROM audit WHERE code IS NOT NULL AND connection_id IS NOT NULL").await,
        ["token_reused"]
    );
    assert_eq!(refused(w.exchange(&w.client, &code).await), OAuthError::InvalidGrant);
});

both!(of_twenty_exchanges_at_once_at_most_one_gets_tokens, db, {
    let w = Arc::new(World::over(db).await);
    let code = w.code(&w.client).await;
    let tries: Vec<_> = (0..20)
        .map(|_| {
            let (w, code) = (Arc::clone(&w), code.clone());
            tokio::spawn(async move { w.exchange(&w.client, &code).await.is_ok() })
        })
        .collect();
    let mut good = 0;
    for one in tries {
        good += usize::from(one.await.unwrap());
    }
    assert_eq!(good, 1);
    assert_eq!(w.text("SELECT family_id FROM oauth_refresh").await.len(), 1);
    assert_eq!(w.text("SELECT reason FROM oauth_family").await, ["code_reused"], "and the rest ended it");
});

both!(whoever_lacks_one_binding_of_a_code_has_no_effect_on_it, db, {
    let w = World::over(db).await;
    let code = w.code(&w.client).await;
    let other = register(&w.app, "Other", "https://host.example/cb?keep=%41");
    let wrong_verifier = VERIFIER.replace('d', "e");
    let base = [
        ("grant_type", "authorization_code"),
        ("client_id", w.client.as_str()),
        ("code", code.as_str()),
        ("redirect_uri", crate::world::REDIRECT),
        ("code_verifier", VERIFIER),
        ("resource", RESOURCE),
    ];
    let with = |name: &str, value: &str| {
        let pairs: Vec<_> =
            base.iter().map(|(n, v)| if *n == name { (*n, value) } else { (*n, *v) }).collect();
        params(&pairs)
    };
    for (name, value, error) in [
        ("client_id", other.as_str(), OAuthError::InvalidGrant),
        ("client_id", "cs_cl_AAAA.AAAA", OAuthError::InvalidClient),
        ("redirect_uri", "https://host.example/cb", OAuthError::InvalidGrant),
        ("code_verifier", wrong_verifier.as_str(), OAuthError::InvalidGrant),
        ("code_verifier", crate::world::CHALLENGE, OAuthError::InvalidGrant),
        ("code_verifier", "short", OAuthError::InvalidGrant),
        ("code_verifier", "", OAuthError::InvalidRequest),
        ("resource", "https://evil.example/mcp", OAuthError::InvalidTarget),
        ("code", "cs_ac_x", OAuthError::InvalidGrant),
        ("grant_type", "password", OAuthError::UnsupportedGrantType),
    ] {
        assert_eq!(refused(oauth::token(&w.app, &with(name, value)).await), error, "{name}={value}");
    }
    let answer = oauth::token(&w.app, &params(&base)).await.unwrap_or_else(|error| panic!("{error}"));
    let tokens = Tokens::of(&answer);
    // Nor on what was issued: replaying a used code takes its proof too.
    for (name, value) in [("client_id", other.as_str()), ("code_verifier", wrong_verifier.as_str())] {
        assert_eq!(refused(oauth::token(&w.app, &with(name, value)).await), OAuthError::InvalidGrant);
    }
    assert!(w.call(&tokens.access).await.is_ok());
});

both!(a_code_dies_after_a_minute, db, {
    let w = World::over(db).await;
    let code = w.code(&w.client).await;
    w.t.clock.advance_seconds(60);
    assert_eq!(refused(w.exchange(&w.client, &code).await), OAuthError::InvalidGrant);
    assert!(w.text("SELECT reason FROM oauth_family WHERE reason IS NOT NULL").await.is_empty());
});

both!(nothing_but_a_live_access_token_for_this_connector_makes_a_caller, db, {
    let w = World::over(db).await;
    let code = w.code(&w.client).await;
    let tokens = Tokens::of(
        &oauth::token(&w.app, &code_form(&w.client, &code)).await.unwrap_or_else(|error| panic!("{error}")),
    );
    let cut = &tokens.access[..tokens.access.len() - 1];
    let as_access = tokens.refresh.replace("cs_rt_", "cs_at_");
    for bearer in ["", "cs_at_", cut, &tokens.refresh, &as_access, &code, w.ann.session.reveal()] {
        assert_eq!(
            w.call(bearer).await.unwrap_err(),
            Code::Unauthenticated,
            "{}",
            &bearer[..bearer.len().min(6)]
        );
    }
    assert!(w.call(&tokens.access).await.is_ok());
    w.change("UPDATE oauth_access SET resource = 'https://evil.example/mcp'").await;
    assert_eq!(w.call(&tokens.access).await.unwrap_err(), Code::Unauthenticated);
});

both!(a_person_who_is_shut_out_takes_their_agents_along, db, {
    let w = World::over(db).await;
    let tokens = w.tokens().await;
    w.change("UPDATE person SET disabled_at = 1 WHERE name = 'Ann'").await;
    assert_eq!(w.call(&tokens.access).await.unwrap_err(), Code::Unauthenticated);
    assert_eq!(refused(w.refresh(&tokens.refresh).await), OAuthError::InvalidGrant);
});

both!(the_first_use_is_noted_and_later_ones_write_nothing, db, {
    let w = World::over(db).await;
    let tokens = w.tokens().await;
    let used = "SELECT CAST(used_at AS TEXT) FROM connection WHERE used_at IS NOT NULL";
    assert!(w.text(used).await.is_empty());
    w.call(&tokens.access).await.unwrap();
    // No call waits for the note of a first pair.
    let mut first = Vec::new();
    for _ in 0..500 {
        first = w.text(used).await;
        if !first.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(first.len(), 1);
    w.t.clock.advance_seconds(60);
    w.call(&tokens.access).await.unwrap();
    assert_eq!(w.text(used).await, first);

    let renewed = w.refresh(&tokens.refresh).await.unwrap_or_else(|error| panic!("{error}"));
    let renewed = Tokens::of(&renewed);
    w.t.clock.advance_seconds(60);
    w.call(&renewed.access).await.unwrap();
    assert_ne!(w.text(used).await, first, "a call with a renewed token waits for its note");
});

both!(a_client_gives_back_its_own_tokens_and_nobody_elses, db, {
    let w = World::over(db).await;
    let other = register(&w.app, "Other", "https://other.example/cb");
    for give_access in [true, false] {
        let tokens = w.tokens().await;
        let token = if give_access { &tokens.access } else { &tokens.refresh };
        let stranger = params(&[("client_id", &other), ("token", token)]);
        assert!(oauth::give_back(&w.app, &stranger).await.is_ok(), "the answer tells nothing");
        assert!(w.call(&tokens.access).await.is_ok());
        for unknown in ["x", "cs_at_x", "cs_rt_x", w.ann.session.reveal()] {
            assert!(
                oauth::give_back(&w.app, &params(&[("client_id", &w.client), ("token", unknown)]))
                    .await
                    .is_ok()
            );
        }
        let own = params(&[("client_id", &w.client), ("token", token), ("token_type_hint", "nonsense")]);
        for _ in 0..2 {
            assert!(oauth::give_back(&w.app, &own).await.is_ok());
        }
        assert_eq!(w.call(&tokens.access).await.unwrap_err(), Code::Unauthenticated);
        assert_eq!(refused(w.refresh(&tokens.refresh).await), OAuthError::InvalidGrant);
    }
    let told = w.text("SELECT outcome FROM audit WHERE action = 'oauth.revoke'").await;
    assert_eq!(told.len(), 2, "the owner sees each once");
    assert!(w.caller(&w.ann).await.person().is_some(), "a session is no token to give back");
});

both!(registration_leaves_no_row_however_often, db, {
    let w = World::over(db).await;
    for n in 0..1000 {
        register(&w.app, &format!("Agent {n}"), "https://host.example/cb");
    }
    for table in ["SELECT id FROM connection", "SELECT client_id FROM oauth_request", "SELECT id FROM audit"]
    {
        assert!(w.text(table).await.is_empty(), "{table}");
    }
});

both!(no_secret_is_in_the_store, db, {
    let w = World::over(db).await;
    let code = w.code(&w.client).await;
    let first = Tokens::of(&w.exchange(&w.client, &code).await.unwrap_or_else(|error| panic!("{error}")));
    let second = Tokens::of(&w.refresh(&first.refresh).await.unwrap_or_else(|error| panic!("{error}")));
    let mut dump = Vec::new();
    for table in [
        "oauth_code",
        "oauth_access",
        "oauth_refresh",
        "oauth_family",
        "oauth_request",
        "audit",
        "connection",
    ] {
        dump.extend(w.dump(table).await);
    }
    let dump = dump.join("\n");
    assert!(dump.contains("countersign:read"), "the dump holds something");
    for secret in [&code, &first.access, &first.refresh, &second.access, &second.refresh] {
        assert!(!dump.contains(secret.as_str()), "{}", &secret[..6]);
        let nibbles = secret.bytes().flat_map(|byte| [byte >> 4, byte & 15]);
        let hex: String = nibbles.filter_map(|nibble| char::from_digit(nibble.into(), 16)).collect();
        assert!(!dump.to_lowercase().contains(&hex), "{}", &secret[..6]);
    }
    // And what is in the store opens nothing: neither as it stands there nor as the bytes of a secret.
    let (mut tried, words) = (0, dump.split_whitespace());
    for word in words {
        let bytes: Vec<u8> = (0..word.len())
            .step_by(2)
            .filter_map(|at| u8::from_str_radix(word.get(at..at + 2)?, 16).ok())
            .collect();
        let dressed =
            |kind| bytes.clone().try_into().ok().map(|bytes| Secret::new(kind, bytes).reveal().to_owned());
        for access in [Some(word.to_owned()), dressed(SecretKind::Access)].into_iter().flatten() {
            assert_eq!(w.call(&access).await.unwrap_err(), Code::Unauthenticated, "{word}");
        }
        for refresh in [Some(word.to_owned()), dressed(SecretKind::Refresh)].into_iter().flatten() {
            assert!(w.refresh(&refresh).await.is_err(), "{word}");
        }
        if let Some(code) = dressed(SecretKind::Code) {
            tried += 1;
            assert!(w.exchange(&w.client, &code).await.is_err(), "{word}");
        }
    }
    assert!(tried >= 6, "hashes were tried: {tried}");
    assert!(w.call(&second.access).await.is_ok(), "nothing of it ended the real one");
});

both!(the_dead_are_dropped_a_day_later_and_the_living_stay, db, {
    let w = World::over(db).await;
    let tokens = w.tokens().await;
    assert_eq!(oauth::sweep(&w.app).await.unwrap(), 0);
    w.t.clock.advance_seconds(600);
    assert_eq!(oauth::sweep(&w.app).await.unwrap(), 1, "the handle");
    w.t.clock.advance_seconds(24 * 60 * 60);
    assert_eq!(oauth::sweep(&w.app).await.unwrap(), 1, "the code");
    w.t.clock.advance_seconds(60 * 60);
    assert_eq!(oauth::sweep(&w.app).await.unwrap(), 1, "the access token");
    assert!(w.refresh(&tokens.refresh).await.is_ok());
});
