//! The one-time link: one winner, gone ever after.

use std::os::unix::fs::PermissionsExt as _;

use countersign_app::setup::{self, Claim};
use countersign_app::testing::TestApp;
use countersign_core::problem::Code;
use countersign_core::role::{MemberRole, WorkspaceRole};
use countersign_store::both;
use countersign_store::testing::table::count;

use crate::fixture::{ADA, House, PASSWORD, altered, claim, offer};

both!(of_many_claims_at_once_one_wins, db, {
    let test = TestApp::over(db.clone()).await;
    let token = offer(&test).await;
    let mut claims = tokio::task::JoinSet::new();
    for n in 0..12 {
        let (app, mail) = (test.app.clone(), format!("{n}@example.org"));
        let input = Claim { mail, workspace_slug: format!("engines-{n}"), ..claim(&token) };
        claims.spawn(
            async move { setup::claim(&app, input).await.map(|_| ()).map_err(|problem| problem.code) },
        );
    }
    let answers = claims.join_all().await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|answer| **answer == Err(Code::NotFound)).count(), 11, "{answers:?}");
    for table in ["person", "workspace", "workspace_member", "project", "session"] {
        assert_eq!(count(&db, table).await, 1, "{table}");
    }
});

both!(a_used_link_is_not_found_ever_after, db, {
    let test = TestApp::over(db.clone()).await;
    let file = test.folder.path().join("setup-token");
    let token = offer(&test).await;
    assert!(setup::is_open(&test.app).await.unwrap());
    setup::claim(&test.app, claim(&token)).await.unwrap();
    let again = setup::claim(&test.app, claim(&token)).await.unwrap_err();
    assert_eq!(again.code.status(), 404);
    assert!(!setup::is_open(&test.app).await.unwrap());
    assert!(!file.exists(), "the used token is not kept");
    assert!(setup::offer(&test.app, &file).await.unwrap().is_none());
    assert!(!file.exists());
});

both!(whoever_does_not_hold_the_link_finds_nothing_and_costs_no_hash, db, {
    let test = TestApp::over(db.clone()).await;
    let early = setup::claim(&test.app, claim("cs_st_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")).await;
    let token = offer(&test).await;
    let other = altered(&token);
    let mut answers = vec![early.unwrap_err()];
    for text in ["", "cs_st_", &other, &token.replace("cs_st_", "cs_ss_")] {
        answers.push(setup::claim(&test.app, claim(text)).await.unwrap_err());
    }
    for answer in &answers {
        assert_eq!(answer.body(), answers[0].body());
    }
    assert_eq!((answers[0].code.status(), test.app.passwords.worked()), (404, 0));
    assert_eq!(count(&db, "person").await, 0);
});

both!(what_breaks_a_rule_is_refused_and_leaves_the_link_open, db, {
    let test = TestApp::over(db.clone()).await;
    let token = offer(&test).await;
    let wrong = [
        ("mail", Claim { mail: "ada".to_owned(), ..claim(&token) }),
        ("name", Claim { name: String::new(), ..claim(&token) }),
        ("password", Claim { password: "short".to_owned(), ..claim(&token) }),
        ("workspace_name", Claim { workspace_name: "\u{202e}".to_owned(), ..claim(&token) }),
        ("workspace_slug", Claim { workspace_slug: "Engines".to_owned(), ..claim(&token) }),
    ];
    for (field, input) in wrong {
        let problem = setup::claim(&test.app, input).await.unwrap_err();
        assert_eq!((problem.code, &problem.facts["field"]), (Code::InvalidArguments, &field.into()));
    }
    assert_eq!(count(&db, "person").await, 0);
    setup::claim(&test.app, claim(&token)).await.unwrap();
});

both!(the_link_stands_in_a_file_of_its_owners_and_the_next_start_shows_it_again, db, {
    let test = TestApp::over(db.clone()).await;
    let file = test.folder.path().join("setup-token");
    let first = offer(&test).await;
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read_to_string(&file).unwrap().trim(), first);
    assert_eq!(offer(&test).await, first);
    std::fs::remove_file(&file).unwrap();
    let second = offer(&test).await;
    assert_ne!(second, first);
    assert_eq!(setup::claim(&test.app, claim(&first)).await.unwrap_err().code, Code::NotFound);
    setup::claim(&test.app, claim(&second)).await.unwrap();
});

both!(the_first_person_owns_a_workspace_with_one_project_and_is_signed_in, db, {
    let house = House::open(db).await;
    let view = house.view(&house.cookie).await.unwrap();
    assert_eq!((view.viewer.mail.as_str(), view.viewer.name.as_str()), (ADA, "Ada Lovelace"));
    assert_eq!((view.viewer.workspace_name.as_str(), view.viewer.role), ("Engines", WorkspaceRole::Owner));
    let page = countersign_app::project::Page::default();
    let list = countersign_app::project::list(&house.app, &view.caller, page).await.unwrap();
    assert_eq!(list.projects.len(), 1);
    assert_eq!((list.projects[0].name.as_str(), list.projects[0].role), ("General", MemberRole::Owner));
    house.sign_in(ADA, PASSWORD).await.unwrap();
});
