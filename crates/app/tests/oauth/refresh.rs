//! Refreshing: one host with many processes keeps its sign-in, a thief ends it.

use std::collections::HashSet;
use std::sync::Arc;

use countersign_app::oauth::{self, TokenFailure};
use countersign_core::oauth::refusal::OAuthError;
use countersign_core::problem::Code;
use countersign_store::both;

use crate::world::{Tokens, World, params, refresh_form, refused, register};

fn good(answer: Result<countersign_app::oauth::TokenAnswer, TokenFailure>) -> Vec<u8> {
    answer.unwrap_or_else(|error| panic!("{error}")).as_bytes().to_vec()
}

fn tokens(body: &[u8]) -> Tokens {
    let body: serde_json::Value = serde_json::from_slice(body).unwrap();
    let text = |name: &str| body[name].as_str().unwrap().to_owned();
    Tokens {
        access: text("access_token"),
        refresh: text("refresh_token"),
        scope: text("scope"),
        expires_in: body["expires_in"].as_i64().unwrap(),
    }
}

/// Refreshes with one token twenty times at once; the different answers.
async fn twenty_at_once(w: &Arc<World>, token: &str) -> HashSet<Vec<u8>> {
    let mut tries = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (w, token) = (Arc::clone(w), token.to_owned());
        tries.spawn(async move { good(w.refresh(&token).await) });
    }
    tries.join_all().await.into_iter().collect()
}

both!(twenty_refreshes_at_once_get_one_answer_byte_for_byte, db, {
    let w = Arc::new(World::over(db).await);
    let first = w.tokens().await;
    let answers = twenty_at_once(&w, &first.refresh).await;
    assert_eq!(answers.len(), 1);
    assert_eq!(
        w.text("SELECT family_id FROM oauth_refresh").await.len(),
        2,
        "the token and its one successor"
    );
    let next = tokens(answers.iter().next().unwrap());
    assert_ne!(next.refresh, first.refresh);
    assert!(w.call(&next.access).await.is_ok() && w.call(&first.access).await.is_ok());
});

both!(after_the_successor_was_used_the_old_one_ends_the_family_and_tells_the_owner, db, {
    let w = World::over(db).await;
    let first = w.tokens().await;
    let second = tokens(&good(w.refresh(&first.refresh).await));
    let third = tokens(&good(w.refresh(&second.refresh).await));
    assert!(w.call(&third.access).await.is_ok());
    assert_eq!(refused(w.refresh(&first.refresh).await), OAuthError::InvalidGrant);
    for dead in [&first, &second, &third] {
        assert_eq!(w.call(&dead.access).await.unwrap_err(), Code::Unauthenticated);
        assert_eq!(refused(w.refresh(&dead.refresh).await), OAuthError::InvalidGrant);
    }
    assert_eq!(w.text("SELECT reason FROM oauth_family").await, ["refresh_reused"]);
    let id = w.call(&first.access).await;
    assert!(id.is_err());
    let caller = w.caller(&w.ann).await;
    let list = countersign_app::connection::list(&w.app, &caller).await.unwrap();
    let view = countersign_app::connection::read(&w.app, &caller, list.connections[0].id).await.unwrap();
    let told = view.activity.iter().find(|row| row.code.as_deref() == Some("token_reused")).unwrap();
    assert_eq!(told.tool, "oauth.refresh");
});

both!(within_the_window_the_answer_comes_twenty_times_again_and_then_ends_the_family, db, {
    let w = World::over(db).await;
    let first = w.tokens().await;
    let body = good(w.refresh(&first.refresh).await);
    let second = tokens(&body);
    assert!(w.call(&second.access).await.is_ok(), "using the new access token does not close the window");
    for _ in 0..20 {
        assert_eq!(good(w.refresh(&first.refresh).await), body);
    }
    assert_eq!(refused(w.refresh(&first.refresh).await), OAuthError::InvalidGrant);
    assert_eq!(w.call(&second.access).await.unwrap_err(), Code::Unauthenticated);
});

both!(a_lost_answer_is_given_again_while_its_access_token_lives, db, {
    let w = World::over(db).await;
    let first = w.tokens().await;
    let body = good(w.refresh(&first.refresh).await);
    w.t.clock.advance_seconds(60 * 60 - 1);
    assert_eq!(good(w.refresh(&first.refresh).await), body);
    assert!(w.call(&tokens(&body).access).await.is_ok());
});

both!(an_answer_that_was_lost_for_days_is_renewed_with_a_live_access_token, db, {
    let w = World::over(db).await;
    let first = w.tokens().await;
    let lost = tokens(&good(w.refresh(&first.refresh).await));
    w.t.clock.advance_seconds(29 * 24 * 60 * 60);
    let body = good(w.refresh(&first.refresh).await);
    let second = tokens(&body);
    assert_ne!((&second.access, &second.refresh), (&lost.access, &lost.refresh));
    assert_eq!(second.expires_in, 3600);
    // Presenting a dead token shows nothing; whoever asks once more, with either of the two, hears the same.
    assert!(w.call(&lost.access).await.is_err());
    assert_eq!(good(w.refresh(&first.refresh).await), body);
    assert_eq!(good(w.refresh(&lost.refresh).await), body);
    assert!(w.call(&second.access).await.is_ok());
    let third = tokens(&good(w.refresh(&second.refresh).await));
    assert_eq!(refused(w.refresh(&first.refresh).await), OAuthError::InvalidGrant);
    assert_eq!(
        w.call(&third.access).await.unwrap_err(),
        Code::Unauthenticated,
        "reuse ends the family still"
    );
});

