//! Tokens on both engines: each conditional write has one winner, and everything dies with its family.
#![cfg(test)]

use countersign_core::id::{ConnectionId, FamilyId};
use countersign_core::time::Timestamp;
use countersign_store::connection::{self, Connection};
use countersign_store::oauth_access::{self, OauthAccess};
use countersign_store::oauth_code::{self, OauthCode};
use countersign_store::oauth_family::{self, FamilyEnd, OauthFamily};
use countersign_store::oauth_refresh::{self, OauthRefresh, Rotated};
use countersign_store::{Db, Error, Result, Saved, Tx, both};

const NOW: Timestamp = Timestamp::from_millis(1_000);
const LATE: Timestamp = Timestamp::from_millis(5_000);
const PERSON: &str = "00000000-0000-7000-8000-000000000001";
const WORKSPACE: &str = "00000000-0000-7000-8000-000000000002";
const CONNECTION: &str = "00000000-0000-7000-8000-000000000003";
const FAMILY: &str = "00000000-0000-7000-8000-000000000004";

fn connection_id() -> ConnectionId {
    ConnectionId::parse(CONNECTION).unwrap()
}

fn family_id() -> FamilyId {
    FamilyId::parse(FAMILY).unwrap()
}

fn code() -> OauthCode {
    OauthCode {
        code_hash: b"code".to_vec(),
        family_id: FAMILY.to_owned(),
        client_id: "c".to_owned(),
        redirect_uri: "https://h.example/cb".to_owned(),
        challenge: "x".to_owned(),
        resource: "r".to_owned(),
        scopes: "countersign:read".to_owned(),
        expires_at: LATE.millis(),
        used_at: None,
    }
}

fn access(hash: &[u8], refresh: &[u8]) -> OauthAccess {
    OauthAccess {
        token_hash: hash.to_vec(),
        family_id: FAMILY.to_owned(),
        connection_id: CONNECTION.to_owned(),
        refresh_hash: refresh.to_vec(),
        resource: "r".to_owned(),
        scopes: "countersign:read".to_owned(),
        created_at: 0,
        expires_at: LATE.millis(),
        presented_at: None,
    }
}

fn refresh(hash: &[u8], parent: Option<&[u8]>) -> OauthRefresh {
    OauthRefresh {
        token_hash: hash.to_vec(),
        family_id: FAMILY.to_owned(),
        parent_hash: parent.map(<[u8]>::to_vec),
        scopes: "countersign:read".to_owned(),
        created_at: 0,
        expires_at: LATE.millis(),
        presented_at: None,
        rotated_at: None,
        successor_hash: None,
        replays: 0,
        sealed: None,
    }
}

/// One person, one workspace, one active connection, one family.
async fn lay(t: &Tx<'_>) -> Result<()> {
    let person = "INSERT INTO person (id, mail, mail_key, name, password_hash, created_at) \
        VALUES ($1, 'p@h', 'p@h', 'P', 'x', 0)";
    t.exec(person, &[&PERSON]).await?;
    t.exec("INSERT INTO workspace (id, name, slug, created_at) VALUES ($1, 'W', 'w', 0)", &[&WORKSPACE])
        .await?;
    let connection = Connection {
        id: CONNECTION.to_owned(),
        workspace_id: WORKSPACE.to_owned(),
        user_id: PERSON.to_owned(),
        kind: "other".to_owned(),
        name: "Agent".to_owned(),
        status: "active".to_owned(),
        client_id: Some("c".to_owned()),
        client_name: Some("Agent".to_owned()),
        scopes: "countersign:read".to_owned(),
        switched_off: "[]".to_owned(),
        created_at: 0,
        activated_at: Some(0),
        used_at: None,
        revoked_at: None,
        version: 1,
    };
    connection.insert(t).await?;
    let family = OauthFamily {
        id: FAMILY.to_owned(),
        connection_id: CONNECTION.to_owned(),
        client_id: "c".to_owned(),
        resource: "r".to_owned(),
        scopes: "countersign:read".to_owned(),
        created_at: 0,
        expires_at: 9_000,
        revoked_at: None,
        reason: None,
        document_hash: None,
        document_uris: None,
    };
    family.insert(t).await
}

