//! Consent under way, and the documents behind it, on both engines.
#![cfg(test)]

use countersign_core::time::Timestamp;
use countersign_store::client_document::{self, ClientDocumentRow};
use countersign_store::oauth_request::{self, OauthRequest, Pinned};
use countersign_store::{Error, Saved, both};

const NOW: Timestamp = Timestamp::from_millis(1_000);
const LATE: Timestamp = Timestamp::from_millis(5_000);

fn request() -> OauthRequest {
    OauthRequest {
        handle_hash: b"h".to_vec(),
        session_hash: None,
        client_id: "c".to_owned(),
        client_name: "Agent".to_owned(),
        redirect_uri: "https://h.example/cb".to_owned(),
        state: Some("s".to_owned()),
        scopes: "countersign:read".to_owned(),
        challenge: "x".to_owned(),
        resource: "r".to_owned(),
        created_at: 0,
        expires_at: LATE.millis(),
        used_at: None,
        document_hash: None,
        document_uris: None,
    }
}

both!(a_handle_belongs_to_the_first_session_and_is_answered_once, db, {
    use oauth_request::{bind, find_open, take};
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            request().insert(t).await?;
            assert_eq!(take(t, b"h", b"a", NOW).await?, Saved::Changed, "nobody looked at it yet");
            assert_eq!(bind(t, b"h", b"a", NOW).await?, Saved::Done(()));
            assert_eq!(bind(t, b"h", b"b", NOW).await?, Saved::Changed);
            assert_eq!(take(t, b"h", b"b", NOW).await?, Saved::Changed);
            let used = OauthRequest { session_hash: Some(b"a".to_vec()), used_at: Some(1_000), ..request() };
            assert_eq!(take(t, b"h", b"a", NOW).await?, Saved::Done(used));
            assert_eq!(take(t, b"h", b"a", NOW).await?, Saved::Changed);
            assert_eq!(find_open(t, b"h", NOW).await?, None);
            assert_eq!(bind(t, b"x", b"a", NOW).await?, Saved::Missing);
            assert_eq!(take(t, b"x", b"a", NOW).await?, Saved::Missing);
            Ok(())
        })
    })
    .await
    .unwrap();
});

both!(time_ends_a_handle_and_then_drops_it, db, {
    use oauth_request::{bind, find_open, forget_expired, take};
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            request().insert(t).await?;
            assert_eq!(bind(t, b"h", b"a", NOW).await?, Saved::Done(()));
            assert_eq!(forget_expired(t, NOW).await?, 0);
            assert_eq!(find_open(t, b"h", LATE).await?, None);
            assert_eq!(take(t, b"h", b"a", LATE).await?, Saved::Changed);
            assert_eq!(forget_expired(t, LATE).await?, 1);
            Ok(())
        })
    })
    .await
    .unwrap();
});

both!(what_was_shown_is_pinned_once_by_the_session_that_saw_it, db, {
    use oauth_request::{bind, find_open, pin, take};
    const FIRST: Pinned<'_> = Pinned { client_name: "App", hash: b"1", uris: "[]" };
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            request().insert(t).await?;
            assert_eq!(pin(t, b"h", b"a", FIRST).await?, Saved::Changed, "nobody looked at it yet");
            assert_eq!(bind(t, b"h", b"a", NOW).await?, Saved::Done(()));
            assert_eq!(pin(t, b"h", b"b", FIRST).await?, Saved::Changed);
            assert_eq!(pin(t, b"h", b"a", FIRST).await?, Saved::Done(()));
            let second = Pinned { client_name: "Other", hash: b"2", uris: "[1]" };
            assert_eq!(pin(t, b"h", b"a", second).await?, Saved::Changed);
            let pinned = find_open(t, b"h", NOW).await?.unwrap();
            assert_eq!(
                (pinned.client_name.as_str(), pinned.document_hash.as_deref()),
                ("App", Some(&b"1"[..]))
            );
            assert_eq!(pinned.document_uris.as_deref(), Some("[]"));
            assert!(matches!(take(t, b"h", b"a", NOW).await?, Saved::Done(_)));
            assert_eq!(pin(t, b"x", b"a", FIRST).await?, Saved::Missing);
            Ok(())
        })
    })
    .await
    .unwrap();
});

both!(a_newer_document_takes_the_place_of_an_older_one_and_never_the_other_way, db, {
    use client_document::{any_old, find, forget, forget_old, save};
    let row = |body: &[u8], at: i64| ClientDocumentRow {
        client_id: "https://app.example/c".to_owned(),
        media_type: "application/json".to_owned(),
        body: body.to_vec(),
        fetched_at: at,
        fresh_until: at + 1,
    };
    let (first, second) = (row(b"1", 10), row(b"2", 20));
    db.write::<_, Error>(move |t| {
        Box::pin(async move {
            assert_eq!(find(t, &first.client_id).await?, None);
            save(t, &second).await?;
            save(t, &first).await?;
            assert_eq!(find(t, &first.client_id).await?.as_ref(), Some(&second));
            save(t, &ClientDocumentRow { fetched_at: 30, ..first.clone() }).await?;
            assert_eq!(find(t, &first.client_id).await?.unwrap().body, b"1");
            forget(t, &first.client_id, 20).await?;
            assert!(find(t, &first.client_id).await?.is_some(), "a newer one stays");
            assert!(!any_old(t, Timestamp::from_millis(29)).await?);
            assert_eq!(forget_old(t, Timestamp::from_millis(29)).await?, 0);
            assert!(any_old(t, Timestamp::from_millis(30)).await?);
            assert_eq!(forget_old(t, Timestamp::from_millis(30)).await?, 1);
            save(t, &first).await?;
            forget(t, &first.client_id, first.fetched_at).await?;
            assert_eq!(find(t, &first.client_id).await?, None);
            Ok(())
        })
    })
    .await
    .unwrap();
});
