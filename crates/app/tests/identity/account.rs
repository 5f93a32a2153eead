//! One's own account: another password, and where one is signed in.

use countersign_app::person::change_password;
use countersign_app::session::view::Which;
use countersign_app::session::{open_sessions, sign_out_elsewhere};
use countersign_core::problem::Code;
use countersign_store::both;

use crate::fixture::{ADA, House, NEXT, PASSWORD};

both!(another_password_ends_every_other_session, db, {
    let house = House::open(db).await;
    let other = house.sign_in(ADA, PASSWORD).await.unwrap();
    let ada = house.ada().await;
    change_password(&house.app, &ada, &house.cookie, NEXT.to_owned()).await.unwrap();
    assert!(house.view(&house.cookie).await.is_some());
    assert!(house.view(other.session.reveal()).await.is_none());
    assert_eq!(house.sign_in(ADA, PASSWORD).await.unwrap_err().code, Code::SignInFailed);
    assert!(house.sign_in(ADA, NEXT).await.is_ok());
});

both!(another_password_takes_the_sudo_window_and_keeps_the_rules, db, {
    let house = House::open(db).await;
    let ada = house.ada().await;
    let short = change_password(&house.app, &ada, &house.cookie, "too short".to_owned()).await.unwrap_err();
    assert_eq!((short.code, &short.facts["field"]), (Code::InvalidArguments, &"password".into()));
    house.test.clock.advance_seconds(600);
    let late = change_password(&house.app, &ada, &house.cookie, NEXT.to_owned()).await.unwrap_err();
    assert_eq!(late.code, Code::SudoRequired);
    assert!(house.sign_in(ADA, PASSWORD).await.is_ok());
});

both!(of_two_new_passwords_at_once_one_counts, db, {
    let house = House::open(db).await;
    let ada = house.ada().await;
    let change = |text: &str| change_password(&house.app, &ada, &house.cookie, text.to_owned());
    let third = "horse staple correct";
    let (one, two) = tokio::join!(change(NEXT), change(third));
    let works = [house.sign_in(ADA, NEXT).await.is_ok(), house.sign_in(ADA, third).await.is_ok()];
    assert_eq!(works, [one.is_ok(), two.is_ok()]);
    assert_ne!(one.is_ok(), two.is_ok());
});

both!(a_person_sees_where_they_are_signed_in_and_ends_it_everywhere_else, db, {
    let house = House::open(db).await;
    house.test.clock.advance_seconds(120);
    let other = house.sign_in(ADA, PASSWORD).await.unwrap();
    let ada = house.ada().await;
    let open = open_sessions(&house.app, &ada, &house.cookie).await.unwrap();
    let which: Vec<_> = open.iter().map(|session| session.which).collect();
    assert_eq!(which, [Which::Other, Which::This]);
    sign_out_elsewhere(&house.app, &ada, &house.cookie).await.unwrap();
    assert!(house.view(other.session.reveal()).await.is_none());
    assert!(house.view(&house.cookie).await.is_some());
    let open = open_sessions(&house.app, &ada, &house.cookie).await.unwrap();
    assert_eq!(open.iter().map(|session| session.which).collect::<Vec<_>>(), [Which::This]);
});