/// Runs the same job `n` times at once and tells what came of each.
async fn race<T, J>(db: &Db, n: usize, job: J) -> Vec<T>
where
    T: Send + 'static,
    J: for<'c> Fn(&'c Tx<'c>) -> countersign_store::Job<'c, T> + Clone + Send + Sync + 'static,
{
    let runs: Vec<_> = (0..n)
        .map(|_| {
            let (db, job) = (db.clone(), job.clone());
            tokio::spawn(async move { db.write(move |t| job(t)).await.unwrap() })
        })
        .collect();
    let mut all = Vec::new();
    for run in runs {
        all.push(run.await.unwrap());
    }
    all
}

both!(of_twenty_who_take_a_code_one_wins, db, {
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            lay(t).await?;
            code().insert(t).await
        })
    })
    .await
    .unwrap();
    let taken = race(&db, 20, |t| Box::pin(oauth_code::take(t, b"code", NOW))).await;
    assert_eq!(taken.iter().filter(|saved| **saved == Saved::Done(())).count(), 1);
    assert_eq!(taken.iter().filter(|saved| **saved == Saved::Changed).count(), 19);
    let found = db.read::<_, Error>(|t| Box::pin(oauth_code::find(t, b"code"))).await.unwrap().unwrap();
    assert_eq!((found.code.used_at, found.ended, found.connection_id.as_str()), (Some(1_000), 0, CONNECTION));
});

both!(of_twenty_who_rotate_a_token_one_names_the_successor, db, {
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            lay(t).await?;
            refresh(b"old", None).insert(t).await
        })
    })
    .await
    .unwrap();
    let rotated = race(&db, 20, |t| {
        Box::pin(async move {
            let found = oauth_refresh::present(t, b"old", "c", NOW).await?.unwrap();
            if found.token.rotated_at.is_some() {
                return Ok(0);
            }
            refresh(b"new", Some(b"old")).insert(t).await?;
            let rotated = Rotated { successor: b"new", sealed: b"sealed", at: NOW };
            assert_eq!(oauth_refresh::rotate(t, b"old", rotated).await?, Saved::Done(()));
            assert_eq!(oauth_refresh::rotate(t, b"old", rotated).await?, Saved::Changed);
            Ok(1)
        })
    })
    .await;
    assert_eq!(rotated.iter().sum::<i32>(), 1);
});

both!(another_client_presents_nothing_and_changes_nothing, db, {
    let found = db
        .write::<_, Error>(|t| {
            Box::pin(async move {
                lay(t).await?;
                refresh(b"old", None).insert(t).await?;
                assert_eq!(oauth_refresh::present(t, b"old", "other", NOW).await?, None);
                oauth_refresh::present(t, b"old", "c", LATE).await
            })
        })
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.token.presented_at, Some(LATE.millis()), "the stranger left no mark");
});

both!(a_replay_is_counted_once_for_each_number_that_was_seen, db, {
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            lay(t).await?;
            refresh(b"old", None).insert(t).await?;
            assert_eq!(
                oauth_refresh::count_replay(t, b"old", 0).await?,
                Saved::Changed,
                "it was not rotated"
            );
            refresh(b"new", Some(b"old")).insert(t).await?;
            let rotated = Rotated { successor: b"new", sealed: b"sealed", at: NOW };
            assert_eq!(oauth_refresh::rotate(t, b"old", rotated).await?, Saved::Done(()));
            assert_eq!(oauth_refresh::count_replay(t, b"old", 0).await?, Saved::Done(1));
            assert_eq!(oauth_refresh::count_replay(t, b"old", 0).await?, Saved::Changed);
            assert_eq!(oauth_refresh::count_replay(t, b"x", 0).await?, Saved::Missing);
            Ok(())
        })
    })
    .await
    .unwrap();
});

