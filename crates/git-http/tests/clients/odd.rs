//! Pushes that no git would send: each is refused in words, moves nothing and leaves nothing.

use countersign_app::testing::noise::noise;
use countersign_git_http::Limits;
use countersign_store::both;

use crate::push::pushes;
use crate::push_limit::{commands, packed, send};
use crate::raw::{Answer, framed};
use crate::rule::{editor, quarantines};
use crate::served::{Served, complained, said};

/// Pushes by hand, and holds that it changes nothing.
async fn refused(served: &Served, body: &[u8], words: &str) -> Answer {
    let bare = served.home.path();
    let state = async || {
        let refs = said(&served.git(&bare, &["for-each-ref"]).await);
        (refs, said(&served.git(&bare, &["count-objects", "-v"]).await), pushes(served).await)
    };
    let before = state().await;
    let answer = send(served, &[], body).await;
    assert!(answer.text().contains(words), "lacks {words}: {answer:?}");
    served.until_gits(|gits| gits == 0).await;
    assert_eq!(state().await, before, "{answer:?}");
    assert_eq!(quarantines(&bare), 0, "{answer:?}");
    countersign_app::push::recover(served.home.app()).await.unwrap();
    assert_eq!(pushes(served).await, before.2, "something was told");
    answer
}

both!(a_branch_is_not_deleted_by_who_does_not_know_where_it_is, db, {
    let served = Served::over(db).await;
    let clone = served.workplace(&served.writer).await;
    served.change(&clone, "a.txt", b"one\n").await;
    said(&served.git(&clone, &["push", "origin", "HEAD:topic"]).await);
    let (zero, main) = ("0".repeat(40), served.at("main").await.unwrap());
    let words = "topic is not there for this push";
    refused(&served, &commands(&[&format!("{zero} {zero} refs/heads/topic")]), words).await;
    refused(&served, &commands(&[&format!("{zero} {zero} refs/heads/other")]), "other is not there").await;
    for invented in ["1".repeat(40), main] {
        let body = commands(&[&format!("{invented} {zero} refs/heads/topic")]);
        refused(&served, &body, "topic is not where this push has seen it.").await;
    }
    let topic = served.at("topic").await.unwrap();
    let answer = send(&served, &[], &commands(&[&format!("{topic} {zero} refs/heads/topic")])).await;
    assert!(answer.text().contains("ok refs/heads/topic"), "{answer:?}");
    assert_eq!(pushes(&served).await.last().unwrap().1, "deleted the branch topic");
});

both!(a_branch_is_not_moved_through_another_name_for_it, db, {
    let served = Served::over(db).await;
    let bare = served.home.path();
    said(&served.git(&bare, &["symbolic-ref", "refs/heads/alias", "refs/heads/main"]).await);
    let main = served.at("main").await.unwrap();
    let (new, pack) = packed(&served, b"new\n").await;
    let body = [commands(&[&format!("{main} {new} refs/heads/alias")]), pack].concat();
    refused(&served, &body, "alias is not where this push has seen it.").await;
});

both!(one_ref_stands_once_in_a_push, db, {
    let served = Served::over(db).await;
    let (new, pack) = packed(&served, b"new\n").await;
    let line = format!("{} {new} refs/heads/topic", "0".repeat(40));
    let other = format!("{new} {} refs/heads/topic", "0".repeat(40));
    for lines in [[&line, &line], [&line, &other]] {
        let body = [commands(&lines.map(String::as_str)), pack.clone()].concat();
        refused(&served, &body, "topic stands twice in this push.").await;
    }
});

both!(a_certificate_is_refused_before_git_has_seen_it, db, {
    let served = Served::over(db).await;
    let (new, pack) = packed(&served, b"new\n").await;
    let update = format!("{} {new} refs/heads/topic", "0".repeat(40));
    let certificate = format!(
        "certificate version 0.1\npusher T <t@example.org> 1 +0000\nnonce x\n\n{update}\n-----BEGIN PGP \
         SIGNATURE-----\n\nAAAA\n-----END PGP SIGNATURE-----\n"
    );
    let first = std::iter::once("push-cert\0report-status side-band-64k agent=test");
    let all = first.chain(certificate.lines()).chain(std::iter::once("push-cert-end"));
    let lines: Vec<_> = all.map(Some).chain(std::iter::once(None)).collect();
    let body = [framed(&lines), pack].concat();
    assert_eq!(refused(&served, &body, "Pushes are not signed here.").await.status, 400);
    let mut behind = commands(&[&update]);
    behind.truncate(behind.len() - 4);
    behind.extend_from_slice(&body);
    assert_eq!(refused(&served, &behind, "Pushes are not signed here.").await.status, 400);
});

