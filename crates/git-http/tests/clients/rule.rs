//! What may be pushed by whom: each refusal reaches git as a line, moves nothing and leaves nothing.

use std::path::Path;

use countersign_app::token::{NewToken, create};
use countersign_core::scope::{TokenScope, TokenScopes};
use countersign_store::{Error, both};

use crate::push::pushes;
use crate::served::{Served, complained, said};

/// The token of somebody with this role in the repository's project.
async fn member(served: &Served, role: &'static str) -> String {
    let person = served.home.stranger().await;
    set_role(served, role).await;
    let scopes = TokenScopes::new([TokenScope::RepoRead, TokenScope::RepoWrite]);
    let new = NewToken { name: "git".into(), scopes, lifetime_s: 3600 };
    create(served.home.app(), &person, new).await.unwrap().secret.reveal().to_owned()
}

/// Gives them another one, or takes it away.
pub(crate) async fn set_role(served: &Served, role: &'static str) {
    let project = served.home.house.project.to_string();
    let set = served.home.app().db.write(move |t| {
        Box::pin(async move {
            let of_stranger = "user_id IN (SELECT id FROM person WHERE name = 'Bob')";
            t.exec(&format!("DELETE FROM project_member WHERE {of_stranger}"), &[]).await?;
            t.exec(
                "INSERT INTO project_member (project_id, user_id, role, created_at) \
                 SELECT $1, id, $2, 1 FROM person WHERE name = 'Bob' AND $2 <> ''",
                &[&project, &role],
            )
            .await?;
            Ok::<_, Error>(())
        })
    });
    set.await.unwrap();
}

/// A member's token, for those who change their role afterwards.
pub(crate) async fn editor(served: &Served) -> String {
    member(served, "editor").await
}

async fn push(served: &Served, clone: &Path, refs: &[&str]) -> Result<(), String> {
    let pushed = served.git(clone, &[&["push", "origin"], refs].concat()).await;
    if pushed.status.success() { Ok(()) } else { Err(complained(&pushed)) }
}

/// A push that has to be refused with these words, and must leave everything as it is.
async fn refused(served: &Served, clone: &Path, refs: &[&str], words: &[&str]) {
    let bare = served.home.path();
    let everything = || served.git(&bare, &["for-each-ref"]);
    let (before, told) = (said(&everything().await), pushes(served).await);
    let complaint = push(served, clone, refs).await.unwrap_err();
    for word in words {
        assert!(complaint.contains(&format!("remote: {word}")), "{refs:?} lacks {word}: {complaint}");
    }
    assert_eq!((said(&everything().await), pushes(served).await), (before, told), "{refs:?} left something");
    assert_eq!(quarantines(&bare), 0, "{refs:?} left its objects");
}

/// The folders in which git keeps what a push brings.
pub(crate) fn quarantines(bare: &Path) -> usize {
    let entries = std::fs::read_dir(bare.join("objects")).unwrap().flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("tmp_objdir")).count()
}

both!(a_protected_branch_takes_a_maintainer, db, {
    let served = Served::over(db).await;
    let token = editor(&served).await;
    let clone = served.workplace(&token).await;
    served.change(&clone, "a.txt", b"one\n").await;
    let words = ["main is protected: pushing to it takes the role maintainer.", "Push to another branch"];
    refused(&served, &clone, &["HEAD:main"], &words).await;
    push(&served, &clone, &["HEAD:topic"]).await.unwrap();
    set_role(&served, "maintainer").await;
    push(&served, &clone, &["HEAD:main"]).await.unwrap();
    let told: Vec<_> = pushes(&served).await.into_iter().map(|(_, summary)| summary).collect();
    assert_eq!(told, ["made the branch topic with 1 commit", "pushed 1 commit to main"]);
    set_role(&served, "viewer").await;
    let complaint = push(&served, &clone, &["HEAD:other"]).await.unwrap_err();
    assert!(complaint.contains("remote: This takes the role editor on this resource."), "{complaint}");
});

both!(nobody_forces_or_deletes_a_protected_branch, db, {
    let served = Served::over(db).await;
    let clone = served.workplace(&served.writer).await;
    said(&served.git(&clone, &["commit", "--quiet", "--amend", "-m", "Other"]).await);
    let words = ["main is protected: nobody can take commits off it by force.", "Fetch, merge or rebase"];
    refused(&served, &clone, &["--force", "HEAD:main"], &words).await;
    refused(&served, &clone, &[":main"], &["main is the default branch and cannot be deleted."]).await;
    push(&served, &clone, &["HEAD:release"]).await.unwrap();
    protect(&served, "[\"main\",\"release\"]").await;
    refused(&served, &clone, &[":release"], &["release is protected: nobody can delete it."]).await;
    protect(&served, "[]").await;
    refused(&served, &clone, &[":main"], &["main is the default branch and cannot be deleted."]).await;
    push(&served, &clone, &["--force", "HEAD:main"]).await.unwrap();
    push(&served, &clone, &[":release"]).await.unwrap();
});

