//! People and their places in workspaces.

use countersign_core::role::WorkspaceRole;
use countersign_store::{Inserted, both, person, workspace};

use crate::fixture::{ADA, AWAY, BOB, HOME, account, id, people, space, user};

both!(a_person_is_found_by_the_folded_mail_address, db, {
    people(&db).await;
    let found = db.read(|t| Box::pin(person::find_by_mail(t, "ada@x.org"))).await.unwrap().unwrap();
    assert_eq!((found.id, found.mail.as_str()), (id(ADA), "ADA@X.ORG"));
    assert_eq!(db.read(|t| Box::pin(person::find_by_mail(t, "ADA@X.ORG"))).await.unwrap(), None);
    let same = db.read(|t| Box::pin(person::find(t, user(BOB)))).await.unwrap().unwrap();
    assert_eq!(same.mail_key, "bob@x.org");
    let again = db.write(|t| Box::pin(async move { account(3, "ada@x.org").insert_once(t).await })).await;
    assert_eq!(again.unwrap(), Inserted::Existed);
});

both!(a_person_has_one_place_in_each_workspace, db, {
    people(&db).await;
    let role =
        async |w, u| db.read(move |t| Box::pin(workspace::find_role(t, space(w), user(u)))).await.unwrap();
    assert_eq!(role(HOME, ADA).await, Some(WorkspaceRole::Owner));
    assert_eq!(role(AWAY, ADA).await, Some(WorkspaceRole::Member));
    assert_eq!(role(AWAY, BOB).await, None);
    let first = async |u| db.read(move |t| Box::pin(workspace::first_of(t, user(u)))).await.unwrap();
    assert_eq!((first(ADA).await, first(3).await), (Some(space(HOME)), None));
    let found = db.read(|t| Box::pin(workspace::find(t, space(AWAY)))).await.unwrap().unwrap();
    assert_eq!(found.slug, "away");
});
