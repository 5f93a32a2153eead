//! An agent searches what it may read.

use countersign_app::repository::search::CodeMatch;
use countersign_app::repository::{SearchRequest, search};
use countersign_app::testing::home::Home;
use countersign_core::problem::Code;
use countersign_store::both;

use crate::work::push;

fn request(home: &Home, query: &str) -> SearchRequest {
    SearchRequest {
        repository: home.repository,
        query: query.to_owned(),
        reference: None,
        path_prefix: None,
        limit: None,
    }
}

both!(a_text_is_found_whatever_its_case_below_a_prefix, db, {
    let home = Home::over(db).await;
    push(&home, "Trees", &[("src/tree.rs", "// Apple\n// pear\n"), ("docs/tree.md", "apple\n")]);
    let below = SearchRequest { path_prefix: Some("/src".into()), ..request(&home, "aPPle") };
    let found = search(home.app(), &home.agent, below).await.unwrap();
    let line = CodeMatch { path: "src/tree.rs".into(), line: 1, text: "// Apple".into() };
    assert_eq!((found.matches, found.truncated), (vec![line], false));
    let one = SearchRequest { limit: Some(1), ..request(&home, "apple") };
    let found = search(home.app(), &home.agent, one).await.unwrap();
    assert_eq!((found.matches.len(), found.truncated), (1, true));
});

both!(a_query_has_its_bounds_and_a_branch_must_exist, db, {
    let home = Home::over(db).await;
    let long = "x".repeat(201);
    for query in ["", "a\nb", &long] {
        let refused = search(home.app(), &home.agent, request(&home, query)).await.unwrap_err();
        assert_eq!(refused.code, Code::InvalidArguments, "{query:?}");
        assert_eq!(refused.facts["field"], "query");
    }
    let elsewhere = SearchRequest { reference: Some("nowhere".into()), ..request(&home, "a") };
    let refused = search(home.app(), &home.agent, elsewhere).await.unwrap_err();
    assert_eq!(refused.code, Code::BranchNotFound);
});
