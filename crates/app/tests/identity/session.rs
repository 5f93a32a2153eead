//! Sessions: how long they last, how they end, the sudo window and the token of forms.

use countersign_app::session::{self, check_csrf, require_sudo};
use countersign_core::problem::Code;
use countersign_store::both;
use countersign_store::testing::table::count;

use crate::fixture::{ADA, House, LOOPBACK, PASSWORD, altered, password};

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

both!(a_session_that_is_not_used_for_twelve_hours_is_over, db, {
    let house = House::open(db).await;
    house.test.clock.advance_seconds(12 * HOUR - 1);
    assert!(house.view(&house.cookie).await.is_some());
    house.test.clock.advance_seconds(12 * HOUR - 1);
    assert!(house.view(&house.cookie).await.is_some(), "each use counts");
    house.test.clock.advance_seconds(12 * HOUR);
    assert!(house.view(&house.cookie).await.is_none());
});

both!(a_session_is_over_after_thirty_days_of_use, db, {
    let house = House::open(db).await;
    for _ in 0..60 {
        house.test.clock.advance_seconds(DAY / 2 - 1);
        assert!(house.view(&house.cookie).await.is_some());
    }
    house.test.clock.advance_seconds(59);
    assert!(house.view(&house.cookie).await.is_some());
    house.test.clock.advance_seconds(1);
    assert!(house.view(&house.cookie).await.is_none());
});

both!(what_is_no_session_signs_nobody_in, db, {
    let house = House::open(db).await;
    let other = altered(&house.cookie);
    for cookie in ["", "cs_ss_", &other, &house.cookie.replace("cs_ss_", "cs_pat_")] {
        assert!(house.view(cookie).await.is_none(), "{cookie}");
    }
});

both!(signing_out_ends_the_session_in_the_store, db, {
    let house = House::open(db).await;
    let other = house.sign_in(ADA, PASSWORD).await.unwrap();
    session::sign_out(&house.app, &house.cookie).await.unwrap();
    assert!(house.view(&house.cookie).await.is_none());
    assert!(house.view(other.session.reveal()).await.is_some(), "other browsers stay signed in");
    session::sign_out(&house.app, &house.cookie).await.unwrap();
});

both!(the_password_again_opens_the_sudo_window_under_a_new_token, db, {
    let house = House::open(db).await;
    house.test.clock.advance_seconds(600);
    let before = house.view(&house.cookie).await.unwrap();
    assert_eq!(require_sudo(&before.caller, house.app.now()).unwrap_err().code, Code::SudoRequired);
    let proved = session::prove(&house.app, LOOPBACK, &house.cookie, password(PASSWORD)).await.unwrap();
    assert!(house.view(&house.cookie).await.is_none(), "the old token is over");
    let after = house.view(proved.session.reveal()).await.unwrap();
    assert!(require_sudo(&after.caller, house.app.now()).is_ok());
    assert_eq!(after.expires_at, before.expires_at);
    assert_ne!(after.viewer.csrf, before.viewer.csrf);
});

both!(a_wrong_password_opens_nothing_and_ends_nothing, db, {
    let house = House::open(db).await;
    house.test.clock.advance_seconds(600);
    let wrong = session::prove(&house.app, LOOPBACK, &house.cookie, password("wrong horse battery")).await;
    assert_eq!(wrong.unwrap_err().code, Code::SignInFailed);
    let view = house.view(&house.cookie).await.unwrap();
    assert_eq!(require_sudo(&view.caller, house.app.now()).unwrap_err().code, Code::SudoRequired);
    let nobody = session::prove(&house.app, LOOPBACK, "cs_ss_", password(PASSWORD)).await;
    assert_eq!(nobody.unwrap_err().code, Code::Unauthenticated);
});

both!(of_two_proofs_at_once_one_goes_on_with_the_session, db, {
    let house = House::open(db.clone()).await;
    let prove = || session::prove(&house.app, LOOPBACK, &house.cookie, password(PASSWORD));
    let (one, two) = tokio::join!(prove(), prove());
    let codes: Vec<_> =
        [one, two].into_iter().filter_map(|answer| answer.err().map(|problem| problem.code)).collect();
    assert_eq!(codes, [Code::Unauthenticated]);
    assert_eq!(count(&db, "session").await, 2, "the old one and one new one");
});

both!(a_form_repeats_the_token_of_its_own_session, db, {
    let house = House::open(db).await;
    let other = house.sign_in(ADA, PASSWORD).await.unwrap();
    let (mine, other) =
        (house.view(&house.cookie).await.unwrap(), house.view(other.session.reveal()).await.unwrap());
    assert!(check_csrf(&mine.viewer, &mine.viewer.csrf).is_ok());
    for given in ["", &other.viewer.csrf, &mine.viewer.csrf[1..]] {
        assert_eq!(check_csrf(&mine.viewer, given).unwrap_err().code, Code::CsrfRefused);
    }
});

both!(sessions_that_are_over_do_not_pile_up, db, {
    let house = House::open(db.clone()).await;
    house.sign_in(ADA, PASSWORD).await.unwrap();
    assert_eq!(count(&db, "session").await, 2);
    house.test.clock.advance_seconds(30 * DAY);
    house.sign_in(ADA, PASSWORD).await.unwrap();
    assert_eq!(count(&db, "session").await, 1);
});

both!(the_last_use_of_a_session_is_known_to_the_minute, db, {
    let house = House::open(db.clone()).await;
    let start = house.app.now();
    for (step, noted) in [(0, 0), (59, 0), (1, 60), (59, 60), (1, 120)] {
        house.test.clock.advance_seconds(step);
        assert!(house.view(&house.cookie).await.is_some());
        let seen = countersign_store::testing::person::seen_at(&db).await;
        assert_eq!(seen, [start.plus_seconds(noted).millis()]);
    }
});
