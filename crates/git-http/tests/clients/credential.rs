//! Only a live personal access token with the right scope opens a repository, and only its person's.

use countersign_app::repository::{Change, change};
use countersign_app::secret::SecretKind;
use countersign_app::testing::home;
use countersign_core::scope::TokenScope;
use countersign_store::{Error, both};

use crate::raw::{self, Answer};
use crate::served::{Served, basic, complained, token};

async fn asked(served: &Served, password: &str) -> Answer {
    raw::refs(served, &[&basic(password)]).await
}

both!(without_a_good_token_git_is_asked_for_one, db, {
    let served = Served::over(db).await;
    let expired = token(&served.home, [TokenScope::RepoRead]).await;
    let revoked = token(&served.home, [TokenScope::RepoRead]).await;
    let connection = served.home.app().secret(SecretKind::Access).reveal().to_owned();
    let other = served.home.app().secret(SecretKind::Token).reveal().to_owned();
    served
        .home
        .test
        .app
        .db
        .write(move |t| {
            Box::pin(async move {
                let hash = countersign_app::secret::SecretHash::of(&revoked).to_vec();
                t.exec("UPDATE token SET revoked_at = 1 WHERE token_hash = $1", &[&hash]).await?;
                Ok::<_, Error>(())
            })
        })
        .await
        .unwrap();
    assert_eq!(asked(&served, &served.token).await.status, 200);
    let nothing = raw::refs(&served, &[]).await;
    let bearer = raw::refs(&served, &[&format!("Authorization: Bearer {}", served.token)]).await;
    let mut refused = vec![nothing, bearer, asked(&served, "").await, asked(&served, &other).await];
    let connected = asked(&served, &connection).await;
    assert!(connected.text().contains("personal access token"), "{}", connected.text());
    refused.push(connected);
    served.home.test.clock.advance_seconds(3601);
    refused.push(asked(&served, &expired).await);
    for answer in refused {
        assert_eq!(answer.status, 401, "{answer:?}");
        assert_eq!(answer.header("www-authenticate"), Some("Basic realm=\"countersign\", charset=\"UTF-8\""));
    }
});

both!(a_revoked_token_opens_nothing_at_the_very_next_request, db, {
    let served = Served::over(db).await;
    let secret = served.token.clone();
    assert_eq!(asked(&served, &secret).await.status, 200);
    let hash = countersign_app::secret::SecretHash::of(&secret).to_vec();
    let revoked = served.home.app().db.write(move |t| {
        Box::pin(async move {
            t.exec("UPDATE token SET revoked_at = 1 WHERE token_hash = $1", &[&hash]).await?;
            Ok::<_, Error>(())
        })
    });
    revoked.await.unwrap();
    assert_eq!(asked(&served, &secret).await.status, 401);
});

both!(a_token_without_the_scope_is_refused_in_words, db, {
    let served = Served::over(db).await;
    let secret = token(&served.home, [TokenScope::Api, TokenScope::RepoWrite]).await;
    let answer = asked(&served, &secret).await;
    assert_eq!((answer.status, answer.text().contains("repo:read")), (403, true), "{answer:?}");
    let cloned =
        served.git(served.home.test.folder.path(), &["clone", &served.url(&secret), "refused"]).await;
    assert!(!cloned.status.success() && complained(&cloned).contains("403"), "{}", complained(&cloned));
});

both!(another_address_is_not_found_whatever_is_wrong_with_it, db, {
    let served = Served::over(db).await;
    let (slug, token) = (served.home.house.workspace, basic(&served.token));
    for route in [
        format!("/git/{slug}/other.git"),
        format!("/git/{slug}/orchard"),
        "/git/other/orchard.git".to_owned(),
        format!("/git/{slug}/orchard.git.git"),
        format!("/git/{slug}/..%2forchard.git"),
        format!("/git/{slug}/%2e%2e.git"),
        format!("/git/{slug}/{}.git", served.home.repository),
        format!("/git/..%2f{slug}/orchard.git"),
        // PostgreSQL has no text with a NUL in it.
        format!("/git/{slug}/orchard%00.git"),
        format!("/git/{slug}%00/orchard.git"),
        format!("/git/{slug}/{}.git", "o".repeat(5000)),
    ] {
        let line = format!("GET {route}/info/refs?service=git-upload-pack");
        let answer = raw::request(&served, &line, &[&token], b"").await;
        assert_eq!(answer.status, 404, "{route}: {answer:?}");
        assert!(answer.text().starts_with("There is no such repository here."), "{answer:?}");
    }
});

both!(who_has_no_role_there_does_not_learn_that_it_exists, db, {
    let served = Served::over(db).await;
    let home = &served.home;
    home::repository(home.app(), &home.owner, home.house.other_project, "cellar").await;
    let stranger = home.stranger().await;
    let person = stranger.person().unwrap();
    let secret = {
        let new = countersign_app::token::NewToken {
            name: "git".into(),
            scopes: countersign_core::scope::TokenScopes::new([TokenScope::RepoRead]),
            lifetime_s: 3600,
        };
        countersign_app::token::create(home.app(), &stranger, new).await.unwrap().secret
    };
    assert_eq!(asked(&served, secret.reveal()).await.status, 404);
    let (person, project) = (person.to_string(), home.house.project.to_string());
    let added = home.app().db.write(move |t| {
        Box::pin(async move {
            t.exec(
                "INSERT INTO project_member (project_id, user_id, role, created_at) VALUES ($1, $2, 'viewer', 1)",
                &[&project, &person],
            )
            .await?;
            Ok::<_, Error>(())
        })
    });
    added.await.unwrap();
    assert_eq!(asked(&served, secret.reveal()).await.status, 200);
    let line = format!("GET /git/{}/cellar.git/info/refs?service=git-upload-pack", home.house.workspace);
    let answer = raw::request(&served, &line, &[&basic(secret.reveal())], b"").await;
    assert_eq!(answer.status, 404, "{answer:?}");
    let away = Change { project: Some(home.house.other_project), ..Change::default() };
    change(home.app(), &home.owner, home.repository, away).await.unwrap();
    assert_eq!(asked(&served, secret.reveal()).await.status, 404, "it was moved out of the person's project");
});

both!(a_fetch_is_decided_anew_after_the_refs_were_listed, db, {
    let served = Served::over(db).await;
    let (line, headers) = raw::fetch(&served);
    let body = raw::framed(&[Some("command=ls-refs"), None]);
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    assert_eq!(raw::request(&served, &line, &headers, &body).await.status, 200);
    served.home.test.clock.advance_seconds(3601);
    assert_eq!(raw::request(&served, &line, &headers, &body).await.status, 401);
});
