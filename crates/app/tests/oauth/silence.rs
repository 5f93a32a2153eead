//! Documents whose host is silent, took them back, or may not be asked: what serves then, and for whom.

use countersign_app::oauth;
use countersign_core::problem::Code;
use countersign_fetch::testing::{Answer, PUBLIC};
use countersign_store::both;

use crate::document::{CLIENT, DAY, Host, document, look};
use crate::world::{ALL, REDIRECT, World};

both!(while_its_host_is_silent_an_old_document_serves_for_a_week_and_an_unknown_one_not_at_all, db, {
    let w = World::over(db).await;
    let host = Host::of(&w).await;
    assert_eq!(look(&w, CLIENT).await.as_deref(), Ok("App"));
    host.says(Answer::http("503 U", "", b""));
    w.t.clock.advance_seconds(6 * DAY);
    assert_eq!(look(&w, CLIENT).await.as_deref(), Ok("App"));
    assert_eq!(host.fetched(), 2, "it was asked again");
    assert_eq!(look(&w, "https://app.example/unknown.json").await, Err(Code::ClientDocumentUnavailable));
    // The name may lead nowhere.
    drop(host);
    w.t.clock.advance_seconds(60);
    assert_eq!(look(&w, CLIENT).await.as_deref(), Ok("App"));
    w.t.clock.advance_seconds(DAY);
    assert_eq!(look(&w, CLIENT).await, Err(Code::ClientDocumentUnavailable));
    oauth::sweep(&w.app).await.unwrap();
    assert!(w.text("SELECT client_id FROM client_document").await.is_empty());
});

both!(what_its_host_took_back_is_not_brought_up_by_a_later_silence, db, {
    let w = World::over(db).await;
    let host = Host::of(&w).await;
    for said in [
        Answer::http("404 N", "", b""),
        Answer::http("302 F", "location: https://app.example/x\r\n", b""),
        Answer::json("[]"),
    ] {
        host.says(Answer::json(document(CLIENT, "App", REDIRECT)));
        w.t.clock.advance_seconds(2 * DAY);
        assert_eq!(look(&w, CLIENT).await.as_deref(), Ok("App"));
        w.t.clock.advance_seconds(2 * DAY);
        host.says(said);
        assert!(look(&w, CLIENT).await.is_err());
        host.says(Answer::http("503 U", "", b""));
        assert_eq!(look(&w, CLIENT).await, Err(Code::ClientDocumentUnavailable), "it does not come back");
    }
    // Nor when the name leads inside meanwhile.
    host.says(Answer::json(document(CLIENT, "App", REDIRECT)));
    w.t.clock.advance_seconds(60);
    assert_eq!(look(&w, CLIENT).await.as_deref(), Ok("App"));
    w.t.clock.advance_seconds(2 * DAY);
    w.t.outside.name("app.example", &[&["10.0.0.1"]]);
    assert_eq!(look(&w, CLIENT).await, Err(Code::ClientDocumentUnavailable));
    w.t.outside.name("app.example", &[&[PUBLIC]]);
    host.says(Answer::http("503 U", "", b""));
    assert_eq!(look(&w, CLIENT).await, Err(Code::ClientDocumentUnavailable));
});

both!(a_budget_of_ours_that_is_used_up_is_no_silence_and_forgets_nothing, db, {
    let w = World::over(db).await;
    let host = Host::of(&w).await;
    assert_eq!(look(&w, CLIENT).await.as_deref(), Ok("App"));
    w.t.clock.advance_seconds(2 * DAY);
    for n in 0..5 {
        assert!(look(&w, &format!("https://app.example/{n}.json")).await.is_err());
    }
    assert_eq!(look(&w, CLIENT).await, Err(Code::RateLimited));
    w.t.clock.advance_seconds(60);
    host.says(Answer::http("503 U", "", b""));
    assert_eq!(look(&w, CLIENT).await.as_deref(), Ok("App"));
});

both!(a_hundred_paths_of_one_host_are_a_budget_of_five_for_their_person_and_take_nothing_from_others, db, {
    let w = World::over(db).await;
    let host = Host::of(&w).await;
    host.says(Answer::http("404 N", "", b""));
    let mut stopped = 0;
    for n in 0..100 {
        let answer = look(&w, &format!("https://app.example/{n}.json")).await.unwrap_err();
        stopped += usize::from(answer == Code::RateLimited);
    }
    assert_eq!((host.fetched(), stopped), (5, 95));
    let handle = w.ask("https://app.example/bob.json", ALL).await;
    let bob = w.look(&w.bob, &handle).await.unwrap_err();
    assert_eq!((bob.code, host.fetched()), (Code::ClientDocumentUnavailable, 6), "Bob is served");
    w.t.clock.advance_seconds(60);
    host.says(Answer::json(document(CLIENT, "App", REDIRECT)));
    assert_eq!(look(&w, CLIENT).await.as_deref(), Ok("App"));
});
