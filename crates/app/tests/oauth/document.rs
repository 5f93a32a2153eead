//! Clients by their metadata document: fetched for a signed-in person alone, once, kept by its headers, and pinned.

use std::sync::{Arc, Mutex};

use countersign_app::consent::view::Identity;
use countersign_app::oauth::{self, AuthorizeFailure};
use countersign_core::oauth::authorize::Browser;
use countersign_core::oauth::refusal::OAuthError;
use countersign_core::problem::Code;
use countersign_fetch::testing::{Answer, PUBLIC, Site};
use countersign_store::both;
use serde_json::json;

use crate::world::{ALL, REDIRECT, Tokens, World, parameter, refresh_form, refused, register, request};

pub(crate) const CLIENT: &str = "https://app.example/client.json";
pub(crate) const DAY: i64 = 24 * 60 * 60;

pub(crate) fn document(id: &str, name: &str, redirect_uri: &str) -> String {
    json!({ "client_id": id, "client_name": name, "redirect_uris": [redirect_uri] }).to_string()
}

/// A host whose answer the test changes.
pub(crate) struct Host {
    site: Site,
    answer: Arc<Mutex<Answer>>,
}

impl Host {
    pub(crate) async fn of(w: &World) -> Self {
        let answer = Arc::new(Mutex::new(Answer::json(document(CLIENT, "App", REDIRECT))));
        let given = Arc::clone(&answer);
        let site = w.t.outside.site("app.example", PUBLIC, move |_| given.lock().unwrap().clone()).await;
        Self { site, answer }
    }

    pub(crate) fn says(&self, answer: Answer) {
        *self.answer.lock().unwrap() = answer;
    }

    pub(crate) fn fetched(&self) -> usize {
        self.site.requests().len()
    }
}

/// Whether Ann is asked about the client now, or what she is told instead. Her session does not rest while the clock
/// goes on.
pub(crate) async fn look(w: &World, client: &str) -> Result<String, Code> {
    w.change("UPDATE session SET seen_at = 9000000000000").await;
    look_at_once(w, client).await
}

/// The same by several at once, while the clock stands still.
async fn look_at_once(w: &World, client: &str) -> Result<String, Code> {
    let handle = w.ask(client, ALL).await;
    w.look(&w.ann, &handle).await.map(|view| view.client).map_err(|problem| problem.code)
}

both!(a_document_is_fetched_when_a_signed_in_person_looks_and_not_before, db, {
    let w = World::over(db).await;
    let host = Host::of(&w).await;
    let handle = w.ask(CLIENT, ALL).await;
    assert_eq!((host.site.connections(), w.t.outside.asked("app.example")), (0, 0));
    let view = w.look(&w.ann, &handle).await.unwrap();
    assert_eq!((view.client.as_str(), view.identity), ("App", Identity::Domain("app.example".to_owned())));
    let url = w.decide(&w.ann, &handle, w.yes(ALL)).await.unwrap();
    let code = parameter(&url, "code").unwrap();
    let tokens = Tokens::of(&w.exchange(CLIENT, &code).await.unwrap_or_else(|error| panic!("{error}")));
    assert!(w.call(&tokens.access).await.is_ok());
    oauth::token(&w.app, &refresh_form(CLIENT, &tokens.refresh))
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(host.fetched(), 1, "once, and never for a token");
    let registered = w.ask(&w.client, ALL).await;
    assert_eq!(w.look(&w.ann, &registered).await.unwrap().identity, Identity::SelfNamed);
});

both!(nobody_answers_for_a_client_whose_document_was_not_shown, db, {
    let w = World::over(db).await;
    let host = Host::of(&w).await;
    host.says(Answer::http("404 N", "", b""));
    let handle = w.ask(CLIENT, ALL).await;
    assert_eq!(w.look(&w.ann, &handle).await.unwrap_err().code, Code::ClientDocumentUnavailable);
    let refused = w.decide(&w.ann, &handle, w.yes(ALL)).await.unwrap_err();
    assert_eq!(refused.code, Code::ConsentNotOpen);
    assert!(w.text("SELECT id FROM connection").await.is_empty());
    // The question stays open: the host may have been mended.
    host.says(Answer::json(document(CLIENT, "App", REDIRECT)));
    assert!(w.look(&w.ann, &handle).await.is_ok());
});