both!(the_first_use_of_an_access_token_marks_the_pair_and_later_ones_nothing, db, {
    let found = db
        .write::<_, Error>(|t| {
            Box::pin(async move {
                lay(t).await?;
                refresh(b"old", None).insert(t).await?;
                refresh(b"new", Some(b"old")).insert(t).await?;
                access(b"at", b"new").insert(t).await?;
                let rotated = Rotated { successor: b"new", sealed: b"sealed", at: NOW };
                assert_eq!(oauth_refresh::rotate(t, b"old", rotated).await?, Saved::Done(()));
                let before = oauth_refresh::present(t, b"old", "c", NOW).await?.unwrap();
                assert_eq!(before.successor_presented_at, None);
                oauth_access::present(t, b"at", NOW).await?;
                oauth_access::present(t, b"at", LATE).await?;
                oauth_refresh::present(t, b"old", "c", NOW).await
            })
        })
        .await
        .unwrap()
        .unwrap();
    assert_eq!((found.successor_presented_at, found.successor_rotated_at), (Some(1_000), None));
    let bearer = db.read::<_, Error>(|t| Box::pin(oauth_access::find(t, b"at"))).await.unwrap().unwrap();
    assert_eq!(bearer.presented_at, Some(1_000));
    let used = "SELECT used_at FROM connection";
    let used = db.read(move |t| Box::pin(async move { t.one::<(Option<i64>,)>(used, &[]).await })).await;
    assert_eq!(used, Ok((Some(1_000),)));
});

both!(a_family_ends_once_and_takes_everything_with_it, db, {
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            lay(t).await?;
            code().insert(t).await?;
            refresh(b"rt", None).insert(t).await?;
            access(b"at", b"rt").insert(t).await?;
            assert_eq!(
                oauth_family::revoke(t, family_id(), FamilyEnd::CodeReused, NOW).await?,
                Saved::Done(())
            );
            assert_eq!(
                oauth_family::revoke(t, family_id(), FamilyEnd::GivenBack, LATE).await?,
                Saved::Changed
            );
            assert_eq!(oauth_family::revoke_of(t, connection_id(), LATE).await?, 0);
            assert_eq!(oauth_code::find(t, b"code").await?.unwrap().ended, 1);
            assert_eq!(oauth_refresh::present(t, b"rt", "c", LATE).await?.unwrap().ended, 1);
            assert_eq!(oauth_access::find(t, b"at").await?.unwrap().family_revoked_at, Some(1_000));
            Ok(())
        })
    })
    .await
    .unwrap();
});

both!(a_revoked_connection_or_a_shut_out_person_ends_code_and_refresh, db, {
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            lay(t).await?;
            code().insert(t).await?;
            refresh(b"rt", None).insert(t).await?;
            let person = "UPDATE person SET disabled_at = $1";
            t.exec(person, &[&Some(1_i64)]).await?;
            assert_eq!(oauth_code::find(t, b"code").await?.unwrap().ended, 1);
            assert_eq!(oauth_refresh::present(t, b"rt", "c", LATE).await?.unwrap().ended, 1);
            t.exec(person, &[&None::<i64>]).await?;
            assert_eq!(oauth_code::find(t, b"code").await?.unwrap().ended, 0);
            assert_eq!(connection::revoke(t, connection_id(), NOW).await?, Saved::Done(()));
            assert_eq!(oauth_code::find(t, b"code").await?.unwrap().ended, 1);
            assert_eq!(oauth_refresh::present(t, b"rt", "c", LATE).await?.unwrap().ended, 1);
            Ok(())
        })
    })
    .await
    .unwrap();
});

both!(what_died_long_ago_is_dropped_and_nothing_else, db, {
    db.write::<_, Error>(|t| {
        Box::pin(async move {
            lay(t).await?;
            code().insert(t).await?;
            refresh(b"rt", None).insert(t).await?;
            access(b"at", b"rt").insert(t).await?;
            for (then, count) in [(NOW, 0), (LATE, 1), (LATE, 0)] {
                assert_eq!(oauth_code::forget_expired(t, then).await?, count);
                assert_eq!(oauth_refresh::forget_expired(t, then).await?, count);
                assert_eq!(oauth_access::forget_expired(t, then).await?, count);
            }
            Ok(())
        })
    })
    .await
    .unwrap();
});
