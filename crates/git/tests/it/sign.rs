//! What the server signs, an ordinary git verifies; one changed byte and it does not.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use countersign_core::gitnest::oid::Oid;
use countersign_git::GitError;
use countersign_git::commit::{CommitBytes, CommitDraft};
use countersign_git::sign::{Signature, Signer};

use crate::place::{Place, at, git, message, mira, said};

/// A fresh clone that trusts what the server printed, and the file with that.
fn clone(place: &Place) -> PathBuf {
    let clone = place.dir.path().join("clone");
    let source = place.host.path(place.id);
    said(&git(
        place.dir.path(),
        &["clone", "-q", "--no-local", &source.to_string_lossy(), &clone.to_string_lossy()],
    ));
    let signers = place.dir.path().join("allowed_signers");
    std::fs::write(&signers, place.signer.allowed_signers()).unwrap();
    said(&git(&clone, &["config", "gpg.format", "ssh"]));
    said(&git(&clone, &["config", "gpg.ssh.allowedSignersFile", &signers.to_string_lossy()]));
    clone
}

fn raw(place: &Place, oid: Oid) -> Vec<u8> {
    git(&place.host.path(place.id), &["cat-file", "commit", &oid.to_string()]).stdout
}

#[tokio::test]
async fn git_verifies_a_signed_commit_in_a_fresh_clone() {
    let (place, tip) = Place::with_repository().await;
    let clone = clone(&place);
    let verified = git(&clone, &["verify-commit", "-v", "HEAD"]);
    let told = String::from_utf8_lossy(&verified.stderr).into_owned();
    assert!(verified.status.success() && told.contains("Good \"git\" signature for countersign"), "{told}");
    assert_eq!(place.signer.verify(&raw(&place, tip)), Signature::Good(place.signer.public()));
}

#[tokio::test]
async fn after_one_byte_is_changed_neither_git_nor_we_verify_it() {
    let (place, tip) = Place::with_repository().await;
    let clone = clone(&place);
    let commit = raw(&place, tip);
    let text = String::from_utf8_lossy(&commit).into_owned();
    let (message, time) = (text.rfind("Begin").unwrap(), text.find("1700000000").unwrap());
    for at in [message, time, 5] {
        let mut changed = commit.clone();
        changed[at] = if changed[at] == b'0' { b'1' } else { changed[at] ^ 1 };
        let file = clone.join("changed");
        std::fs::write(&file, &changed).unwrap();
        let hash = ["hash-object", "-t", "commit", "-w", "--literally", "changed"];
        let other = said(&git(&clone, &hash));
        assert!(!git(&clone, &["verify-commit", &other]).status.success(), "byte {at}");
        assert_eq!(place.signer.verify(&changed), Signature::Bad, "byte {at}");
    }
}

#[tokio::test]
async fn the_signature_is_told_apart_from_none_and_from_a_strangers() {
    let (place, tip) = Place::with_repository().await;
    let stranger = Signer::open(&place.dir.path().join("other"), |seed| seed.fill(9)).unwrap();
    assert_eq!(stranger.verify(&raw(&place, tip)), Signature::Unknown);
    let draft = CommitDraft {
        tree: Oid::parse("4b825dc642cb6eb9a060e54bf8d69288fbee4904").unwrap(),
        parent: Some(tip),
        author: mira(),
        author_time: at(1),
        committer: mira(),
        commit_time: at(2),
        message: message("Change"),
    };
    assert_eq!(place.signer.verify(&draft.unsigned()), Signature::Unsigned);
    let signed = stranger.sign(&draft).unwrap();
    assert_eq!(stranger.verify(signed.bytes()), Signature::Good(stranger.public()));
    assert_eq!(place.signer.verify(signed.bytes()), Signature::Unknown);
    assert_eq!(stranger.sign(&draft).unwrap(), signed, "the same draft makes the same bytes");
}

