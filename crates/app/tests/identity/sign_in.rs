//! Signing in: one answer for whatever is wrong, and a delay that grows.

use countersign_app::session::{self, Credentials};
use countersign_core::problem::Code;
use countersign_core::role::MemberRole;
use countersign_store::both;
use countersign_store::testing::person::disable;

use crate::fixture::{ADA, BOB, House, LOOPBACK, PASSWORD, typed};

both!(whatever_is_wrong_the_answer_and_the_work_are_the_same, db, {
    let house = House::open(db.clone()).await;
    house.newcomer(BOB, MemberRole::Viewer).await;
    disable(&db, BOB).await;
    let mut answers = Vec::new();
    for (mail, password) in [(ADA, "wrong horse battery"), ("eve@example.org", PASSWORD), (BOB, PASSWORD)] {
        let before = house.app.passwords.worked();
        answers.push(house.sign_in(mail, password).await.unwrap_err());
        assert_eq!(house.app.passwords.worked() - before, 1, "{mail} costs one hash");
    }
    let long = "a".repeat(1025);
    let odd = [("no address", PASSWORD), (ADA, long.as_str()), ("eve@example.org", &long), (ADA, "")];
    for (n, (mail, password)) in (1..).zip(odd) {
        let answer = session::sign_in(&house.app, [192, 0, 2, n].into(), typed(mail, password)).await;
        answers.push(answer.unwrap_err());
    }
    for answer in &answers {
        assert_eq!((answer.code, answer.body()), (Code::SignInFailed, answers[0].body()));
    }
});

both!(the_right_password_makes_a_session_with_an_open_sudo_window, db, {
    let house = House::open(db).await;
    let signed_in = house.sign_in("ADA@Example.org", PASSWORD).await.unwrap();
    let view = house.view(signed_in.session.reveal()).await.unwrap();
    assert!(session::require_sudo(&view.caller, house.app.now()).is_ok());
    assert_ne!(signed_in.session.reveal(), house.cookie);
});

both!(guesses_from_everywhere_are_slowed_down_per_account_and_waiting_helps, db, {
    let house = House::open(db).await;
    for account in [ADA, "nobody@example.org"] {
        let address = |n: u8| std::net::IpAddr::from([192, 0, 2, n]);
        for n in 0..20 {
            let guess = session::sign_in(&house.app, address(n), typed(account, "wrong horse battery")).await;
            assert_eq!(guess.unwrap_err().code, Code::SignInFailed);
        }
        let before = house.app.passwords.worked();
        for (n, wait) in [(101, 30), (102, 60), (101, 30)] {
            let refused =
                session::sign_in(&house.app, address(n), typed(account, PASSWORD)).await.unwrap_err();
            assert_eq!((refused.code, &refused.facts["retry_after_s"]), (Code::RateLimited, &wait.into()));
        }
        assert_eq!(house.app.passwords.worked(), before, "a refused attempt costs nothing");
        house.test.clock.advance_seconds(60);
        for n in [101, 102] {
            let answer = session::sign_in(&house.app, address(n), typed(account, PASSWORD)).await;
            let code = answer.err().map(|problem| problem.code);
            assert_eq!(code, (account != ADA).then_some(Code::SignInFailed));
        }
    }
});

both!(guesses_are_slowed_down_per_address_over_all_accounts, db, {
    let house = House::open(db).await;
    for n in 0..5 {
        let guess = house.sign_in(&format!("{n}@example.org"), PASSWORD).await;
        assert_eq!(guess.unwrap_err().code, Code::SignInFailed);
    }
    assert_eq!(house.sign_in(ADA, PASSWORD).await.unwrap_err().code, Code::RateLimited);
    let elsewhere = std::net::IpAddr::from([192, 0, 2, 1]);
    session::sign_in(&house.app, elsewhere, typed(ADA, PASSWORD)).await.unwrap();
});

both!(guesses_at_once_are_no_way_around_the_delay, db, {
    let house = House::open(db).await;
    let mut guesses = tokio::task::JoinSet::new();
    for n in 0..20 {
        let (app, guess) =
            (house.app.clone(), Credentials { mail: ADA.to_owned(), password: format!("guess {n}") });
        guesses.spawn(async move { session::sign_in(&app, LOOPBACK, guess).await.unwrap_err().code });
    }
    let codes = guesses.join_all().await;
    assert_eq!(codes.iter().filter(|code| **code == Code::SignInFailed).count(), 5, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == Code::RateLimited).count(), 15, "{codes:?}");
});
