//! A person browses what they may read: each page behind the gate, and the same answer for what is not theirs.

use countersign_app::repository::view::{AtKind, BlameBody, BrowseBody, BrowseView, FileBody};
use countersign_app::repository::{self, BranchesRequest, BrowseRequest, GrepRequest};
use countersign_app::testing::history::{Change, History, large};
use countersign_app::testing::home::Home;
use countersign_core::caller::Caller;
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_store::both;
use uuid::Uuid;

use crate::work::{approve_one, push};

fn at(reference: Option<&str>, path: &str) -> BrowseRequest {
    BrowseRequest {
        reference: reference.map(str::to_owned),
        path: TreePath::new(path),
        ..BrowseRequest::default()
    }
}

async fn browse(home: &Home, reference: Option<&str>, path: &str) -> Result<BrowseView, Problem> {
    repository::browse(home.app(), &home.owner, home.repository, at(reference, path)).await
}

/// Asks every page of a repository; the code of each refusal, or `None` where it was shown.
async fn every_page(home: &Home, caller: &Caller, id: ResourceId) -> Vec<Option<Problem>> {
    let (app, file) = (home.app(), || at(None, "README.md"));
    let raw = repository::raw(app, caller, id, (None, TreePath::new("README.md")));
    let grep = GrepRequest { query: "x".into(), ..GrepRequest::default() };
    vec![
        repository::browse(app, caller, id, file()).await.err(),
        repository::browse(app, caller, id, at(Some("no..name"), "nothing")).await.err(),
        raw.await.err(),
        repository::blame(app, caller, id, file()).await.err(),
        repository::history(app, caller, id, file()).await.err(),
        repository::branches(app, caller, id, BranchesRequest::default()).await.err(),
        repository::grep(app, caller, id, grep).await.err(),
    ]
}

both!(every_page_is_shown_to_who_may_read_and_to_nobody_else, db, {
    let home = Home::over(db).await;
    let stranger = home.stranger().await;
    let refusals = Box::pin(every_page(&home, &home.owner, home.repository)).await;
    let codes: Vec<Option<Code>> =
        refusals.into_iter().map(|problem| problem.map(|problem| problem.code)).collect();
    assert_eq!(codes, [None, Some(Code::BranchNotFound), None, None, None, None, None]);
    let nowhere = ResourceId::new(Uuid::from_u128(0xdead));
    let foreign = Box::pin(every_page(&home, &stranger, home.repository)).await;
    for (foreign, none) in foreign.into_iter().zip(Box::pin(every_page(&home, &stranger, nowhere)).await) {
        let (foreign, none) = (foreign.unwrap(), none.unwrap());
        assert_eq!(
            (foreign.code, foreign.body()),
            (Code::NotFound, none.body()),
            "nobody learns that it exists"
        );
    }
    for problem in Box::pin(every_page(&home, &home.agent, home.repository)).await {
        assert_eq!(problem.unwrap().code, Code::AgentScopeDenied);
    }
    let of_stranger = repository::overview(home.app(), &stranger, "", 0).await.unwrap();
    assert!(of_stranger.groups.is_empty());
});

both!(a_folder_comes_with_the_last_change_of_each_entry, db, {
    let home = Home::over(db).await;
    push(&home, "Docs", &[("docs/a.md", "one\n"), ("z.txt", "z\n")]);
    let tip = push(&home, "More docs", &[("docs/b.md", "two\n")]);
    let seen = browse(&home, None, "").await.unwrap();
    let BrowseBody::Folder(folder) = &seen.body else { panic!("{seen:?}") };
    let rows: Vec<_> = folder
        .rows
        .iter()
        .map(|row| (row.path.to_string(), row.last.as_ref().unwrap().title.as_str()))
        .collect();
    let wanted = [("docs", "More docs"), ("README.md", "Begin"), ("z.txt", "Docs")];
    let titles: Vec<(String, &str)> =
        wanted.iter().map(|(path, title)| ((*path).to_owned(), *title)).collect();
    assert_eq!(rows[0], titles[0]);
    assert_eq!((rows[1].0.as_str(), &rows[2]), ("README.md", &titles[2]));
    assert_eq!(seen.latest.unwrap().oid.to_string(), tip);
    assert!(folder.readme.as_ref().unwrap().text.as_ref().unwrap().starts_with('#'));
    let at = seen.heading.at.unwrap();
    assert_eq!((at.kind, at.name.as_str(), at.reference), (AtKind::Branch, "main", None));
});

both!(a_state_is_named_by_branch_tag_or_commit_and_links_stay_in_it, db, {
    let home = Home::over(db).await;
    let first = push(&home, "One", &[("a", "1\n")]);
    let mut history = History::default();
    history.commit("topic/a", "Topic", &[(b"a", Change::File(b"2\n"))]);
    history.tag("v1", "topic/a");
    history.plant(home.app(), home.repository).await;
    push(&home, "Three", &[("a", "3\n")]);
    for (reference, wanted, stays) in [
        (None, "3\n", None),
        (Some("main"), "3\n", None),
        (Some("topic/a"), "2\n", Some("topic/a")),
        (Some("refs/heads/topic/a"), "2\n", Some("topic/a")),
        (Some("v1"), "2\n", Some("refs/tags/v1")),
        (Some(first.as_str()), "1\n", Some(first.as_str())),
    ] {
        let seen = browse(&home, reference, "a").await.unwrap();
        let BrowseBody::File(file) = seen.body else { panic!("{reference:?}") };
        let FileBody::Text(lines) = file.body else { panic!("{reference:?}") };
        assert_eq!((lines.text.as_str(), seen.heading.at.unwrap().reference.as_deref()), (wanted, stays));
    }
});

both!(an_approved_commit_is_known_as_signed_by_this_server, db, {
    let home = Home::over(db).await;
    approve_one(&home, "Plant", &[("tree.txt", "oak\n")]).await;
    let seen =
        repository::history(home.app(), &home.owner, home.repository, at(None, "tree.txt")).await.unwrap();
    assert_eq!((seen.commits.len(), seen.commits[0].signed), (1, true));
    push(&home, "By hand", &[("tree.txt", "elm\n")]);
    let seen =
        repository::history(home.app(), &home.owner, home.repository, at(None, "tree.txt")).await.unwrap();
    assert_eq!((seen.commits[0].signed, seen.commits[1].signed), (false, true));
});

both!(a_large_repository_is_browsed_blamed_and_searched, db, {
    let home = Home::over(db).await;
    large(300, 60).plant(home.app(), home.repository).await;
    let seen = browse(&home, None, "src").await.unwrap();
    let BrowseBody::Folder(folder) = seen.body else { panic!("a folder") };
    assert_eq!((folder.total, folder.rows.len()), (7, 7));
    let (app, owner, id) = (home.app(), &home.owner, home.repository);
    let blamed = repository::blame(app, owner, id, at(None, "src/busy.rs")).await.unwrap();
    let BlameBody::Done { lines, runs } = blamed.body else { panic!("a blame") };
    assert_eq!((lines.total, runs.iter().map(|run| run.lines).sum::<usize>()), (62, 62));
    assert!(runs.iter().all(|run| run.commit.is_some()));
    let query =
        GrepRequest { query: "STEP_59(".into(), prefix: "src/part00".into(), ..GrepRequest::default() };
    let found = repository::grep(app, owner, id, query).await.unwrap();
    assert_eq!((found.files.len(), found.truncated), (50, false));
    assert_eq!(found.files[0].hits[0].before.len(), 1);
});
