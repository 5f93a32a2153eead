//! The limits of a push: time, size, quota, how many at once, and what is left when a client breaks off.

use countersign_app::testing::noise::noise;
use std::io::Write as _;
use std::os::linux::net::SocketAddrExt as _;
use std::time::Duration;

use countersign_git::lock::Hold;
use countersign_git_http::Limits;
use countersign_store::{Error, both};
use tokio::io::AsyncWriteExt as _;

use crate::push::pushes;
use crate::raw::{self, open, read, whole};
use crate::rule::{editor, quarantines, set_role};
use crate::served::{Served, basic, complained, said};

/// The line and headers of a push.
pub(crate) fn heads(served: &Served, token: &str) -> (String, [String; 2]) {
    let line = format!("POST {}/git-receive-pack", served.route());
    (line, [basic(token), "Content-Type: application/x-git-receive-pack-request".to_owned()])
}

/// What a client sends that makes the branch `name` of a new commit in `clone`, which holds `content`.
pub(crate) async fn making(served: &Served, name: &str, content: &[u8]) -> Vec<u8> {
    let (new, pack) = packed(served, content).await;
    [commands(&[&format!("{} {new} refs/heads/{name}", "0".repeat(40))]), pack].concat()
}

/// What a push begins with, for these lines.
pub(crate) fn commands(lines: &[&str]) -> Vec<u8> {
    let wants = "\0report-status side-band-64k agent=test";
    let ends = std::iter::once(wants).chain(std::iter::repeat(""));
    let lines: Vec<_> = lines.iter().zip(ends).map(|(line, end)| format!("{line}{end}")).collect();
    let lines: Vec<_> = lines.iter().map(|line| Some(line.as_str())).chain(std::iter::once(None)).collect();
    raw::framed(&lines)
}

/// A new commit on top of `main`, which holds `content`, and the pack that brings it.
pub(crate) async fn packed(served: &Served, content: &[u8]) -> (String, Vec<u8>) {
    let clone = served.clone(&[]).await;
    let new = served.change(&clone, "new", content).await;
    let shell = format!("printf '{new}\\n^{new}~1\\n' | git pack-objects --stdout --revs -q");
    let packed = std::process::Command::new("sh").args(["-c", &shell]).current_dir(&clone).output().unwrap();
    assert!(packed.status.success());
    (new, packed.stdout)
}

pub(crate) async fn send(served: &Served, headers: &[&str], body: &[u8]) -> raw::Answer {
    let (line, ours) = heads(served, &served.writer);
    let all: Vec<&str> = ours.iter().map(String::as_str).chain(headers.iter().copied()).collect();
    raw::request(served, &line, &all, body).await
}

fn gzip(served: &Served, bytes: &[u8]) -> Vec<u8> {
    let file = served.fresh();
    std::fs::write(&file, bytes).unwrap();
    said_bytes(std::process::Command::new("gzip").arg("-c").arg(&file).output().unwrap())
}

fn said_bytes(output: std::process::Output) -> Vec<u8> {
    assert!(output.status.success());
    output.stdout
}

both!(a_push_is_taken_plain_compressed_and_in_chunks, db, {
    let served = Served::over(db).await;
    let body = making(&served, "plain", b"plain\n").await;
    let answer = send(&served, &[], &body).await;
    assert_eq!((answer.status, answer.text().contains("ok refs/heads/plain")), (200, true), "{answer:?}");
    let body = gzip(&served, &making(&served, "zipped", b"zipped\n").await);
    let answer = send(&served, &["Content-Encoding: gzip"], &body).await;
    assert_eq!((answer.status, answer.text().contains("ok refs/heads/zipped")), (200, true), "{answer:?}");
    let clone = served.workplace(&served.writer).await;
    served.change(&clone, "big", &noise(1, 3 << 20)).await;
    let args = ["-c", "http.postBuffer=65536", "push", "origin", "HEAD:main"];
    let pushed = served.git_with(&clone, &args, &[("GIT_TRACE_CURL", "1")]).await;
    said(&pushed);
    let trace = complained(&pushed).to_ascii_lowercase();
    assert!(trace.contains("transfer-encoding: chunked"), "git did not send chunks: the test proves nothing");
    assert_eq!(pushes(&served).await.len(), 3);
    assert!(served.at("plain").await.is_some() && served.at("zipped").await.is_some());
});

