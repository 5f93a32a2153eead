//! Repositories of strangers are imported whole or not at all, and lead nowhere but to public addresses.

use std::time::Duration;

use countersign_app::App;
use countersign_app::repository::import::{ImportState, NewImport, begin, discard, look};
use countersign_app::testing::home::Home;
use countersign_core::id::ResourceId;
use countersign_core::problem::Code;
use countersign_fetch::testing::{Answer, PUBLIC};
use countersign_git::GitError;
use countersign_git::import::{Bounds, Remote};
use countersign_store::both;

use crate::stranger::{HOST, backend, serve, serve_by, source};

fn wish(home: &Home, url: &str) -> NewImport {
    NewImport { name: "theirs".into(), project: home.house.project, url: url.into() }
}

async fn start(home: &Home, url: &str) -> ResourceId {
    begin(home.app(), &home.owner, wish(home, url)).await.unwrap()
}

/// Waits until the import ended one way or the other.
async fn end(home: &Home, id: ResourceId) -> ImportState {
    loop {
        match look(home.app(), &home.owner, id).await.unwrap().state {
            state @ (ImportState::Failed(_) | ImportState::Done) => return state,
            ImportState::Waiting
            | ImportState::Receiving { .. }
            | ImportState::Resolving { .. }
            | ImportState::Checking => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

async fn reason(home: &Home, url: &str) -> String {
    let id = start(home, url).await;
    let ImportState::Failed(reason) = end(home, id).await else { panic!("{url} was imported") };
    discard(home.app(), &home.owner, id).await.unwrap();
    assert_eq!(look(home.app(), &home.owner, id).await.unwrap_err().code, Code::NotFound);
    reason
}

async fn branches(app: &App, id: ResourceId) -> Vec<String> {
    let refs = app.git.refs_of_people(id).await.unwrap();
    refs.into_keys().collect()
}

both!(every_branch_and_tag_of_a_stranger_comes_and_the_log_says_who, db, {
    let home = Home::over(db).await;
    let (site, url) = serve(&home.test.outside, source(&home.test)).await;
    let id = start(&home, &url).await;
    assert_eq!(end(&home, id).await, ImportState::Done);
    assert_eq!(branches(home.app(), id).await, ["refs/heads/side", "refs/heads/trunk", "refs/tags/v1"]);
    let lines = countersign_app::repository::list(home.app(), &home.owner).await.unwrap();
    let line = lines.into_iter().find(|line| line.id == id).unwrap();
    assert_eq!((line.name.as_str(), line.default_branch.as_str(), line.gitnest), ("theirs", "trunk", false));
    assert_eq!(home.test.outside.asked(HOST), 1, "the name is looked up once");
    assert!(site.connections() > 1);
    let left = home.app().git.path(id).join("roots.pem");
    assert!(!left.exists());
});

both!(a_name_that_leads_elsewhere_a_moment_later_is_not_asked_again, db, {
    let home = Home::over(db).await;
    let outside = &home.test.outside;
    let (_site, url) = serve(outside, source(&home.test)).await;
    outside.name(HOST, &[&[PUBLIC], &["127.0.0.1"]]);
    let id = start(&home, &url).await;
    assert_eq!(end(&home, id).await, ImportState::Done);
    assert_eq!(outside.asked(HOST), 1);
});

both!(what_is_not_public_is_never_connected_to, db, {
    let home = Home::over(db).await;
    let outside = &home.test.outside;
    let (site, url) = serve(outside, source(&home.test)).await;
    let places: [&[&str]; 10] = [
        &["127.0.0.1"],
        &["10.1.2.3"],
        &["169.254.169.254"],
        &["192.168.0.1"],
        &["100.64.0.1"],
        &["::1"],
        &["::ffff:10.0.0.1"],
        &["fd00::1"],
        &["fe80::1"],
        &[PUBLIC, "10.0.0.1"],
    ];
    for place in places {
        for address in place {
            outside.lead(address, site.address());
        }
        outside.name(HOST, &[place]);
        let reason = reason(&home, &url).await;
        assert!(reason.contains("not on the public internet"), "{place:?}: {reason}");
    }
    for literal in ["127.0.0.1", "[::1]", "[::ffff:169.254.169.254]"] {
        let reason = reason(&home, &format!("https://{literal}:{}/repo.git", site.address().port())).await;
        assert!(reason.contains("not on the public internet"), "{literal}: {reason}");
    }
    assert_eq!(site.connections(), 0);
});

both!(a_redirect_is_not_followed_and_a_password_is_not_asked_for, db, {
    let home = Home::over(db).await;
    let outside = &home.test.outside;
    let inside = outside.site("inside.example", "93.184.216.35", |_| Answer::json("{}")).await;
    let target = format!("location: https://127.0.0.1:{}/repo.git/info/refs\r\n", inside.address().port());
    let (_site, url) = serve_by(outside, move |_| Answer::http("302 Found", &target, b"")).await;
    reason(&home, &url).await;
    assert_eq!(inside.connections(), 0);
    let asks = "www-authenticate: Basic realm=\"x\"\r\n";
    let (_site, url) = serve_by(outside, move |_| Answer::http("401 Unauthorized", asks, b"")).await;
    reason(&home, &url).await;
});

/// A server that is a folder of files may say that its objects lie elsewhere (gitrepository-layout(5)).
fn files_that_lie_elsewhere(path: &str, elsewhere: &str) -> Answer {
    let tip = "1234567890123456789012345678901234567890";
    let text = |text: &str| Answer::http("200 OK", "content-type: text/plain\r\n", text.as_bytes());
    match path.strip_prefix("/repo.git").unwrap_or_default() {
        "/HEAD" => text("ref: refs/heads/main\n"),
        "/objects/info/http-alternates" | "/objects/info/alternates" => text(elsewhere),
        path if path.starts_with("/info/refs") => text(&format!("{tip}\trefs/heads/main\n")),
        _ => Answer::http("404 Not Found", "", b""),
    }
}

both!(a_server_that_says_that_its_objects_lie_elsewhere_leads_nowhere, db, {
    let home = Home::over(db).await;
    let outside = &home.test.outside;
    let inside = outside.site("inside.example", "93.184.216.35", |_| Answer::json("{}")).await;
    let elsewhere = format!("https://127.0.0.1:{}/repo.git/objects\n", inside.address().port());
    let (site, url) =
        serve_by(outside, move |request| files_that_lie_elsewhere(request.path(), &elsewhere)).await;
    reason(&home, &url).await;
    assert!(site.requests().iter().any(|request| request.path().contains("alternates")), "git did not ask");
    assert_eq!(inside.connections(), 0);
});

both!(what_is_no_plain_https_url_begins_nothing, db, {
    let home = Home::over(db).await;
    for url in [
        "http://git.stranger.example/r.git",
        "git://git.stranger.example/r.git",
        "ssh://git@git.stranger.example/r.git",
        "file:///etc",
        "ext::sh -c true",
        "/etc",
        "--upload-pack=x",
        "https://user:word@git.stranger.example/r.git",
        "https://2130706433/r.git",
        "https://git.stranger.example/r.git?x=1",
        "https://git.stranger.example/../r.git",
    ] {
        let refused = begin(home.app(), &home.owner, wish(&home, url)).await.unwrap_err();
        assert_eq!(refused.code, Code::InvalidArguments, "{url}");
    }
    let refused = begin(home.app(), &home.agent, wish(&home, "https://a.example/r")).await.unwrap_err();
    assert_eq!(refused.code, Code::AgentScopeDenied);
});

both!(an_import_that_failed_is_begun_again_by_the_same_request, db, {
    let home = Home::over(db).await;
    let (site, url) = serve(&home.test.outside, source(&home.test)).await;
    home.test.outside.name(HOST, &[&[]]);
    let id = start(&home, &url).await;
    assert!(
        matches!(end(&home, id).await, ImportState::Failed(reason) if reason.contains("cannot be found"))
    );
    let other = NewImport { url: "https://other.example/r.git".into(), ..wish(&home, &url) };
    assert_eq!(begin(home.app(), &home.owner, other).await.unwrap_err().code, Code::NameTaken);
    home.test.outside.name(HOST, &[&[PUBLIC]]);
    assert_eq!(start(&home, &url).await, id);
    assert_eq!(end(&home, id).await, ImportState::Done);
    drop(site);
});

both!(a_start_goes_on_with_what_a_killed_server_left, db, {
    let home = Home::over(db).await;
    let (site, url) = serve(&home.test.outside, source(&home.test)).await;
    home.test.outside.name(HOST, &[&[]]);
    let id = start(&home, &url).await;
    end(&home, id).await;
    // As a server leaves it that was killed while it fetched.
    let key = id.to_string();
    let meddled = home.app().db.write(move |t| {
        Box::pin(async move {
            t.exec(
                "UPDATE repository_making SET failed_at = NULL, reason = NULL WHERE repository_id = $1",
                &[&key],
            )
            .await
        })
    });
    let meddled: Result<u64, countersign_store::Error> = meddled.await;
    meddled.unwrap();
    std::fs::create_dir_all(home.app().git.root().join(format!("{id}.git.new/objects"))).unwrap();
    home.test.outside.name(HOST, &[&[PUBLIC]]);
    countersign_app::repository::import::resume(home.app()).await.unwrap();
    countersign_app::repository::import::resume(home.app()).await.unwrap();
    assert_eq!(end(&home, id).await, ImportState::Done);
    drop(site);
});

/// The repository behind `url`, as it is asked for by whoever checked its address.
fn remote(home: &Home, url: &str, port: u16) -> Remote {
    use countersign_fetch::Resolver as _;
    Remote {
        url: url.to_owned(),
        host: HOST.to_owned(),
        port,
        addresses: vec!["127.0.0.1".parse().unwrap()],
        roots: home.test.outside.roots(),
    }
}

both!(an_import_takes_no_more_than_the_repository_may, db, {
    let home = Home::with(db, |settings| settings.repository_quota = 1 << 20).await;
    let (_site, url) = serve(&home.test.outside, source(&home.test)).await;
    let reason = reason(&home, &url).await;
    assert!(reason.contains("larger than 1 MiB"), "{reason}");
});

both!(what_is_too_large_or_too_slow_is_ended_and_leaves_nothing, db, {
    let home = Home::over(db).await;
    let folder = source(&home.test);
    let (site, url) = serve_by(&home.test.outside, move |request| {
        backend(&folder, request).dripping(64 << 10, Duration::from_millis(150))
    })
    .await;
    let remote = remote(&home, &url, site.address().port());
    let id = ResourceId::new(home.app().uuid());
    let small = Bounds { size: 100 << 10, ..Bounds::REMOTE };
    let short = Bounds { time: Duration::from_millis(1200), ..Bounds::REMOTE };
    let silent = Bounds { answer: Duration::from_millis(1), ..Bounds::REMOTE };
    for (bounds, words) in [(small, "larger than"), (short, "took more than"), (silent, "did not answer")] {
        let Err(GitError::Import(reason)) = home.app().git.import_remote(id, &remote, bounds, |_| {}).await
        else {
            panic!("it was imported");
        };
        assert!(reason.contains(words), "{reason}");
        assert!(!home.app().git.exists(id));
        assert!(!home.app().git.root().join(format!("{id}.git.new")).exists(), "the quarantine is left");
    }
});
