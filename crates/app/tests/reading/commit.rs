//! A person looks at a commit: who wrote it, who signed it, what it changes, which proposal it carries out.

use countersign_app::commit::view::SignatureState;
use countersign_app::diff::view::{FileBody, FileChange, Line};
use countersign_app::proposal::approve;
use countersign_app::repository::commit;
use countersign_app::testing::home::Home;
use countersign_core::problem::Code;
use countersign_store::both;

use crate::work::{git, propose, push};

both!(an_approved_commit_is_shown_with_its_signature_and_its_proposal, db, {
    let home = Home::over(db).await;
    let proposal = propose(&home, "Plant trees", &[("README.md", "# orchard\nApples.\n")]).await;
    let landed = approve(home.app(), &home.owner, proposal).await.unwrap().commit.unwrap();
    let seen = commit(home.app(), &home.owner, home.repository, &landed).await.unwrap();
    assert_eq!((seen.title.as_str(), seen.proposal), ("Plant trees", Some(proposal)));
    assert!(seen.body.contains(&format!("Proposal: {proposal}")), "{}", seen.body);
    assert_eq!((seen.author.name.as_str(), seen.committer.name.as_str()), ("Claude (via Ada)", "Ada"));
    let fingerprint = home.app().signer.public().fingerprint();
    assert_eq!(seen.signature, SignatureState::Good { fingerprint });
    assert!(seen.allowed_signers.unwrap().starts_with("countersign namespaces=\"git\" ssh-ed25519 "));
    let slug = home.house.workspace;
    assert_eq!(seen.clone_url, format!("http://localhost:8420/git/{slug}/orchard.git"));
    let [file] = &seen.files[..] else { panic!("{:?}", seen.files) };
    assert_eq!(
        (file.path.as_str(), file.change, file.added, file.removed),
        ("README.md", FileChange::Modified, 1, 0)
    );
    let FileBody::Text(hunks) = &file.body else { panic!("{file:?}") };
    let same = Line::Same { old: 1, new: 1, text: "# orchard".into() };
    assert_eq!(hunks[0].lines, [same, Line::Added { new: 2, text: "Apples.".into() }]);
});

both!(a_trailer_that_somebody_wrote_themselves_names_no_proposal, db, {
    let home = Home::over(db).await;
    let proposal = propose(&home, "Plant trees", &[("a", "a")]).await;
    approve(home.app(), &home.owner, proposal).await.unwrap();
    let forged = push(&home, &format!("Look\n\nProposal: {proposal}\nApproved-by: Ada <a@x>"), &[("b", "b")]);
    let seen = commit(home.app(), &home.owner, home.repository, &forged).await.unwrap();
    assert_eq!((seen.proposal, seen.signature), (None, SignatureState::Missing));
    assert_eq!(seen.author.mail, "pat@example.org");
});

both!(a_signature_that_was_moved_to_another_commit_is_bad, db, {
    let home = Home::over(db).await;
    let proposal = propose(&home, "Plant trees", &[("a", "a")]).await;
    let landed = approve(home.app(), &home.owner, proposal).await.unwrap().commit.unwrap();
    let bytes = git(&home.path(), &["cat-file", "commit", &landed]);
    let file = home.test.folder.path().join("forged");
    std::fs::write(&file, bytes.replace("Plant trees", "Plant bombs") + "\n").unwrap();
    let forged = git(&home.path(), &["hash-object", "-w", "-t", "commit", &file.display().to_string()]);
    git(&home.path(), &["update-ref", "refs/heads/forged", &forged]);
    let seen = commit(home.app(), &home.owner, home.repository, &forged).await.unwrap();
    assert_eq!((seen.signature, seen.proposal), (SignatureState::Bad, None));
});

both!(only_a_commit_of_a_branch_is_shown_and_only_to_who_may_see_the_repository, db, {
    let home = Home::over(db).await;
    let tip = git(&home.path(), &["rev-parse", "main"]);
    let hidden = git(&home.path(), &["commit-tree", "main^{tree}", "-m", "hidden"]);
    let tree = git(&home.path(), &["rev-parse", "main^{tree}"]);
    let stranger = home.stranger().await;
    for (caller, oid, wanted) in [
        (&home.owner, hidden.as_str(), Code::BranchNotFound),
        (&home.owner, &tree, Code::BranchNotFound),
        (&home.owner, &tip[..10], Code::InvalidArguments),
        (&home.owner, "main", Code::InvalidArguments),
        (&stranger, &tip, Code::NotFound),
        (&home.agent, &tip, Code::AgentScopeDenied),
    ] {
        let refused = commit(home.app(), caller, home.repository, oid).await.unwrap_err();
        assert_eq!(refused.code, wanted, "{oid}");
    }
});