both!(a_pack_over_the_limit_is_refused_by_git_and_leaves_nothing, db, {
    let limits = Limits { pack: 1 << 20, ..Limits::SHIPPED };
    let served = Served::within(db, limits).await;
    let clone = served.workplace(&served.writer).await;
    served.change(&clone, "big", &noise(1, 3 << 20)).await;
    let pushed = served.git(&clone, &["push", "origin", "HEAD:topic"]).await;
    assert!(!pushed.status.success());
    assert!(complained(&pushed).contains("maximum allowed size"), "{}", complained(&pushed));
    served.until_gits(|gits| gits == 0).await;
    assert_eq!(served.at("topic").await, None);
    assert_eq!((quarantines(&served.home.path()), pushes(&served).await.len()), (0, 0));
});

both!(a_request_for_more_refs_than_git_may_keep_is_cut_off_however_small_it_is_sent, db, {
    let served = Served::over(db).await;
    let line = format!("{} {} refs/heads/x", "0".repeat(40), "1".repeat(40));
    let body = format!("{:04x}{line}", line.len() + 4).repeat(50_000).into_bytes();
    let small = gzip(&served, &body);
    assert!(small.len() < 100_000, "the test proves nothing");
    let answer = send(&served, &["Content-Encoding: gzip"], &small).await;
    assert_eq!(answer.status, 413, "{answer:?}");
    served.until_gits(|gits| gits == 0).await;
});

both!(a_repository_over_its_quota_takes_deletions_alone_and_says_so, db, {
    let served = Served::with_quota(db, 2 << 20).await;
    let clone = served.workplace(&served.writer).await;
    served.change(&clone, "small", &noise(1, 1 << 20)).await;
    said(&served.git(&clone, &["push", "origin", "HEAD:topic"]).await);
    let other: Vec<u8> = noise(1, 900 << 10).into_iter().map(|byte| !byte).collect();
    served.change(&clone, "more", &other).await;
    said(&served.git(&clone, &["push", "origin", "HEAD:topic"]).await);
    let other: Vec<u8> = noise(1, 900 << 10).into_iter().rev().collect();
    served.change(&clone, "too much", &other).await;
    let pushed = served.git(&clone, &["push", "origin", "HEAD:topic"]).await;
    let words = complained(&pushed);
    assert!(words.contains("remote: With this the repository takes 3 MiB, and it may take 2."), "{words}");
    assert!(words.contains("ask the operator for a larger quota"), "{words}");
    said(&served.git(&clone, &["push", "origin", ":topic"]).await);
    assert_eq!(quarantines(&served.home.path()), 0);
});

/// Sends all of a push but its last bytes, does something, and sends the rest; the answer.
pub(crate) async fn with_a_pause(
    served: &Served,
    token: &str,
    meanwhile: impl Future<Output = ()>,
) -> raw::Answer {
    let body = making(served, "topic", b"new\n").await;
    let (line, headers) = heads(served, token);
    let bytes = whole(&line, &headers.each_ref().map(String::as_str), &body);
    let (begun, rest) = bytes.split_at(bytes.len() - 20);
    let mut stream = open(served, begun).await;
    served.until_gits(|gits| gits > 0).await;
    meanwhile.await;
    stream.write_all(rest).await.unwrap();
    read(stream).await
}

both!(a_role_that_is_taken_away_while_the_pack_streams_refuses_the_push, db, {
    let served = Served::over(db).await;
    let token = editor(&served).await;
    let answer = with_a_pause(&served, &token, set_role(&served, "viewer")).await;
    assert!(answer.text().contains("This takes the role editor"), "{answer:?}");
    assert_eq!((served.at("topic").await, pushes(&served).await.len()), (None, 0));
    set_role(&served, "editor").await;
    let answer = with_a_pause(&served, &token, async {}).await;
    assert!(answer.text().contains("ok refs/heads/topic"), "with the role it passes: {answer:?}");
});

