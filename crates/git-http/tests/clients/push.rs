//! A push is refused to everybody, in words, before anything of it is read.

use countersign_core::scope::TokenScope;
use countersign_store::both;

use crate::raw;
use crate::served::{Served, basic, complained, said, token};

both!(git_push_fails_and_says_why, db, {
    let served = Served::over(db).await;
    let secret = token(&served.home, TokenScope::ALL.into_iter().filter(|s| *s != TokenScope::Decide)).await;
    let clone = served.clone(&[]).await;
    said(&served.git(&clone, &["commit", "--quiet", "--allow-empty", "-m", "Mine"]).await);
    let before = said(&served.git(&served.home.path(), &["rev-parse", "main"]).await);
    let url = served.url(&secret);
    let pushed = served.git(&clone, &["push", &url, "HEAD:main"]).await;
    let words = complained(&pushed);
    assert!(!pushed.status.success() && words.contains("403"), "{words}");
    assert!(words.contains("remote: This server does not take pushes yet."), "{words}");
    assert_eq!(said(&served.git(&served.home.path(), &["rev-parse", "main"]).await), before);
});

both!(both_steps_of_a_push_are_refused_and_strangers_are_asked_who_they_are, db, {
    let served = Served::over(db).await;
    let lines = [
        format!("GET {}/info/refs?service=git-receive-pack", served.route()),
        format!("POST {}/git-receive-pack", served.route()),
        format!("POST /git/{}/nothing.git/git-receive-pack", served.home.house.workspace),
    ];
    for line in lines {
        let answer = raw::request(&served, &line, &[&basic(&served.token)], b"0000").await;
        assert_eq!((answer.status, served.gits()), (403, 0), "{line}: {answer:?}");
        assert_eq!(raw::request(&served, &line, &[], b"0000").await.status, 401, "{line}");
    }
});