/// A pack with one object of this kind that says it has two gigabytes.
fn bomb(kind: u8, padding: usize) -> Vec<u8> {
    let mut pack = b"PACK\0\0\0\x02\0\0\0\x01".to_vec();
    let size = 2_u64 << 30;
    pack.push(0x80 | (kind << 4) | u8::try_from(size & 0xf).unwrap());
    let mut rest = size >> 4;
    while rest > 0x7f {
        pack.push(0x80 | u8::try_from(rest & 0x7f).unwrap());
        rest >>= 7;
    }
    pack.push(u8::try_from(rest).unwrap());
    pack.resize(pack.len() + 100 + padding, b'x');
    pack
}

both!(an_object_that_would_fill_the_memory_is_refused_before_there_is_room_for_it, db, {
    let served = Served::over(db).await;
    let line = format!("{} {} refs/heads/topic", "0".repeat(40), "1".repeat(40));
    // A commit and a tree; in a push that is unpacked, and in one that stays a pack.
    for (kind, padding) in [(1, 0), (2, 0), (1, 2 << 20), (2, 2 << 20)] {
        let body = [commands(&[&line]), bomb(kind, padding)].concat();
        refused(&served, &body, "over limit").await;
    }
});

/// As zlib frames what it does not compress (RFC 1950, RFC 1951).
fn stored(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap();
    let (low, high) = bytes.iter().fold((1_u32, 0_u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    let begin = [&[0x78, 0x01, 0x01][..], &length.to_le_bytes(), &(!length).to_le_bytes()].concat();
    [&begin, bytes, &((high << 16) | low).to_be_bytes()].concat()
}

/// A pack of files that each are `base`, of four megabytes, and one byte more (gitformat-pack, "Deltified
/// representation").
fn copies(base: &str, count: u8) -> Vec<u8> {
    let base: Vec<u8> =
        (0..20).map(|at| u8::from_str_radix(&base[2 * at..2 * at + 2], 16).unwrap()).collect();
    let mut pack = [&b"PACK\0\0\0\x02\0\0\0"[..], &[count]].concat();
    for number in 0..count {
        // Both sizes, a copy of all there is, and an insertion.
        let sizes = [0x80, 0x80, 0x80, 0x02, 0x81, 0x80, 0x80, 0x02];
        let delta = [&sizes[..], &[0xc0, 0x40, 1, number]].concat();
        pack.push(0x70 | u8::try_from(delta.len()).unwrap());
        pack.extend_from_slice(&base);
        pack.extend(stored(&delta));
    }
    pack.resize(pack.len() + 20, 0);
    pack
}

both!(a_small_push_that_would_fill_the_disk_is_broken_off, db, {
    let home =
        countersign_app::testing::home::Home::with(db, |settings| settings.repository_quota = 12 << 20);
    let served = Served::of(home.await, Limits { spare: 1 << 20, ..Limits::SHIPPED }).await;
    served.commit(&[("base", &noise(1, 4 << 20))]).await;
    let base = said(&served.git(&served.home.path(), &["rev-parse", "main:base"]).await);
    let line =
        format!("{} {} refs/heads/topic\0report-status side-band-64k quiet", "0".repeat(40), "1".repeat(40));
    let framed = format!("{:04x}{line}0000", line.len() + 4).into_bytes();
    let body = [framed, copies(&base, 90)].concat();
    assert!(body.len() < 8 << 10, "the test proves nothing");
    let answer = send(&served, &[], &body).await;
    assert_eq!(
        (answer.status, answer.text().contains("Unpacked, this push is larger")),
        (413, true),
        "{answer:?}"
    );
    served.until_gits(|gits| gits == 0).await;
    assert!(served.pushes_are_over().await);
    assert_eq!((served.at("topic").await, quarantines(&served.home.path())), (None, 0));
});

both!(a_push_without_the_parents_of_its_commits_is_refused_in_words, db, {
    let served = Served::over(db).await;
    let clone = served.workplace(&served.writer).await;
    served.change(&clone, "a.txt", b"one\n").await;
    let new = served.change(&clone, "b.txt", b"two\n").await;
    let shallow = served.fresh();
    let (from, to) = (format!("file://{}", clone.display()), shallow.display().to_string());
    said(&served.git(&clone, &["clone", "--quiet", "--depth=1", &from, &to]).await);
    let pushed = served.git(&shallow, &["push", &served.url(&served.writer), "HEAD:topic"]).await;
    let words = complained(&pushed);
    assert!(!pushed.status.success() && words.contains("shallow update not allowed"), "{words}");
    // The same by who does not say so, and by who says it of a commit that nobody has.
    let line = format!("{} {new} refs/heads/topic", "0".repeat(40));
    let body = [commands(&[&line]), body_of(&clone, &new)].concat();
    refused(&served, &body, "ng refs/heads/topic").await;
    let first = format!("shallow {}", "1".repeat(40));
    let first = format!("{:04x}{first}", first.len() + 4).into_bytes();
    refused(&served, &[first, body].concat(), "ng refs/heads/topic").await;
    assert_eq!(served.at("topic").await, None);
});

/// A pack of one commit with its tree.
fn body_of(clone: &std::path::Path, commit: &str) -> Vec<u8> {
    let shell = format!("printf '{commit}\\n^{commit}~1\\n' | git pack-objects --stdout --revs -q");
    let packed = std::process::Command::new("sh").args(["-c", &shell]).current_dir(clone).output().unwrap();
    assert!(packed.status.success());
    packed.stdout
}

both!(a_name_that_would_be_taken_for_another_ref_is_refused, db, {
    let served = Served::over(db).await;
    let token = editor(&served).await;
    let clone = served.workplace(&token).await;
    served.change(&clone, "a.txt", b"one\n").await;
    for (name, words) in [
        ("refs/heads/Main", "remote: Main would be taken for the branch main."),
        ("refs/tags/main", "remote: The tag main would be taken for the branch main."),
    ] {
        let pushed = served.git(&clone, &["push", "origin", &format!("HEAD:{name}")]).await;
        assert!(!pushed.status.success() && complained(&pushed).contains(words), "{}", complained(&pushed));
        assert_eq!(served.at(name).await, None);
    }
    // Two that are made in one push as well.
    let pushed =
        served.git(&clone, &["push", "origin", "HEAD:refs/heads/Topic", "HEAD:refs/heads/topic"]).await;
    assert!(complained(&pushed).contains("2 refs are refused"), "{}", complained(&pushed));
    said(&served.git(&clone, &["push", "origin", "HEAD:refs/heads/topic", "HEAD:refs/tags/v1"]).await);
    let pushed = served.git(&clone, &["push", "origin", "HEAD:refs/heads/v1"]).await;
    let words = "remote: v1 would be taken for the tag v1.";
    assert!(!pushed.status.success() && complained(&pushed).contains(words), "{}", complained(&pushed));
    assert_eq!((served.at("refs/heads/v1").await, pushes(&served).await.len()), (None, 2));
});

both!(of_two_names_of_which_one_is_a_folder_neither_is_made, db, {
    let served = Served::over(db).await;
    let token = editor(&served).await;
    let clone = served.workplace(&token).await;
    served.change(&clone, "a.txt", b"one\n").await;
    let pushed = served.git(&clone, &["push", "origin", "HEAD:refs/heads/z", "HEAD:refs/heads/z/y"]).await;
    assert!(complained(&pushed).contains("2 refs are refused"), "{}", complained(&pushed));
    assert_eq!((served.at("z").await, served.at("z/y").await), (None, None));
    let pushed = served.git(&clone, &["push", "origin", "HEAD:refs/heads/main/x"]).await;
    let words = "remote: refs/heads/main/x cannot be made beside refs/heads/main.";
    assert!(!pushed.status.success() && complained(&pushed).contains(words), "{}", complained(&pushed));
});

both!(the_folder_above_a_protected_path_is_not_replaced_by_a_link, db, {
    let served = Served::over(db).await;
    let token = editor(&served).await;
    let clone = served.workplace(&token).await;
    std::fs::create_dir(clone.join("shadow")).unwrap();
    std::os::unix::fs::symlink("shadow", clone.join(".github")).unwrap();
    served.change(&clone, "shadow/workflows/ci.yml", b"on: push\n").await;
    let pushed = served.git(&clone, &["push", "origin", "HEAD:topic"]).await;
    let words = ".github is protected: changing it takes the role maintainer.";
    assert!(!pushed.status.success() && complained(&pushed).contains(words), "{}", complained(&pushed));
    said(&served.git(&clone, &["reset", "--quiet", "--hard", "HEAD~1"]).await);
    served.change(&clone, ".github/ISSUE_TEMPLATE.md", b"ordinary\n").await;
    said(&served.git(&clone, &["push", "origin", "HEAD:topic"]).await);
});
