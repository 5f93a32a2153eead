//! Pushes that are cut short, by their client or by the server: what is left of them.

use std::time::Duration;

use countersign_app::testing::noise::noise;
use countersign_git_http::Limits;
use countersign_store::both;
use tokio::io::AsyncWriteExt as _;

use crate::push::pushes;
use crate::push_limit::{heads, making};
use crate::raw::{open, read, whole};
use crate::rule::quarantines;
use crate::served::Served;

/// Waits until the hook of [`Served::asking`] says by a file that it runs: everything is there, and nothing has moved.
async fn until_the_hook_asks(served: &Served) {
    while !served.home.test.folder.path().join("hook.begun").exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

both!(a_push_that_never_ends_is_cut_off_and_leaves_nothing, db, {
    let limits = Limits { push: Duration::from_millis(500), ..Limits::SHIPPED };
    let served = Served::within(db, limits).await;
    let body = making(&served, "topic", &noise(1, 1 << 20)).await;
    let (line, headers) = heads(&served, &served.writer);
    let bytes = whole(&line, &headers.each_ref().map(String::as_str), &body);
    let answer = read(open(&served, &bytes[..bytes.len() / 2]).await).await;
    assert_eq!(answer.status, 504, "{answer:?}");
    served.until_gits(|gits| gits == 0).await;
    assert_eq!((served.at("topic").await, quarantines(&served.home.path())), (None, 0));
});

both!(a_client_that_hangs_up_in_the_middle_of_its_push_leaves_nothing, db, {
    let served = Served::over(db).await;
    let body = making(&served, "topic", &noise(1, 4 << 20)).await;
    let (line, headers) = heads(&served, &served.writer);
    let bytes = whole(&line, &headers.each_ref().map(String::as_str), &body);
    let stream = open(&served, &bytes[..bytes.len() / 2]).await;
    served.until_gits(|gits| gits > 0).await;
    drop(stream);
    served.until_gits(|gits| gits == 0).await;
    assert_eq!((served.at("topic").await, quarantines(&served.home.path())), (None, 0));
    assert!(served.pushes_are_over().await, "its locks are free again");
});

both!(a_client_that_sends_nothing_more_of_its_push_is_cut_off_early, db, {
    let served = Served::within(db, Limits { idle: Duration::from_secs(1), ..Limits::SHIPPED }).await;
    let body = making(&served, "topic", &noise(1, 1 << 20)).await;
    let (line, headers) = heads(&served, &served.writer);
    let bytes = whole(&line, &headers.each_ref().map(String::as_str), &body);
    let (begun, rest) = bytes.split_at(bytes.len() / 2);
    let answer = read(open(&served, begun).await).await;
    assert_eq!((answer.status, answer.text().contains("Nothing more came")), (408, true), "{answer:?}");
    served.until_gits(|gits| gits == 0).await;
    assert_eq!((served.at("topic").await, quarantines(&served.home.path())), (None, 0));
    // One that goes on, however slowly, is heard to its end.
    let mut slow = open(&served, begun).await;
    for piece in rest.chunks(rest.len() / 5) {
        tokio::time::sleep(Duration::from_millis(250)).await;
        slow.write_all(piece).await.unwrap();
    }
    assert!(read(slow).await.text().contains("ok refs/heads/topic"));
});

/// Sends all of a push, and hangs up while its hook asks; comes back once its git has ended.
async fn hang_up_at_the_hook(served: &Served, body: &[u8]) {
    let (line, headers) = heads(served, &served.writer);
    let stream = open(served, &whole(&line, &headers.each_ref().map(String::as_str), body)).await;
    until_the_hook_asks(served).await;
    drop(stream);
    served.until_gits(|gits| gits == 0).await;
}

both!(a_push_that_is_killed_leaves_nothing, db, {
    let served = Served::asking(db, r#"touch "$0.begun"; sleep 60"#).await;
    let body = making(&served, "topic", &noise(1, 1 << 20)).await;
    hang_up_at_the_hook(&served, &body).await;
    assert!(served.pushes_are_over().await);
    assert_eq!((served.at("topic").await, quarantines(&served.home.path())), (None, 0));
});

both!(a_client_that_hangs_up_behind_its_last_byte_has_pushed_and_the_log_names_it, db, {
    let lines =
        r#"[ "$2" != pre-receive ] || { touch "$0.begun"; sleep 0.5; }; printf '%s\n' "$said" | "$ask" "$@""#;
    let served = Served::asking(db, lines).await;
    let body = making(&served, "topic", b"new\n").await;
    hang_up_at_the_hook(&served, &body).await;
    assert!(served.pushes_are_over().await);
    countersign_app::push::recover(served.home.app()).await.unwrap();
    let told = pushes(&served).await;
    assert_eq!(told, [("push".to_owned(), "made the branch topic with 1 commit".to_owned())]);
    assert!(served.at("topic").await.is_some());
});
