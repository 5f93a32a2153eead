//! People and their places in workspaces.

use countersign_core::role::WorkspaceRole;
use countersign_store::{Inserted, Saved, both, person, workspace};

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

both!(a_password_changes_from_the_one_that_was_seen, db, {
    people(&db).await;
    let save = async |n, seen, hash| {
        db.write(move |t| Box::pin(person::save_password(t, user(n), seen, hash))).await.unwrap()
    };
    assert_eq!(save(ADA, "$other$", "$new$").await, Saved::Changed);
    assert_eq!(save(ADA, "$argon2id$", "$new$").await, Saved::Done(()));
    assert_eq!(save(3, "$argon2id$", "$new$").await, Saved::Missing);
    let hash =
        async |n| db.read(move |t| Box::pin(person::find(t, user(n)))).await.unwrap().unwrap().password_hash;
    assert_eq!((hash(ADA).await, hash(BOB).await), ("$new$".to_owned(), "$argon2id$".to_owned()));
});

both!(a_place_in_a_workspace_of_somebody_else_is_seen, db, {
    people(&db).await;
    let beyond = async |n, owner| {
        db.read(move |t| Box::pin(workspace::has_place_beyond(t, user(n), user(owner)))).await.unwrap()
    };
    assert!(!beyond(BOB, ADA).await, "Bob is in Ada's workspace alone");
    assert!(beyond(ADA, ADA).await, "Ada is a plain member of Away");
    assert!(beyond(BOB, BOB).await, "who owns nothing reaches nobody");
    assert!(!beyond(3, ADA).await);
});