both!(a_token_that_is_revoked_while_the_pack_streams_refuses_the_push, db, {
    let served = Served::over(db).await;
    let hash = countersign_app::secret::SecretHash::of(&served.writer).to_vec();
    let revoke = async {
        let revoked = served.home.app().db.write(move |t| {
            Box::pin(async move {
                t.exec("UPDATE token SET revoked_at = 1 WHERE token_hash = $1", &[&hash]).await?;
                Ok::<_, Error>(())
            })
        });
        revoked.await.unwrap();
    };
    let answer = with_a_pause(&served, &served.writer, revoke).await;
    assert!(answer.text().contains("The token of this push is over, or was revoked."), "{answer:?}");
    assert_eq!(served.at("topic").await, None);
});

/// Asks every desk of this process, as somebody who found its socket and not its token would. One that goes meanwhile
/// is none.
fn ask_with_another_token() -> Vec<String> {
    let name = format!("countersign-push-{}-", std::process::id());
    let listed = std::fs::read_to_string("/proc/net/unix").unwrap();
    let mut heard = Vec::new();
    for line in listed.lines() {
        // A listener; what it accepted has the same name (SS_UNCONNECTED, proc_net_unix).
        let columns: Vec<&str> = line.split_whitespace().collect();
        let Some(socket) = columns.get(7).and_then(|path| path.strip_prefix('@')) else { continue };
        if columns[5] != "01" || !socket.starts_with(&name) {
            continue;
        }
        let address = std::os::unix::net::SocketAddr::from_abstract_name(socket).unwrap();
        let ask = || {
            let mut stream = std::os::unix::net::UnixStream::connect_addr(&address)?;
            let question = r#"{"token":"AAAA","hook":"pre-receive","updates":[],"quarantine":null}"#;
            stream.write_all(question.as_bytes())?;
            stream.shutdown(std::net::Shutdown::Write)?;
            std::io::read_to_string(stream)
        };
        heard.extend(ask());
    }
    heard
}

both!(who_finds_the_socket_of_a_push_and_not_its_token_hears_nothing_and_changes_nothing, db, {
    let served = Served::over(db).await;
    let meddle = async {
        let heard = tokio::task::spawn_blocking(ask_with_another_token).await.unwrap();
        assert_eq!(heard, [""], "there is one desk, and it is silent");
    };
    let answer = with_a_pause(&served, &served.writer, meddle).await;
    assert!(answer.text().contains("ok refs/heads/topic"), "the push goes on: {answer:?}");
    while !tokio::task::spawn_blocking(ask_with_another_token).await.unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
});

both!(pushes_and_fetches_have_places_of_their_own, db, {
    let limits = Limits {
        at_once: 1,
        pushes_at_once: 1,
        waiting: 1,
        patience: Duration::from_millis(100),
        ..Limits::SHIPPED
    };
    let served = Served::within(db, limits).await;
    let body = making(&served, "topic", b"new\n").await;
    let (line, headers) = heads(&served, &served.writer);
    let headers = headers.each_ref().map(String::as_str);
    let bytes = whole(&line, &headers, &body);
    let (begun, rest) = bytes.split_at(bytes.len() - 20);
    let mut first = open(&served, begun).await;
    served.until_gits(|gits| gits > 0).await;
    let second = send(&served, &[], &body).await;
    assert_eq!((second.status, second.header("retry-after")), (503, Some("5")), "{second:?}");
    let refs = format!("GET {}/info/refs?service=git-receive-pack", served.route());
    assert_eq!(raw::request(&served, &refs, &headers[..1], b"").await.status, 503);
    assert_eq!(raw::refs(&served, &headers[..1]).await.status, 200, "a fetch has its own place");
    first.write_all(rest).await.unwrap();
    assert!(read(first).await.text().contains("ok refs/heads/topic"));
});

