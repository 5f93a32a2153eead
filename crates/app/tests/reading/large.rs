//! One commit that is too large, or one that is damaged, is no hindrance to reading the rest of a repository.

use countersign_app::repository::view::{BlameBody, BrowseBody};
use countersign_app::repository::{self, BranchesRequest, BrowseRequest};
use countersign_app::testing::home::Home;
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::problem::Code;
use countersign_store::both;

use crate::work::{git, push};

fn at(path: &str) -> BrowseRequest {
    BrowseRequest { path: TreePath::new(path), ..BrowseRequest::default() }
}

both!(a_commit_with_a_message_of_megabytes_breaks_no_page_but_its_own, db, {
    let home = Home::over(db).await;
    push(&home, "Plant", &[("a", "1\n")]);
    let work = home.test.folder.path().join("work");
    let message = home.test.folder.path().join("message");
    std::fs::write(&message, format!("Long one\n\n{}", "x".repeat(2 << 20))).unwrap();
    std::fs::write(work.join("a"), "2\n").unwrap();
    git(&work, &["commit", "--quiet", "-a", "-F", &message.display().to_string()]);
    git(&work, &["push", "--quiet", "origin", "HEAD:main"]);
    let long = git(&work, &["rev-parse", "HEAD"]);
    let (app, owner, id) = (home.app(), &home.owner, home.repository);
    let seen = repository::browse(app, owner, id, at("")).await.unwrap();
    let BrowseBody::Folder(folder) = &seen.body else { panic!("{seen:?}") };
    assert_eq!(folder.rows.len(), 2, "what changed last is beside it where it was found in time");
    let seen = repository::branches(app, owner, id, BranchesRequest::default()).await.unwrap();
    assert_eq!(seen.branches[0].last.as_ref().unwrap().title, "Long one");
    let seen = repository::history(app, owner, id, at("")).await.unwrap();
    let titles: Vec<&str> = seen.commits.iter().map(|commit| commit.title.as_str()).collect();
    assert_eq!(titles, ["Long one", "Plant", "Begin with a README"]);
    let seen = repository::blame(app, owner, id, at("a")).await.unwrap();
    let BlameBody::Done { runs, .. } = seen.body else { panic!("{seen:?}") };
    assert_eq!(runs[0].commit.as_ref().unwrap().title, "Long one");
    let seen = repository::overview(app, owner, "", 0).await.unwrap();
    assert_eq!(seen.groups[0].rows[0].last.as_ref().unwrap().title, "Long one");
    let refused = repository::commit(app, owner, id, &long).await.unwrap_err();
    assert_eq!(refused.code, Code::ContentTooLarge);
});

both!(a_folder_is_shown_where_its_last_changes_cannot_be_read, db, {
    let home = Home::over(db).await;
    push(&home, "Plant", &[("a", "1\n")]);
    push(&home, "Water", &[("b", "1\n")]);
    let tree = git(&home.path(), &["rev-parse", "main~1^{tree}"]);
    std::fs::remove_file(home.path().join("objects").join(&tree[..2]).join(&tree[2..])).unwrap();
    let (app, owner, id) = (home.app(), &home.owner, home.repository);
    let seen = repository::browse(app, owner, id, at("")).await.unwrap();
    let BrowseBody::Folder(folder) = &seen.body else { panic!("{seen:?}") };
    assert_eq!(folder.rows.len(), 3);
    assert!(folder.rows.iter().all(|row| row.last.is_none()) && seen.latest.is_none());
});
