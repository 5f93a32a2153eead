//! An agent reads what it was granted, at a commit that a branch leads to, a page at a time.

use countersign_app::repository::read::TreeKind;
use countersign_app::repository::{Change, Contents, ReadRequest, change, read};
use countersign_app::testing::home::Home;
use countersign_core::problem::{Code, Problem};
use countersign_store::both;

use crate::work::{git, push};

async fn asked(home: &Home, reference: Option<&str>, path: &str) -> Result<Contents, Problem> {
    let request = ReadRequest {
        repository: home.repository,
        reference: reference.map(str::to_owned),
        path: Some(path.to_owned()),
        offset: 0,
        limit: None,
    };
    read(home.app(), &home.agent, request).await
}

fn code<T>(result: Result<T, Problem>) -> Option<Code> {
    result.err().map(|problem| problem.code)
}

both!(a_repository_reads_from_its_root_at_the_tip_of_its_default_branch, db, {
    let home = Home::over(db).await;
    let tip = push(&home, "Docs", &[("docs/a.md", "one\ntwo\n")]);
    let root = asked(&home, None, "").await.unwrap();
    assert_eq!((root.name.as_str(), root.default_branch.as_str()), ("orchard", "main"));
    assert_eq!((root.head_oid.to_string(), root.branches.join(" ")), (tip, "main".to_owned()));
    let entries = root.tree.unwrap();
    let entries: Vec<_> = entries.iter().map(|entry| (entry.name.as_str(), entry.kind, entry.size)).collect();
    assert_eq!(entries, [("README.md", TreeKind::File, Some(10)), ("docs", TreeKind::Folder, None)]);
    assert!(root.file.is_none() && !root.truncated && root.next_offset.is_none());
});

both!(a_file_comes_some_lines_at_a_time_and_says_how_to_go_on, db, {
    let home = Home::over(db).await;
    let text: String = (1..=1000).fold(String::new(), |text, n| text + &n.to_string() + "\n");
    push(&home, "Long", &[("long.txt", &text)]);
    let (mut offset, mut seen, mut pages) = (0, String::new(), 0);
    loop {
        let request = ReadRequest {
            repository: home.repository,
            reference: None,
            path: Some("long.txt".into()),
            offset,
            limit: Some(9999),
        };
        let contents = read(home.app(), &home.agent, request).await.unwrap();
        let file = contents.file.unwrap();
        assert_eq!((file.from, file.total_lines, file.binary), (offset + 1, 1000, false));
        assert!(file.to - file.from < 400, "more lines than a page holds");
        assert_eq!(contents.truncated, contents.next_offset.is_some());
        seen += &file.text;
        pages += 1;
        match contents.next_offset {
            Some(next) => offset = next,
            None => break,
        }
    }
    assert_eq!((seen, pages), (text, 3));
});

both!(a_page_of_a_folder_says_how_to_go_on, db, {
    let home = Home::over(db).await;
    let files: Vec<String> = (0..5).map(|n| format!("many/{n}")).collect();
    push(&home, "Many", &files.iter().map(|path| (path.as_str(), "x")).collect::<Vec<_>>());
    let page = |offset| ReadRequest {
        repository: home.repository,
        reference: None,
        path: Some("many".into()),
        offset,
        limit: Some(3),
    };
    let first = read(home.app(), &home.agent, page(0)).await.unwrap();
    assert_eq!((first.tree.unwrap().len(), first.truncated, first.next_offset), (3, true, Some(3)));
    let last = read(home.app(), &home.agent, page(3)).await.unwrap();
    assert_eq!((last.tree.unwrap().len(), last.truncated, last.next_offset), (2, false, None));
});

both!(an_older_commit_reads_as_it_was, db, {
    let home = Home::over(db).await;
    let old = push(&home, "Old", &[("a", "old\n")]);
    push(&home, "New", &[("a", "new\n")]);
    let text = |contents: Contents| contents.file.unwrap().text;
    assert_eq!(text(asked(&home, Some("main"), "a").await.unwrap()), "new\n");
    let seen = asked(&home, Some(&old), "a").await.unwrap();
    assert_eq!((seen.head_oid.to_string(), text(seen)), (old, "old\n".to_owned()));
});

both!(what_no_branch_leads_to_cannot_be_read_by_its_id, db, {
    let home = Home::over(db).await;
    push(&home, "One", &[("secret", "not approved\n")]);
    let hidden = git(&home.path(), &["commit-tree", "main^{tree}", "-m", "hidden"]);
    git(&home.path(), &["update-ref", "refs/proposals/1", &hidden]);
    assert_eq!(code(asked(&home, Some(&hidden), "secret").await), Some(Code::BranchNotFound));
    let blob = git(&home.path(), &["rev-parse", "main:secret"]);
    assert_eq!(code(asked(&home, Some(&blob), "").await), Some(Code::BranchNotFound));
});

both!(what_is_not_there_is_refused_with_what_to_do, db, {
    let home = Home::over(db).await;
    for (reference, path, wanted) in [
        (Some("nowhere"), "", Code::BranchNotFound),
        (None, "nothing.txt", Code::PathNotFound),
        (None, "../orchard.git/config", Code::PathNotFound),
        (Some("main~1"), "", Code::InvalidArguments),
        (Some("HEAD"), "", Code::InvalidArguments),
        (Some("refs/proposals/1"), "", Code::InvalidArguments),
    ] {
        assert_eq!(code(asked(&home, reference, path).await), Some(wanted), "{reference:?} {path}");
    }
});

both!(a_repository_is_read_only_as_long_as_it_is_granted_and_switched_on, db, {
    let home = Home::over(db).await;
    let (app, owner, id) = (home.app(), &home.owner, home.repository);
    assert!(asked(&home, None, "").await.is_ok());
    let switch = |on| Change { gitnest: Some(on), ..Change::default() };
    change(app, owner, id, switch(false)).await.unwrap();
    assert_eq!(code(asked(&home, None, "").await), Some(Code::NotInProject));
    change(app, owner, id, switch(true)).await.unwrap();
    let away = Change { project: Some(home.house.other_project), ..Change::default() };
    change(app, owner, id, away).await.unwrap();
    assert_eq!(code(asked(&home, None, "").await), Some(Code::NotInProject));
    let person = ReadRequest { repository: id, reference: None, path: None, offset: 0, limit: None };
    assert_eq!(code(read(app, owner, person).await), Some(Code::Unauthenticated));
});

both!(a_note_is_no_repository, db, {
    let home = Home::over(db).await;
    let note =
        ReadRequest { repository: home.house.resource, reference: None, path: None, offset: 0, limit: None };
    assert_eq!(code(read(home.app(), &home.agent, note).await), Some(Code::NotFound));
});