both!(an_answer_that_is_lost_twice_is_renewed_twice_and_for_twenty_at_once_the_same, db, {
    let w = Arc::new(World::over(db).await);
    let first = w.tokens().await;
    let mut seen = HashSet::from([good(w.refresh(&first.refresh).await)]);
    for _ in 0..2 {
        w.t.clock.advance_seconds(60 * 60);
        let answers = twenty_at_once(&w, &first.refresh).await;
        assert_eq!(answers.len(), 1);
        assert!(seen.is_disjoint(&answers), "a new one each time");
        let body = answers.iter().next().unwrap().clone();
        assert_eq!(tokens(&body).expires_in, 3600);
        seen.insert(body);
    }
});

both!(after_the_window_a_used_access_token_shows_that_the_answer_arrived, db, {
    let w = World::over(db).await;
    let first = w.tokens().await;
    let second = tokens(&good(w.refresh(&first.refresh).await));
    assert!(w.call(&second.access).await.is_ok());
    w.t.clock.advance_seconds(60);
    assert_eq!(refused(w.refresh(&first.refresh).await), OAuthError::InvalidGrant);
    assert_eq!(w.call(&second.access).await.unwrap_err(), Code::Unauthenticated);
});

both!(a_replay_is_the_same_after_a_restart, db, {
    let w = World::over(db.clone()).await;
    let first = w.tokens().await;
    let body = good(w.refresh(&first.refresh).await);
    let restarted = countersign_app::testing::TestApp::over(db).await;
    let again = oauth::token(&restarted.app, &refresh_form(&w.client, &first.refresh)).await;
    assert_eq!(good(again), body);
});

both!(another_client_or_audience_changes_nothing_about_a_refresh_token, db, {
    let w = World::over(db).await;
    let first = w.tokens().await;
    let other = register(&w.app, "Other", "https://other.example/cb");
    let body = good(w.refresh(&first.refresh).await);
    let second = tokens(&body);
    // Even where its own client would end the family.
    let third = tokens(&good(w.refresh(&second.refresh).await));
    for token in [&first.refresh, &third.refresh] {
        let stranger = refresh_form(&other, token);
        assert_eq!(refused(oauth::token(&w.app, &stranger).await), OAuthError::InvalidGrant);
        let elsewhere = params(&[
            ("grant_type", "refresh_token"),
            ("client_id", &w.client),
            ("refresh_token", token),
            ("resource", "https://evil.example/mcp"),
        ]);
        assert_eq!(refused(oauth::token(&w.app, &elsewhere).await), OAuthError::InvalidTarget);
    }
    assert!(w.call(&third.access).await.is_ok());
    assert!(w.refresh(&third.refresh).await.is_ok());
});

both!(asking_narrows_an_access_token_and_never_widens_it, db, {
    let w = World::over(db).await;
    let first = w.tokens().await;
    let ask = |token: &str, scope: &str| {
        params(&[
            ("grant_type", "refresh_token"),
            ("client_id", &w.client),
            ("refresh_token", token),
            ("scope", scope),
        ])
    };
    let narrow =
        tokens(&good(oauth::token(&w.app, &ask(&first.refresh, "countersign:read offline_access")).await));
    assert_eq!(narrow.scope, "countersign:read");
    assert_eq!(w.call(&narrow.access).await.unwrap().scopes.to_string(), "countersign:read");
    let repeated = oauth::token(&w.app, &ask(&first.refresh, "countersign:write")).await;
    assert_eq!(refused(repeated), OAuthError::InvalidScope, "a replay gives what was given, or nothing");
    let wide = tokens(&good(w.refresh(&narrow.refresh).await));
    assert_eq!(wide.scope, first.scope, "what was granted comes back when it is asked for");
});

both!(a_family_ends_after_half_a_year, db, {
    let w = World::over(db).await;
    let mut token = w.tokens().await.refresh;
    for _ in 0..6 {
        w.t.clock.advance_seconds(29 * 24 * 60 * 60);
        token = tokens(&good(w.refresh(&token).await)).refresh;
    }
    w.t.clock.advance_seconds(6 * 24 * 60 * 60 - 1800);
    let last = tokens(&good(w.refresh(&token).await));
    assert_eq!(last.expires_in, 1800, "no token outlives its family");
    w.t.clock.advance_seconds(1800);
    assert_eq!(refused(w.refresh(&last.refresh).await), OAuthError::InvalidGrant);
});

both!(a_token_that_rests_thirty_days_dies, db, {
    let w = World::over(db).await;
    let rested = w.tokens().await.refresh;
    w.t.clock.advance_seconds(30 * 24 * 60 * 60);
    assert_eq!(refused(w.refresh(&rested).await), OAuthError::InvalidGrant);
    assert!(w.text("SELECT reason FROM oauth_family WHERE reason IS NOT NULL").await.is_empty());
});

both!(trouble_of_ours_never_looks_like_a_bad_token, db, {
    let w = World::over(db).await;
    let first = w.tokens().await;
    w.app.db.close().await;
    match w.refresh(&first.refresh).await {
        Err(TokenFailure::Trouble(problem)) => assert_eq!(problem.code, Code::StoreUnavailable),
        Ok(_) | Err(TokenFailure::Refused(_)) => panic!("the store is gone"),
    }
    assert_eq!(w.call(&first.access).await.unwrap_err(), Code::StoreUnavailable);
});
