//! Clone and fetch as git does them, in both versions of the protocol.

use std::fmt::Write as _;

use countersign_app::testing::noise::noise;
use countersign_store::both;

use crate::raw;
use crate::served::{Served, basic, complained, said};

both!(a_clone_is_the_repository_in_each_version_of_the_protocol, db, {
    let served = Served::over(db).await;
    let big = noise(1, 3 << 20);
    served.commit(&[("big", &big), ("a.txt", b"one\n")]).await;
    let bare = served.home.path();
    let tip = said(&served.git(&bare, &["rev-parse", "main"]).await);
    for version in ["0", "1", "2"] {
        let option = format!("protocol.version={version}");
        let clone = served.clone(&["-c", &option]).await;
        assert_eq!(said(&served.git(&clone, &["rev-parse", "HEAD"]).await), tip, "version {version}");
        assert_eq!(said(&served.git(&clone, &["symbolic-ref", "HEAD"]).await), "refs/heads/main");
        assert!(std::fs::read(clone.join("big")).unwrap() == big, "version {version}");
        said(&served.git(&clone, &["fsck", "--strict"]).await);
    }
});

both!(a_fetch_brings_what_is_new, db, {
    let served = Served::over(db).await;
    for version in ["0", "2"] {
        let option = format!("protocol.version={version}");
        let clone = served.clone(&["-c", &option]).await;
        // Commits of the client's own, so that the two sides must find what they have in common.
        for n in 0..40 {
            let message = format!("local {n}");
            said(&served.git(&clone, &["commit", "--quiet", "--allow-empty", "-m", &message]).await);
        }
        served.commit(&[("b.txt", version.as_bytes())]).await;
        said(&served.git(&clone, &["fetch", "--quiet", "origin"]).await);
        let seen = said(&served.git(&clone, &["rev-parse", "origin/main"]).await);
        assert_eq!(seen, said(&served.git(&served.home.path(), &["rev-parse", "main"]).await));
        assert_eq!(said(&served.git(&clone, &["show", "origin/main:b.txt"]).await), version);
    }
});

both!(a_shallow_clone_can_be_deepened, db, {
    let served = Served::over(db).await;
    for n in 0..3_u8 {
        served.commit(&[("n", &[n])]).await;
    }
    for version in ["0", "2"] {
        let option = format!("protocol.version={version}");
        let clone = served.clone(&["-c", &option, "--depth=1"]).await;
        let count = || served.git(&clone, &["rev-list", "--count", "HEAD"]);
        assert_eq!(said(&count().await), "1");
        said(&served.git(&clone, &["fetch", "--quiet", "--deepen=1"]).await);
        assert_eq!(said(&count().await), "2");
        said(&served.git(&clone, &["fetch", "--quiet", "--unshallow"]).await);
        assert_eq!(said(&count().await), "4");
    }
});

both!(a_clone_without_blobs_fetches_each_when_it_is_needed, db, {
    let served = Served::over(db).await;
    served.commit(&[("a.txt", b"one\n")]).await;
    for version in ["0", "2"] {
        let option = format!("protocol.version={version}");
        let clone = served.clone(&["-c", &option, "--filter=blob:none", "--no-checkout"]).await;
        let missing = said(&served.git(&clone, &["rev-list", "--objects", "--missing=print", "HEAD"]).await);
        assert!(missing.lines().any(|line| line.starts_with('?')), "version {version}: {missing}");
        assert_eq!(said(&served.git(&clone, &["show", "HEAD:a.txt"]).await), "one");
    }
});

both!(tags_come_with_a_clone_and_with_a_fetch, db, {
    let served = Served::over(db).await;
    let bare = served.home.path();
    let tag = async |name: &str| {
        said(&served.git(&bare, &["tag", "-a", name, "-m", "A release", "main"]).await);
    };
    tag("v1").await;
    for version in ["0", "2"] {
        let option = format!("protocol.version={version}");
        let clone = served.clone(&["-c", &option]).await;
        let message = ["for-each-ref", "--format=%(refname) %(contents)", "refs/tags/v1"];
        assert_eq!(said(&served.git(&clone, &message).await), "refs/tags/v1 A release");
        let name = if version == "0" { "v2" } else { "v3" };
        served.commit(&[(name, b"new\n")]).await;
        tag(name).await;
        said(&served.git(&clone, &["fetch", "--quiet", "origin"]).await);
        let object = format!("refs/tags/{name}");
        let theirs = said(&served.git(&bare, &["rev-parse", &object]).await);
        assert_eq!(said(&served.git(&clone, &["rev-parse", &object]).await), theirs, "version {version}");
    }
});

