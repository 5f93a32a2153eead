//! Projects: who makes them, who sees them.

use countersign_app::project::{self, NewProject, Page};
use countersign_core::problem::Code;
use countersign_core::role::MemberRole;
use countersign_store::both;

use crate::fixture::{BOB, House};

fn named(name: &str) -> NewProject {
    NewProject { name: name.to_owned() }
}

both!(only_owners_of_the_workspace_make_projects, db, {
    let house = House::open(db).await;
    let made = project::create(&house.app, &house.ada().await, named("Alpha")).await.unwrap();
    assert_eq!((made.name.as_str(), made.role), ("Alpha", MemberRole::Owner));
    let bob = house.newcomer(BOB, MemberRole::Owner).await;
    let refused = project::create(&house.app, &bob, named("Beta")).await.unwrap_err();
    assert_eq!(refused.code, Code::RoleRequired);
    let token = house.token("api").await;
    project::create(&house.app, &token, named("Beta")).await.unwrap();
    let refused =
        project::create(&house.app, &house.token("repo:write").await, named("Gamma")).await.unwrap_err();
    assert_eq!(refused.code, Code::TokenScopeDenied);
});

both!(a_name_is_taken_once_in_a_workspace, db, {
    let house = House::open(db).await;
    let again = project::create(&house.app, &house.ada().await, named(" General ")).await.unwrap_err();
    assert_eq!(again.code, Code::NameTaken);
    let empty = project::create(&house.app, &house.ada().await, named("")).await.unwrap_err();
    assert_eq!(empty.code, Code::InvalidArguments);
});

both!(people_see_the_projects_in_which_they_have_a_role, db, {
    let house = House::open(db).await;
    let ada = house.ada().await;
    for name in ["Beta", "Alpha"] {
        project::create(&house.app, &ada, named(name)).await.unwrap();
    }
    let bob = house.newcomer(BOB, MemberRole::Editor).await;
    let list = project::list(&house.app, &bob, Page::default()).await.unwrap();
    let seen: Vec<_> = list.projects.iter().map(|project| (project.name.as_str(), project.role)).collect();
    assert_eq!(seen, [("General", MemberRole::Editor)]);
    let first = project::list(&house.app, &ada, Page { limit: 2, offset: 0 }).await.unwrap();
    let names: Vec<_> = first.projects.iter().map(|project| project.name.as_str()).collect();
    assert_eq!((names, first.next_offset), (vec!["Alpha", "Beta"], Some(2)));
    let last = project::list(&house.app, &ada, Page { limit: 2, offset: 2 }).await.unwrap();
    assert_eq!((last.projects.len(), last.next_offset), (1, None));
    for page in [Page { limit: 0, offset: 0 }, Page { limit: 101, offset: 0 }, Page { limit: 1, offset: -1 }]
    {
        let refused = project::list(&house.app, &ada, page).await.unwrap_err();
        assert_eq!(refused.code, Code::InvalidArguments, "{page:?}");
    }
});
