//! A person looks at a proposal before and after it was decided.

use countersign_app::diff::view::{FileBody, FileChange, Line};
use countersign_app::proposal::view::Reach;
use countersign_app::proposal::{approve, decline, show};
use countersign_app::testing::home::Home;
use countersign_core::problem::Code;
use countersign_core::proposal::ProposalState;
use countersign_core::role::MemberRole;
use countersign_store::both;

use crate::work::{git, propose, push};

both!(what_was_frozen_is_shown_against_its_base_with_the_words_that_it_will_carry, db, {
    let home = Home::over(db).await;
    let base = push(&home, "Base", &[("a.txt", "one\ntwo\n")]);
    let files = [("new.txt", "new\n"), ("a.txt", "one\n2\n")];
    let id = propose(&home, "Change it\n\nProposal: none\nWhy: because", &files).await;
    let seen = show(home.app(), &home.owner, id, Reach::Changes).await.unwrap();
    assert_eq!((seen.row.id, seen.row.state, seen.base_oid), (id, ProposalState::Pending, base));
    assert_eq!(seen.message, "Change it\n\nWhy: because", "look-alikes of our trailers are gone");
    assert!(seen.author.starts_with("Claude (via Ada) <connection-"), "{}", seen.author);
    assert_eq!((seen.needs, seen.refused), (MemberRole::Maintainer, None));
    assert_eq!(seen.guarded, ["the branch main is protected"]);
    assert!(seen.decision.is_none() && seen.moved.is_none() && seen.commit_oid.is_none());
    let changes: Vec<_> = seen.files.iter().map(|file| (file.path.as_str(), file.change)).collect();
    assert_eq!(changes, [("new.txt", FileChange::Added), ("a.txt", FileChange::Modified)]);
    let FileBody::Text(hunks) = &seen.files[1].body else { panic!("{:?}", seen.files) };
    let wanted = [
        Line::Same { old: 1, new: 1, text: "one".into() },
        Line::Removed { old: 2, text: "two".into() },
        Line::Added { new: 2, text: "2".into() },
    ];
    assert_eq!(hunks[0].lines, wanted);
});

both!(its_files_are_shown_whole_to_who_asks, db, {
    let home = Home::over(db).await;
    let text = |twenty: &str| {
        (0..40).fold(String::new(), |text, n| text + &format!("line {n}\n")).replace("20", twenty)
    };
    push(&home, "Base", &[("a.txt", &text("20"))]);
    let id = propose(&home, "Change it", &[("a.txt", &text("twenty"))]).await;
    for (reach, lines) in [(Reach::Changes, 8), (Reach::Whole, 41)] {
        let seen = show(home.app(), &home.owner, id, reach).await.unwrap();
        let FileBody::Text(hunks) = &seen.files[0].body else { panic!("{:?}", seen.files) };
        assert_eq!((hunks.len(), hunks[0].lines.len()), (1, lines), "{reach:?}");
    }
});

both!(one_of_a_repository_that_is_gone_shows_its_facts_and_can_be_declined, db, {
    let home = Home::over(db).await;
    let id = propose(&home, "Orphan", &[("a", "a")]).await;
    std::fs::rename(home.path(), home.path().with_extension("gone")).unwrap();
    let seen = show(home.app(), &home.owner, id, Reach::Changes).await.unwrap();
    assert_eq!((seen.message.as_str(), seen.row.files, seen.files.len()), ("Orphan", 1, 0));
    assert!(seen.refused.is_none() && seen.unreadable.unwrap().contains("backup"));
    decline(home.app(), &home.owner, id, "Gone.".into()).await.unwrap();
});

both!(a_stale_one_shows_what_moved_the_branch, db, {
    let home = Home::over(db).await;
    let id = propose(&home, "Late", &[("a", "a")]).await;
    push(&home, "First", &[("b", "b")]);
    let head = push(&home, "Second\n\nMore", &[("c/d", "d")]);
    assert_eq!(approve(home.app(), &home.owner, id).await.unwrap_err().code, Code::ProposalStale);
    let seen = show(home.app(), &home.owner, id, Reach::Changes).await.unwrap();
    let moved = seen.moved.unwrap();
    assert_eq!((moved.head_oid, moved.more), (head.clone(), false));
    assert_eq!(moved.paths, ["b", "c/d"]);
    let commits: Vec<_> =
        moved.commits.iter().map(|commit| (commit.title.as_str(), commit.author.as_str())).collect();
    assert_eq!(commits.len(), 2);
    assert!(commits.contains(&("Second", "Pat")) && commits.contains(&("First", "Pat")), "{commits:?}");
    assert_eq!(seen.decision.unwrap().by.as_deref(), Some("Ada"));
});

both!(a_decided_one_says_who_decided_and_why, db, {
    let home = Home::over(db).await;
    let (yes, no) = (propose(&home, "Yes", &[("y", "y")]).await, propose(&home, "No", &[("n", "n")]).await);
    let landed = approve(home.app(), &home.owner, yes).await.unwrap().commit;
    decline(home.app(), &home.owner, no, "Not now.".into()).await.unwrap();
    let seen = show(home.app(), &home.owner, yes, Reach::Changes).await.unwrap();
    assert_eq!((seen.row.state, seen.commit_oid), (ProposalState::Executed, landed.clone()));
    assert_eq!(landed.unwrap(), git(&home.path(), &["rev-parse", "main"]));
    let seen = show(home.app(), &home.owner, no, Reach::Changes).await.unwrap();
    let decision = seen.decision.unwrap();
    assert_eq!((decision.by.as_deref(), decision.reason.as_deref()), (Some("Ada"), Some("Not now.")));
});

both!(one_goes_from_each_waiting_one_to_the_next, db, {
    let home = Home::over(db).await;
    let first = propose(&home, "First", &[("1", "1")]).await;
    home.test.clock.advance_seconds(1);
    let second = propose(&home, "Second", &[("2", "2")]).await;
    let seen = show(home.app(), &home.owner, first, Reach::Changes).await.unwrap();
    assert_eq!((seen.previous, seen.next), (None, Some(second)));
    let seen = show(home.app(), &home.owner, second, Reach::Changes).await.unwrap();
    assert_eq!((seen.previous, seen.next), (Some(first), None));
    decline(home.app(), &home.owner, second, String::new()).await.unwrap();
    let seen = show(home.app(), &home.owner, second, Reach::Changes).await.unwrap();
    assert_eq!((seen.previous, seen.next), (None, Some(first)));
});

both!(who_has_no_role_on_the_repository_does_not_learn_of_the_proposal, db, {
    let home = Home::over(db).await;
    let id = propose(&home, "Secret", &[("s", "s")]).await;
    let stranger = home.stranger().await;
    assert_eq!(show(home.app(), &stranger, id, Reach::Changes).await.unwrap_err().code, Code::NotFound);
    assert_eq!(
        show(home.app(), &home.agent, id, Reach::Changes).await.unwrap_err().code,
        Code::AgentScopeDenied
    );
});