async fn protect(served: &Served, branches: &'static str) {
    let id = served.home.repository.to_string();
    let set = served.home.app().db.write(move |t| {
        Box::pin(async move {
            t.exec("UPDATE repository SET protected_branches = $2 WHERE id = $1", &[&id, &branches]).await?;
            Ok::<_, Error>(())
        })
    });
    set.await.unwrap();
}

both!(an_editor_moves_and_deletes_other_branches_and_the_log_tells_each, db, {
    let served = Served::over(db).await;
    let token = editor(&served).await;
    let clone = served.workplace(&token).await;
    served.change(&clone, "a.txt", b"one\n").await;
    push(&served, &clone, &["HEAD:refs/heads/a", "HEAD:refs/heads/b"]).await.unwrap();
    served.change(&clone, "b.txt", b"two\n").await;
    push(&served, &clone, &["HEAD:a"]).await.unwrap();
    said(&served.git(&clone, &["reset", "--quiet", "--hard", "HEAD~2"]).await);
    served.change(&clone, "c.txt", b"three\n").await;
    assert!(push(&served, &clone, &["HEAD:a"]).await.unwrap_err().contains("non-fast-forward"));
    push(&served, &clone, &["--force", "HEAD:a"]).await.unwrap();
    push(&served, &clone, &[":a"]).await.unwrap();
    let told: Vec<_> = pushes(&served).await.into_iter().map(|(_, summary)| summary).collect();
    let wanted = [
        "made the branch a with 1 commit",
        "made the branch b with 1 commit",
        "pushed 1 commit to a",
        "forced a: 1 commit on, 2 commits off",
        "deleted the branch a",
    ];
    assert_eq!(told, wanted);
    countersign_app::push::recover(served.home.app()).await.unwrap();
    assert_eq!(pushes(&served).await.len(), wanted.len(), "nothing was left to tell");
});

both!(a_tag_is_made_by_editors_and_moved_or_deleted_by_maintainers, db, {
    let served = Served::over(db).await;
    let token = editor(&served).await;
    let clone = served.workplace(&token).await;
    said(&served.git(&clone, &["tag", "-a", "-m", "One", "v1"]).await);
    push(&served, &clone, &["v1"]).await.unwrap();
    served.change(&clone, "a.txt", b"one\n").await;
    said(&served.git(&clone, &["tag", "-f", "v1"]).await);
    let moving = ["The tag v1 is there: moving it takes the role maintainer.", "Push a new tag"];
    refused(&served, &clone, &["--force", "v1"], &moving).await;
    let deleting = ["The tag v1 is there: deleting it takes the role maintainer."];
    refused(&served, &clone, &[":v1"], &deleting).await;
    set_role(&served, "maintainer").await;
    push(&served, &clone, &["--force", "v1"]).await.unwrap();
    push(&served, &clone, &[":v1"]).await.unwrap();
    let told: Vec<_> = pushes(&served).await.into_iter().map(|(_, summary)| summary).collect();
    assert_eq!(told, ["made the tag v1", "moved the tag v1", "deleted the tag v1"]);
});

both!(what_changes_a_protected_path_takes_a_maintainer_whatever_branch_it_is_for, db, {
    let served = Served::over(db).await;
    let token = editor(&served).await;
    let clone = served.workplace(&token).await;
    let base = served.at("main").await.unwrap();
    served.change(&clone, ".github/workflows/ci.yml", b"on: push\n").await;
    let words = [".github/workflows/ci.yml is protected: changing it takes the role maintainer."];
    refused(&served, &clone, &["HEAD:topic"], &words).await;
    // Taken out again by a later commit it has still been there.
    said(&served.git(&clone, &["rm", "--quiet", ".github/workflows/ci.yml"]).await);
    said(&served.git(&clone, &["commit", "--quiet", "-m", "Away"]).await);
    refused(&served, &clone, &["HEAD:topic"], &words).await;
    said(&served.git(&clone, &["tag", "t"]).await);
    refused(&served, &clone, &["t"], &words).await;
    // What a maintainer brought in may be merged and branched from.
    said(&served.git(&clone, &["reset", "--quiet", "--hard", "HEAD~1"]).await);
    set_role(&served, "maintainer").await;
    push(&served, &clone, &["HEAD:main"]).await.unwrap();
    set_role(&served, "editor").await;
    said(&served.git(&clone, &["checkout", "--quiet", "-b", "side", &base]).await);
    served.change(&clone, "side.txt", b"side\n").await;
    said(&served.git(&clone, &["merge", "--quiet", "--no-edit", "origin/main"]).await);
    push(&served, &clone, &["side", "origin/main:refs/heads/copy"]).await.unwrap();
    // A merge that changes it by itself is a change.
    said(&served.git(&clone, &["checkout", "--quiet", "-b", "evil", "HEAD~1"]).await);
    said(&served.git(&clone, &["merge", "--quiet", "--no-commit", "--no-ff", "origin/main"]).await);
    std::fs::write(clone.join(".github/workflows/ci.yml"), b"on: evil\n").unwrap();
    said(&served.git(&clone, &["add", "-A"]).await);
    said(&served.git(&clone, &["commit", "--quiet", "-m", "Merge"]).await);
    refused(&served, &clone, &["evil"], &words).await;
});