#[tokio::test]
async fn stored_bytes_are_written_again_as_the_same_object() {
    let (place, tip) = Place::with_repository().await;
    let bytes = raw(&place, tip);
    let commit = CommitBytes::of(bytes.clone()).unwrap();
    assert_eq!(commit.oid(), tip);
    place
        .host
        .with(place.id, move |repo| repo.write_commit(&commit).and_then(|()| repo.write_commit(&commit)))
        .await
        .unwrap();
    assert_eq!(place.git(&["fsck", "--strict"]), "");
    assert!(matches!(CommitBytes::of(bytes[1..].to_vec()), Err(GitError::Damaged { .. })));
}

#[test]
fn the_key_is_made_once_private_and_openssh_reads_it() {
    let dir = tempfile::TempDir::new().unwrap();
    let first = Signer::open(dir.path(), |seed| seed.fill(1)).unwrap();
    let again = Signer::open(dir.path(), |_| panic!("it was made before")).unwrap();
    assert_eq!(first.public(), again.public());
    let secret = dir.path().join("commit_signing");
    assert_eq!(std::fs::metadata(&secret).unwrap().permissions().mode() & 0o777, 0o600);
    let by_openssh =
        std::process::Command::new("ssh-keygen").arg("-y").arg("-f").arg(&secret).output().unwrap();
    assert!(said(&by_openssh).starts_with(&first.public().to_string()));
    let listed = std::process::Command::new("ssh-keygen").arg("-lf").arg(&secret).output().unwrap();
    assert!(said(&listed).contains(&first.public().fingerprint()));
}

#[test]
fn a_key_that_others_can_read_or_that_is_damaged_is_refused() {
    let dir = tempfile::TempDir::new().unwrap();
    Signer::open(dir.path(), |seed| seed.fill(1)).unwrap();
    let secret = dir.path().join("commit_signing");
    let refused = |what: &str| {
        let said = Signer::open(dir.path(), |_| panic!("it was made before")).unwrap_err();
        assert!(matches!(&said, GitError::Key { reason, .. } if reason.contains(what)), "{said}");
    };
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o640)).unwrap();
    refused("others on this machine");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::write(&secret, "garbage").unwrap();
    refused("not an OpenSSH key file");
}

#[tokio::test]
async fn what_an_old_key_signed_stays_verified_after_it_was_replaced() {
    let (place, tip) = Place::with_repository().await;
    let keys = place.dir.path().join("keys");
    std::fs::remove_file(keys.join("commit_signing")).unwrap();
    let signer = Signer::open(&keys, |seed| seed.fill(8)).unwrap();
    assert_ne!(signer.public(), place.signer.public());
    assert_eq!(signer.verify(&raw(&place, tip)), Signature::Good(place.signer.public()));
    let place = Place { signer, ..place };
    assert!(git(&clone(&place), &["verify-commit", "HEAD"]).status.success());
}

#[test]
fn of_many_that_make_the_key_at_once_all_use_one() {
    let dir = tempfile::TempDir::new().unwrap();
    let keys: Vec<_> = std::thread::scope(|threads| {
        let open = |n: u8| {
            let folder = dir.path();
            threads.spawn(move || Signer::open(folder, |seed| seed.fill(n)).unwrap().public())
        };
        let started: Vec<_> = (1..=8).map(open).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(keys.iter().all(|key| *key == keys[0]));
}

#[test]
fn openssh_verifies_the_signature_of_a_seal_under_its_own_namespace_alone() {
    let dir = tempfile::TempDir::new().unwrap();
    let signer = Signer::open(dir.path(), |seed| seed.fill(1)).unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let statement = "countersign audit seal 1:00\n";
    let stated = file("statement", statement);
    let signature = file("signature", &signer.sign_seal(statement));
    let verified = |signers: &str, namespace: &str| {
        let mut keygen = std::process::Command::new("ssh-keygen");
        keygen.args(["-Y", "verify", "-I", "countersign", "-n", namespace]);
        keygen.arg("-f").arg(file("signers", signers)).arg("-s").arg(&signature);
        keygen.stdin(std::fs::File::open(&stated).unwrap()).output().unwrap().status.success()
    };
    assert!(verified(&signer.allowed_sealers(), "audit-seal@countersign"));
    assert!(!verified(&signer.allowed_signers(), "git"));
}
