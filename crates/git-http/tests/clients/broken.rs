//! Clients that break off, and requests that git cannot read.

use countersign_app::testing::noise::noise;
use countersign_store::both;
use tokio::io::AsyncReadExt as _;

use crate::raw::{self, fetch, framed, open, want, whole};
use crate::served::{Served, complained, said};

both!(a_client_that_hangs_up_in_the_middle_of_a_pack_ends_every_git_of_its_own, db, {
    let served = Served::over(db).await;
    served.commit(&[("big", &noise(1, 24 << 20))]).await;
    let tip = said(&served.git(&served.home.path(), &["rev-parse", "main"]).await);
    let (line, headers) = fetch(&served);
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let mut stream = open(&served, &whole(&line, &headers, &want(&tip))).await;
    let mut some = vec![0; 100_000];
    stream.read_exact(&mut some).await.unwrap();
    assert!(some.starts_with(b"HTTP/1.1 200 OK"));
    // The pack is larger than what fits between the two: git cannot be at its end.
    assert!(served.gits() > 0, "no git is seen at work");
    drop(stream);
    served.until_gits(|gits| gits == 0).await;
});

both!(a_client_that_hangs_up_before_the_answer_ends_its_git, db, {
    let served = Served::over(db).await;
    let (line, headers) = fetch(&served);
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let bytes = whole(&line, &headers, &framed(&[Some("command=ls-refs"), None]));
    let stream = open(&served, &bytes[..bytes.len() - 4]).await;
    served.until_gits(|gits| gits == 1).await;
    drop(stream);
    served.until_gits(|gits| gits == 0).await;
});

both!(a_request_that_git_cannot_read_is_refused_in_words_that_tell_nothing_of_the_server, db, {
    let served = Served::over(db).await;
    let (line, headers) = fetch(&served);
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let unknown = want("1111111111111111111111111111111111111111");
    let evil = framed(&[Some("command=evil"), None]);
    for body in [&b"zzzz"[..], &evil, &unknown] {
        let answer = raw::request(&served, &line, &headers, body).await;
        let folder = served.home.test.folder.path().display().to_string();
        assert!(!answer.text().contains(&folder), "{answer:?}");
        assert!(answer.status == 400 || answer.text().contains("ERR "), "{body:?}: {answer:?}");
    }
    let mut garbled = headers.clone();
    garbled.push("Content-Encoding: gzip");
    assert_eq!(raw::request(&served, &line, &garbled, b"not gzip").await.status, 400);
    let plain = [headers[0], "Content-Type: text/plain"];
    assert_eq!(raw::request(&served, &line, &plain, b"0000").await.status, 415);
    served.until_gits(|gits| gits == 0).await;
});

both!(a_client_is_told_in_gits_own_words_what_it_asked_in_vain, db, {
    let served = Served::over(db).await;
    for version in ["0", "2"] {
        let option = format!("protocol.version={version}");
        let clone = served.clone(&["-c", &option]).await;
        let absent = "1".repeat(40);
        let fetched = served.git(&clone, &["fetch", "origin", &absent]).await;
        let words = complained(&fetched);
        assert!(!fetched.status.success() && words.contains(&absent), "version {version}: {words}");
        assert!(version == "0" || words.contains("remote error: upload-pack: not our ref"), "{words}");
    }
});