both!(the_servers_refs_and_odd_names_are_refused_and_with_them_the_whole_push, db, {
    let served = Served::over(db).await;
    let clone = served.workplace(&served.writer).await;
    let head = served.change(&clone, "a.txt", b"one\n").await;
    for name in ["refs/notes/commits", "refs/for/main", &format!("refs/replace/{head}"), "refs/pull/1/head"] {
        let words = [format!("{name}: only refs/heads/* and refs/tags/* can be pushed")];
        refused(&served, &clone, &[&format!("HEAD:{name}"), "HEAD:topic"], &[&words[0]]).await;
    }
    refused(&served, &clone, &["HEAD:refs/heads/HEAD"], &["refs/heads/HEAD: a branch name"]).await;
    let bidi = "refs/tags/a\u{202e}b";
    refused(&served, &clone, &[&format!("HEAD:{bidi}")], &["refs/tags/a\\u{202e}b: a tag name"]).await;
    for name in ["refs/proposals/1", "refs/results/1", "refs/changesets/1/1"] {
        let complaint = push(&served, &clone, &[&format!("HEAD:{name}")]).await.unwrap_err();
        assert!(complaint.contains("deny updating a hidden ref"), "{complaint}");
        assert_eq!(served.at(name).await, None);
    }
    assert_eq!(served.at("topic").await, None);
});

both!(a_hook_that_somebody_planted_does_not_run, db, {
    let served = Served::over(db).await;
    let bare = served.home.path();
    let planted = served.fresh();
    let mark = served.fresh();
    for folder in [planted.clone(), bare.join("hooks")] {
        std::fs::create_dir_all(&folder).unwrap();
        for hook in ["pre-receive", "update", "post-receive", "post-update", "reference-transaction"] {
            let place = folder.join(hook);
            std::fs::write(&place, format!("#!/bin/sh\ntouch {}\n", mark.display())).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(&place, mode).unwrap();
        }
    }
    let planted = planted.display().to_string();
    said(&served.git(&bare, &["config", "core.hooksPath", &planted]).await);
    let clone = served.workplace(&served.writer).await;
    served.change(&clone, "a.txt", b"one\n").await;
    push(&served, &clone, &["HEAD:main"]).await.unwrap();
    assert!(!mark.exists(), "a planted hook ran");
    // Straight to the folder git does run it: the test would see it.
    served.change(&clone, "b.txt", b"two\n").await;
    let straight = bare.display().to_string();
    said(&served.git(&clone, &["push", "--quiet", &straight, "HEAD:topic"]).await);
    assert!(mark.exists(), "the test proves nothing");
});

both!(without_its_own_hook_git_takes_no_push_at_all, db, {
    let served = Served::over(db).await;
    let clone = served.workplace(&served.writer).await;
    served.change(&clone, "a.txt", b"one\n").await;
    let hook = served.home.app().git.root().join("push-hooks/pre-receive");
    let before = served.at("main").await;
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    assert!(push(&served, &clone, &["HEAD:main"]).await.unwrap_err().contains("500"));
    std::fs::remove_file(&hook).unwrap();
    assert!(push(&served, &clone, &["HEAD:main"]).await.unwrap_err().contains("500"));
    assert_eq!(served.at("main").await, before);
});

both!(a_tree_that_would_harm_a_client_is_refused, db, {
    let served = Served::over(db).await;
    let clone = served.workplace(&served.writer).await;
    let blob = said(&served.git(&clone, &["rev-parse", "HEAD:README.md"]).await);
    let shell = format!("printf '100644 blob {blob}\\t.GiT\\n' | git mktree --missing");
    let made = std::process::Command::new("sh").args(["-c", &shell]).current_dir(&clone).output().unwrap();
    let tree = said(&made);
    let commit = said(&served.git(&clone, &["commit-tree", &tree, "-m", "evil"]).await);
    let complaint = push(&served, &clone, &[&format!("{commit}:refs/heads/evil")]).await.unwrap_err();
    assert!(complaint.contains("hasDotgit"), "{complaint}");
    assert_eq!((served.at("evil").await, quarantines(&served.home.path())), (None, 0));
});
