//! Projects and roles in them.

use countersign_core::role::MemberRole;
use countersign_store::project::{self, Project, ProjectMember, Window};
use countersign_store::{ByName, Saved, both};

use crate::fixture::{ADA, AWAY, BOB, HOME, id, insert_all, people, project as project_id, space, user};

both!(a_person_sees_the_projects_in_which_they_have_a_role, db, {
    people(&db).await;
    db.write(|t| {
        Box::pin(async move {
            for (n, workspace, name) in [(20, HOME, "Beta"), (21, HOME, "Alpha"), (22, AWAY, "Gamma")] {
                let name = name.to_owned();
                Project { id: id(n), workspace_id: id(workspace), name, created_at: 4 }.insert(t).await?;
            }
            let role = "editor".to_owned();
            ProjectMember { project_id: id(20), user_id: id(BOB), role, created_at: 5 }.insert(t).await
        })
    })
    .await
    .unwrap();
    let list = async |n, limit, offset| {
        let window = Window { limit, offset };
        let rows =
            db.read(move |t| Box::pin(project::list_for(t, space(HOME), user(n), window))).await.unwrap();
        rows.into_iter().map(|(_, name, place, role, _)| (name, place, role)).collect::<Vec<_>>()
    };
    let row = |name: &str, place: &str, role: Option<&str>| {
        (name.to_owned(), place.to_owned(), role.map(str::to_owned))
    };
    assert_eq!(list(ADA, 9, 0).await, [row("Alpha", "owner", None), row("Beta", "owner", None)]);
    assert_eq!(list(ADA, 1, 1).await, [row("Beta", "owner", None)]);
    assert_eq!(list(BOB, 9, 0).await, [row("Beta", "member", Some("editor"))]);
});

both!(a_role_changes_from_the_one_that_was_seen, db, {
    people(&db).await;
    db.write(|t| {
        Box::pin(async move {
            let name = "Beta".to_owned();
            Project { id: id(20), workspace_id: id(HOME), name, created_at: 4 }.insert(t).await?;
            let role = "viewer".to_owned();
            ProjectMember { project_id: id(20), user_id: id(BOB), role, created_at: 5 }.insert(t).await
        })
    })
    .await
    .unwrap();
    let save = async |n, seen, role| {
        db.write(move |t| Box::pin(project::save_role(t, (project_id(20), user(n)), seen, role)))
            .await
            .unwrap()
    };
    assert_eq!(save(BOB, MemberRole::Editor, MemberRole::Owner).await, Saved::Changed);
    assert_eq!(save(BOB, MemberRole::Viewer, MemberRole::Owner).await, Saved::Done(()));
    assert_eq!(save(ADA, MemberRole::Viewer, MemberRole::Owner).await, Saved::Missing);
    let row =
        db.read(|t| Box::pin(project::find_member(t, project_id(20), user(BOB)))).await.unwrap().unwrap();
    assert_eq!(row.role, "owner");
});

both!(the_members_of_a_project_are_listed_by_name, db, {
    people(&db).await;
    let project =
        |n, name: &str| Project { id: id(n), workspace_id: id(HOME), name: name.to_owned(), created_at: 4 };
    insert_all!(db, [project(20, "Beta"), project(21, "Alpha")]);
    let member = |project, n, role: &str| ProjectMember {
        project_id: id(project),
        user_id: id(n),
        role: role.to_owned(),
        created_at: 5,
    };
    insert_all!(db, [member(20, BOB, "editor"), member(20, ADA, "owner"), member(21, ADA, "viewer")]);
    let list = async |limit| {
        db.read(move |t| Box::pin(project::list_members(t, project_id(20), ByName::start(), limit)))
            .await
            .unwrap()
    };
    let row = |n, mail: &str, role: &str| (id(n), "Ada".to_owned(), mail.to_owned(), role.to_owned());
    let all = [row(ADA, "ADA@X.ORG", "owner"), row(BOB, "BOB@X.ORG", "editor")];
    assert_eq!(list(9).await, all);
    assert_eq!(list(1).await, all[..1]);
});

both!(a_page_of_projects_begins_behind_one_whatever_came_and_went, db, {
    people(&db).await;
    let project =
        |n, name: &str| Project { id: id(n), workspace_id: id(HOME), name: name.to_owned(), created_at: 4 };
    insert_all!(db, [project(20, "Alpha"), project(21, "Beta"), project(22, "Delta")]);
    let page = async |name: &str, n| {
        let behind = ByName { name: name.to_owned(), id: id(n) };
        let whose = (space(HOME), user(ADA));
        let rows = db.read(move |t| Box::pin(project::page_for(t, whose, behind, 2))).await.unwrap();
        rows.into_iter().map(|(_, name, ..)| name).collect::<Vec<_>>()
    };
    assert_eq!(page("", 0).await, ["Alpha", "Beta"]);
    insert_all!(db, [project(23, "Aleph"), project(24, "Gamma")]);
    assert_eq!(page("Beta", 21).await, ["Delta", "Gamma"]);
});