both!(what_is_the_servers_own_is_not_listed_and_cannot_be_fetched_by_name, db, {
    let served = Served::over(db).await;
    let bare = served.home.path();
    let hidden = said(&served.git(&bare, &["commit-tree", "main^{tree}", "-m", "hidden"]).await);
    for name in ["refs/proposals/1", "refs/results/1", "refs/changesets/1/1"] {
        said(&served.git(&bare, &["update-ref", name, &hidden]).await);
    }
    let url = served.url(&served.token);
    for version in ["0", "2"] {
        let option = format!("protocol.version={version}");
        let listed = said(&served.git(&bare, &["-c", &option, "ls-remote", &url]).await);
        let names: Vec<&str> = listed.lines().filter_map(|line| line.split('\t').nth(1)).collect();
        assert_eq!(names, ["HEAD", "refs/heads/main"]);
        let clone = served.clone(&["-c", &option]).await;
        for name in ["refs/proposals/1", "refs/results/1", "refs/changesets/1/1"] {
            let fetched = served.git(&clone, &["fetch", "--quiet", "origin", name]).await;
            assert!(!fetched.status.success(), "{name} was fetched");
        }
        let mirror = served.clone(&["-c", &option, "--mirror"]).await;
        let kept = said(&served.git(&mirror, &["for-each-ref", "--format=%(refname)"]).await);
        assert_eq!(kept, "refs/heads/main");
    }
});

both!(a_client_with_many_refs_sends_its_request_compressed, db, {
    let served = Served::over(db).await;
    let clone = served.clone(&["-c", "protocol.version=2"]).await;
    let mut script = String::new();
    for n in 0..200 {
        let message = format!("local {n}");
        let oid = said(&served.git(&clone, &["commit-tree", "HEAD^{tree}", "-m", &message]).await);
        writeln!(script, "create refs/heads/local-{n} {oid}").unwrap();
    }
    let names = clone.join("names");
    std::fs::write(&names, script).unwrap();
    let shell = format!("git update-ref --stdin < {}", names.display());
    let made = std::process::Command::new("sh").args(["-c", &shell]).current_dir(&clone).status().unwrap();
    assert!(made.success());
    served.commit(&[("c.txt", b"new\n")]).await;
    let fetched = served.git_with(&clone, &["fetch", "origin"], &[("GIT_TRACE_CURL", "1")]).await;
    said(&fetched);
    let trace = complained(&fetched).to_ascii_lowercase();
    assert!(trace.contains("content-encoding: gzip"), "git did not compress: the test proves nothing");
    assert_eq!(said(&served.git(&clone, &["show", "origin/main:c.txt"]).await), "new");
});

both!(refs_are_listed_with_a_service_line_for_old_clients_and_never_kept, db, {
    let served = Served::over(db).await;
    let token = basic(&served.token);
    let old = raw::refs(&served, &[&token]).await;
    assert_eq!(old.status, 200);
    assert!(old.text().contains("001e# service=git-upload-pack\n0000"), "{}", old.text());
    assert_eq!(old.header("content-type"), Some("application/x-git-upload-pack-advertisement"));
    assert_eq!(old.header("cache-control"), Some("no-cache, max-age=0, must-revalidate"));
    assert_eq!(old.header("x-ratelimit-limit"), Some("2000"));
    let new = raw::refs(&served, &[&token, "Git-Protocol: version=2"]).await;
    assert!(new.text().contains("000eversion 2\n") && !new.text().contains("# service"), "{}", new.text());
    let odd = raw::refs(&served, &[&token, "Git-Protocol: version=2 x"]).await;
    assert!(odd.text().contains("# service"), "a header that is not in order was taken");
});

both!(an_old_client_that_asks_for_files_is_told_to_update, db, {
    let served = Served::over(db).await;
    let token = basic(&served.token);
    let line = format!("GET {}/info/refs", served.route());
    let dumb = raw::request(&served, &line, &[&token], b"").await;
    assert_eq!((dumb.status, dumb.text().contains("smart HTTP")), (403, true), "{}", dumb.text());
    for file in ["HEAD", "objects/info/packs", "config"] {
        let line = format!("GET {}/{file}", served.route());
        assert_eq!(raw::request(&served, &line, &[&token], b"").await.status, 404, "{file}");
    }
});