both!(a_redirect_uri_that_the_document_does_not_list_leads_nowhere, db, {
    let w = World::over(db).await;
    let host = Host::of(&w).await;
    for uri in ["https://app.example/cb", "https://host.example/cb", "https://host.example/cb?keep=A"] {
        host.says(Answer::json(document(CLIENT, "App", uri)));
        w.t.clock.advance_seconds(2 * DAY);
        assert_eq!(look(&w, CLIENT).await, Err(Code::RedirectRefused), "{uri}");
    }
    assert!(
        w.text("SELECT document_uris FROM oauth_request WHERE document_uris IS NOT NULL").await.is_empty()
    );
});

both!(a_document_that_breaks_a_rule_is_refused_and_not_kept, db, {
    let w = World::over(db).await;
    let host = Host::of(&w).await;
    let good = document(CLIENT, "App", REDIRECT);
    for (answer, code) in [
        (
            Answer::json(document("https://app.example/other.json", "App", REDIRECT)),
            Code::ClientDocumentInvalid,
        ),
        (Answer::json(good.replace('}', ",\"client_secret\":\"s\"}")), Code::ClientDocumentInvalid),
        (Answer::json("[]"), Code::ClientDocumentInvalid),
        (Answer::http("200 OK", "content-type: text/html\r\n", good.as_bytes()), Code::ClientDocumentInvalid),
        (Answer::http("302 F", "location: https://app.example/x\r\n", b""), Code::ClientDocumentUnavailable),
        (Answer::http("500 E", "", good.as_bytes()), Code::ClientDocumentUnavailable),
        (Answer::json(good.clone() + &" ".repeat(6000)), Code::ClientDocumentUnavailable),
    ] {
        host.says(answer);
        w.t.clock.advance_seconds(60);
        assert_eq!(look(&w, CLIENT).await, Err(code));
        assert!(w.text("SELECT client_id FROM client_document").await.is_empty(), "an error is not kept");
    }
    host.says(Answer::json(good));
    assert_eq!(look(&w, CLIENT).await.as_deref(), Ok("App"));
});

both!(a_hundred_who_look_at_once_make_one_fetch, db, {
    let w = Arc::new(World::over(db).await);
    let host = Host::of(&w).await;
    let mut looks = Vec::new();
    for _ in 0..100 {
        let w = Arc::clone(&w);
        looks.push(tokio::spawn(async move { look_at_once(&w, CLIENT).await }));
    }
    for done in looks {
        assert_eq!(done.await.unwrap().as_deref(), Ok("App"));
    }
    assert_eq!(host.fetched(), 1);
});

both!(who_goes_away_does_not_take_the_fetch_of_others_along, db, {
    let w = Arc::new(World::over(db).await);
    let host = Host::of(&w).await;
    host.says(Answer::json(document(CLIENT, "App", REDIRECT)).after(std::time::Duration::from_millis(300)));
    let first = {
        let w = Arc::clone(&w);
        tokio::spawn(async move { look_at_once(&w, CLIENT).await })
    };
    while host.site.connections() == 0 {
        tokio::task::yield_now().await;
    }
    first.abort();
    assert_eq!(look_at_once(&w, CLIENT).await.as_deref(), Ok("App"));
    assert_eq!(host.fetched(), 1);
});

both!(a_document_holds_as_long_as_its_headers_say_within_bounds, db, {
    let w = World::over(db).await;
    let host = Host::of(&w).await;
    for (headers, holds) in [
        ("cache-control: no-store\r\n", 5 * 60),
        ("cache-control: max-age=7200\r\n", 7200),
        ("cache-control: max-age=99999999\r\n", DAY),
        ("", 60 * 60),
    ] {
        host.says(Answer::json_with(headers, document(CLIENT, headers, REDIRECT)));
        w.t.clock.advance_seconds(2 * DAY);
        let before = host.fetched();
        look(&w, CLIENT).await.unwrap();
        w.t.clock.advance_seconds(holds - 1);
        look(&w, CLIENT).await.unwrap();
        assert_eq!(host.fetched(), before + 1, "{headers}");
        w.t.clock.advance_seconds(1);
        look(&w, CLIENT).await.unwrap();
        assert_eq!(host.fetched(), before + 2, "{headers}");
    }
});

