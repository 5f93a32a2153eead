//! However many branches and tags there are, each can be found, and the default branch is always among them.

use std::fmt::Write as _;

use countersign_app::repository::branches::ROWS;
use countersign_app::repository::view::BranchesView;
use countersign_app::repository::{self, BranchesRequest, BrowseRequest};
use countersign_app::testing::home::Home;
use countersign_store::both;

use crate::work::{git, push};

/// Sets so many refs at once, named after their numbers.
fn set(home: &Home, prefix: &str, oid: &str, count: usize) {
    let packed = home.path().join("packed-refs");
    let mut text = std::fs::read_to_string(&packed).unwrap_or_default();
    text.retain(|c| c != '\r');
    let mut lines: Vec<String> =
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    lines.extend((0..count).map(|number| format!("{oid} {prefix}{number:04}")));
    lines.sort_by(|a, b| a[41..].cmp(&b[41..]));
    let mut sorted = String::from("# pack-refs with: sorted\n");
    for line in lines {
        writeln!(sorted, "{line}").unwrap();
    }
    std::fs::write(packed, sorted).unwrap();
}

async fn seen(home: &Home, part: &str, offset: usize, tags_offset: usize) -> BranchesView {
    let request = BranchesRequest { part: part.into(), offset, tags_offset };
    repository::branches(home.app(), &home.owner, home.repository, request).await.unwrap()
}

fn tags(view: &BranchesView) -> Vec<&str> {
    view.tags.iter().map(|tag| tag.name.as_str()).collect()
}

fn names(view: &BranchesView) -> Vec<&str> {
    view.branches.iter().map(|branch| branch.name.as_str()).collect()
}

both!(beyond_what_a_list_holds_each_branch_and_tag_is_found_by_name, db, {
    let home = Home::over(db).await;
    let tip = push(&home, "Plant", &[("a", "1\n")]);
    set(&home, "refs/heads/a/", &tip, 1100);
    set(&home, "refs/tags/v", &tip, 1100);
    set(&home, "refs/tags/zz", &tip, 1);
    let first = seen(&home, "", 0, 0).await;
    assert_eq!((names(&first)[0], first.branches[0].is_default), ("main", true), "past the thousandth name");
    assert_eq!(first.heading.branches[0], "main");
    assert_eq!((first.tags.len(), first.tags_of.total, first.tags_of.more), (ROWS, 1000, true));
    let second = seen(&home, "", 0, ROWS).await;
    assert!(tags(&second).iter().all(|name| !tags(&first).contains(name)), "the tags have pages");
    for (part, branches, tags_wanted) in [
        ("A/1099", &["a/1099"][..], &[][..]),
        ("v0003", &[], &["v0003"]),
        ("zz", &[], &["zz0000"]),
        ("AIN", &["main"], &[]),
        ("nowhere", &[], &[]),
    ] {
        let view = seen(&home, part, 0, 0).await;
        assert_eq!((names(&view).as_slice(), tags(&view).as_slice()), (branches, tags_wanted), "{part}");
    }
});

both!(what_is_named_whole_is_found_among_thousands_that_hold_its_name, db, {
    let home = Home::over(db).await;
    let tip = push(&home, "Plant", &[("a", "1\n")]);
    set(&home, "refs/heads/0/x", &tip, 1100);
    set(&home, "refs/tags/x", &tip, 1100);
    git(&home.path(), &["branch", "x", &tip]);
    git(&home.path(), &["tag", "x", &tip]);
    let view = seen(&home, "x", 0, 0).await;
    assert!(view.branches_of.more && view.tags_of.more);
    assert_eq!((names(&view)[0], tags(&view)[0]), ("x", "x"));
    assert_eq!((view.branches_of.total, view.tags_of.total), (1001, 1001));
});

both!(a_commit_is_found_behind_any_tag_whatever_its_name_and_number, db, {
    let home = Home::over(db).await;
    let tip = push(&home, "Plant", &[("a", "1\n")]);
    let tree = git(&home.path(), &["rev-parse", "main^{tree}"]);
    let only = git(&home.path(), &["commit-tree", &tree, "-m", "Only tagged"]);
    set(&home, "refs/tags/v", &tip, 1100);
    git(&home.path(), &["tag", "a-first", &only]);
    let request = BrowseRequest { reference: Some(only), ..BrowseRequest::default() };
    repository::browse(home.app(), &home.owner, home.repository, request).await.unwrap();
});