both!(one_person_does_not_take_every_place, db, {
    let limits = Limits { pushes_each: 1, patience: Duration::from_millis(100), ..Limits::SHIPPED };
    let served = Served::within(db, limits).await;
    let other = editor(&served).await;
    let body = making(&served, "topic", b"new\n").await;
    let (line, headers) = heads(&served, &served.writer);
    let bytes = whole(&line, &headers.each_ref().map(String::as_str), &body);
    let (begun, rest) = bytes.split_at(bytes.len() - 20);
    let mut first = open(&served, begun).await;
    served.until_gits(|gits| gits > 0).await;
    let second = send(&served, &[], &body).await;
    assert_eq!((second.status, second.header("retry-after")), (503, Some("5")), "{second:?}");
    assert!(second.text().contains("Other pushes of yours are under way."), "{second:?}");
    let (_, theirs) = heads(&served, &other);
    let third = making(&served, "other", b"other\n").await;
    let third = raw::request(&served, &line, &theirs.each_ref().map(String::as_str), &third).await;
    assert!(third.text().contains("ok refs/heads/other"), "{third:?}");
    first.write_all(rest).await.unwrap();
    assert!(read(first).await.text().contains("ok refs/heads/topic"));
    assert!(send(&served, &[], &body).await.status == 200, "the place is free again");
});

both!(a_push_over_which_is_not_decided_in_time_is_refused_in_words, db, {
    let served = Served::within(db, Limits { decision: Duration::ZERO, ..Limits::SHIPPED }).await;
    let answer = send(&served, &[], &making(&served, "topic", b"new\n").await).await;
    assert!(answer.text().contains("could not be looked through in 0 seconds"), "{answer:?}");
    assert!(answer.text().contains("Push it in parts"), "{answer:?}");
    assert_eq!((served.at("topic").await, quarantines(&served.home.path())), (None, 0));
});

both!(a_repository_that_is_being_pruned_tells_a_push_to_come_again, db, {
    let served = Served::over(db).await;
    let body = making(&served, "topic", b"new\n").await;
    let (app, id) = (served.home.app(), served.home.repository);
    let alone = app.git.lock_objects(id, Duration::from_secs(1)).await.unwrap();
    let answer = send(&served, &[], &body).await;
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("5")), "{answer:?}");
    drop(alone);
    assert!(send(&served, &[], &body).await.text().contains("ok refs/heads/topic"));
});

both!(a_push_whose_refs_are_held_for_too_long_is_refused_in_words_and_changes_nothing, db, {
    let served = Served::over(db).await;
    let body = making(&served, "topic", b"new\n").await;
    let alone = served.home.app().git.lock(served.home.repository, Hold::Exclusive).await.unwrap();
    let answer = send(&served, &[], &body).await;
    let said = answer.text();
    assert!(said.contains("Others held the refs of this repository, so nothing was changed."), "{answer:?}");
    assert!(said.contains("Push again in a few seconds."), "{answer:?}");
    assert_eq!((served.at("topic").await, quarantines(&served.home.path())), (None, 0));
    drop(alone);
    assert!(send(&served, &[], &body).await.text().contains("ok refs/heads/topic"));
});

both!(a_body_that_is_no_push_is_refused, db, {
    let served = Served::over(db).await;
    let (line, headers) = heads(&served, &served.writer);
    let wrong = [headers[0].as_str(), "Content-Type: application/x-git-upload-pack-request"];
    assert_eq!(raw::request(&served, &line, &wrong, b"0000").await.status, 415);
    let answer = send(&served, &[], b"zzzz").await;
    let folder = served.home.test.folder.path().display().to_string();
    assert!(!answer.text().contains(&folder), "{answer:?}");
    assert_eq!(send(&served, &[], b"0000").await.status, 200, "a client asks so whether it is let in");
    served.until_gits(|gits| gits == 0).await;
});