both!(what_was_shown_is_what_is_decided_on_however_the_document_changes, db, {
    let w = World::over(db).await;
    let host = Host::of(&w).await;
    let handle = w.ask(CLIENT, ALL).await;
    assert_eq!(w.look(&w.ann, &handle).await.unwrap().client, "App");
    host.says(Answer::json(document(CLIENT, "Evil", "https://evil.example/cb")));
    w.t.clock.advance_seconds(400);
    // Somebody else's question brings the new document in.
    assert_eq!(look(&w, CLIENT).await.as_deref(), Ok("App"), "it is still fresh");
    w.change("DELETE FROM client_document").await;
    assert_eq!(look(&w, CLIENT).await, Err(Code::RedirectRefused));
    assert_eq!(w.look(&w.ann, &handle).await.unwrap().client, "App", "pinned with the question");
    let url = w.decide(&w.ann, &handle, w.yes(ALL)).await.unwrap();
    let code = parameter(&url, "code").unwrap();
    assert_eq!(
        w.text("SELECT document_uris FROM oauth_family").await,
        [json!([REDIRECT]).to_string()],
        "pinned in the grant"
    );
    assert_eq!(w.text("SELECT client_name FROM connection").await, ["App"]);
    let before = host.fetched();
    assert!(w.exchange(CLIENT, &code).await.is_ok());
    assert_eq!(host.fetched(), before);
});

both!(a_code_goes_nowhere_but_to_what_the_shown_document_lists, db, {
    let w = World::over(db).await;
    let _host = Host::of(&w).await;
    let code = w.code(CLIENT).await;
    w.change("UPDATE oauth_family SET document_uris = '[\"https://other.example/cb\"]'").await;
    assert_eq!(refused(w.exchange(CLIENT, &code).await), OAuthError::InvalidGrant);
});

both!(two_installations_of_one_client_do_not_end_each_other, db, {
    let w = World::over(db).await;
    let _host = Host::of(&w).await;
    let mut all = Vec::new();
    for _ in 0..3 {
        let code = w.code(CLIENT).await;
        all.push(Tokens::of(&w.exchange(CLIENT, &code).await.unwrap_or_else(|error| panic!("{error}"))));
    }
    for tokens in &all {
        assert!(w.call(&tokens.access).await.is_ok());
    }
    let given_back = crate::world::params(&[("client_id", CLIENT), ("token", &all[0].refresh)]);
    oauth::give_back(&w.app, &given_back).await.unwrap();
    let alive: Vec<bool> =
        [w.call(&all[0].access).await, w.call(&all[1].access).await, w.call(&all[2].access).await]
            .iter()
            .map(Result::is_ok)
            .collect();
    assert_eq!(alive, [false, true, true]);
});

both!(an_operator_who_takes_no_documents_fetches_none, db, {
    let w = World::over(db).await;
    let host = Host::of(&w).await;
    let t = countersign_app::testing::TestApp::with(w.app.db.clone(), |settings| {
        settings.client_documents = false;
    });
    let off = t.await.app;
    let asked = oauth::begin_authorize(&off, &request(CLIENT, ALL), Browser::SignedIn).await;
    assert!(matches!(asked, Err(AuthorizeFailure::Local(_))));
    // A question from before the switch was turned.
    let handle = w.ask(CLIENT, ALL).await;
    let caller = w.caller(&w.ann).await;
    let shown = oauth::consent_view(&off, &caller, w.ann.session.hash(), &handle).await;
    assert_eq!(shown.unwrap_err().code, Code::ClientUnknown);
    assert_eq!(host.site.connections(), 0);
    assert!(
        oauth::begin_authorize(&off, &request(&register(&off, "Agent", REDIRECT), ALL), Browser::SignedIn)
            .await
            .is_ok()
    );
});
