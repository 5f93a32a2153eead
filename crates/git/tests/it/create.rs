//! A repository is made whole or not at all.

use std::os::unix::fs::PermissionsExt as _;

use countersign_git::{GitError, Repo};

use crate::place::{Place, git, main_branch, open, readme, said};

#[tokio::test]
async fn a_new_repository_has_one_commit_with_a_readme_and_passes_fsck() {
    let (place, tip) = Place::with_repository().await;
    assert_eq!(
        place.git(&["log", "--format=%H %an <%ae> %at %s"]),
        format!("{tip} Mira <mira@example.com> 1700000000 Begin")
    );
    assert_eq!(place.git(&["show", "HEAD:README.md"]), "# Orchard");
    assert_eq!(place.git(&["fsck", "--strict"]), "");
    assert_eq!(place.git(&["rev-parse", "--is-bare-repository", "--show-object-format"]), "true\nsha1");
    assert_eq!(place.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
}

#[tokio::test]
async fn nobody_else_on_the_machine_can_look_into_the_folder() {
    let (place, _) = Place::with_repository().await;
    let mode = std::fs::metadata(place.host.root()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[tokio::test]
async fn made_again_it_stays_as_it_is() {
    let (place, first) = Place::with_repository().await;
    let mut other = readme();
    other.readme = "another".into();
    assert_eq!(place.host.create(place.id, other, &place.signer).await.unwrap(), first);
    assert_eq!(place.git(&["rev-list", "--count", "HEAD"]), "1");
}

#[tokio::test]
async fn what_a_crash_left_half_is_thrown_away_and_made_anew() {
    let place = Place::empty().await;
    let half = place.host.root().join(format!("{}.git.new", place.id));
    std::fs::create_dir_all(half.join("objects")).unwrap();
    std::fs::write(half.join("HEAD"), "garbage").unwrap();
    assert!(!place.host.exists(place.id), "half a repository does not count");
    let tip = place.host.create(place.id, readme(), &place.signer).await.unwrap();
    assert_eq!(place.git(&["rev-parse", "main"]), tip.to_string());
    assert!(!half.exists());
}

#[tokio::test]
async fn of_two_that_make_it_at_once_both_get_the_same_commit() {
    let place = Place::empty().await;
    let other = open(place.dir.path()).await;
    let (a, b) = tokio::join!(
        place.host.create(place.id, readme(), &place.signer),
        other.create(place.id, readme(), &place.signer)
    );
    assert_eq!(a.unwrap(), b.unwrap());
}

#[tokio::test]
async fn a_repository_whose_refs_gix_cannot_see_is_refused() {
    let (place, _) = Place::with_repository().await;
    place.git(&["config", "core.repositoryFormatVersion", "1"]);
    place.git(&["config", "extensions.refStorage", "reftable"]);
    let seen = place.host.with(place.id, |repo| repo.tip(&main_branch())).await;
    assert!(matches!(seen, Err(GitError::Unsupported { .. })), "{seen:?}");
}

#[tokio::test]
async fn a_missing_repository_is_named_as_such() {
    let place = Place::empty().await;
    let seen = place.host.with(place.id, Repo::branches).await;
    assert!(matches!(seen, Err(GitError::Missing(_))), "{seen:?}");
}

#[tokio::test]
async fn an_old_git_is_refused_when_the_server_starts() {
    let dir = tempfile::TempDir::new().unwrap();
    let old = dir.path().join("git");
    std::fs::write(&old, "#!/bin/sh\necho git version 2.39.5\n").unwrap();
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o755)).unwrap();
    let opened = countersign_git::GitHost::open(dir.path(), Some(&old)).await;
    assert!(matches!(opened, Err(GitError::NoGit { .. })), "{opened:?}");
}

#[tokio::test]
async fn a_hook_planted_in_a_repository_never_runs() {
    let (place, tip) = Place::with_repository().await;
    let hooks = place.host.path(place.id).join("hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    let trace = place.dir.path().join("ran");
    let hook = hooks.join("reference-transaction");
    std::fs::write(&hook, format!("#!/bin/sh\ntouch {}\n", trace.display())).unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let command = place.host.git().command(&place.host.path(place.id), "update-ref");
    let output = command.args(["refs/heads/other", &tip.to_string()]);
    output.succeed(Vec::new(), countersign_git::process::Limits::SHORT).await.unwrap();
    assert!(!trace.exists(), "the planted hook ran");
    said(&git(&place.host.path(place.id), &["update-ref", "refs/heads/third", &tip.to_string()]));
    assert!(trace.exists(), "the hook of this test does nothing even where nothing holds it back");
}
