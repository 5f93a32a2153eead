//! Consent: shown every time, bound to one session, answered once, never wider than what was asked and ticked.

use countersign_app::connection::{self, NewConnection, view::AssistantKind};
use countersign_app::consent::view::ReturnsTo;
use countersign_app::oauth::{self, Answer, Approval, AuthorizeFailure, Choice};
use countersign_core::id::WorkspaceId;
use countersign_core::oauth::authorize::Browser;
use countersign_core::problem::Code;
use countersign_core::scope::{Scope, Scopes};
use countersign_store::both;

use crate::world::{ALL, REDIRECT, World, parameter, params, register, request};

both!(a_yes_gives_a_code_with_state_and_issuer_and_a_connection_without_projects, db, {
    let w = World::over(db).await;
    let handle = w.ask(&w.client, "countersign:write openid").await;
    let view = w.look(&w.ann, &handle).await.unwrap();
    assert_eq!(
        (view.client.as_str(), view.returns_to),
        ("Agent", ReturnsTo::Site("host.example".to_owned()))
    );
    assert_eq!((view.scopes, view.asks_password), (vec![Scope::Write], false));
    assert_eq!((view.workspaces.len(), view.pending.len()), (1, 0));
    let url = w.decide(&w.ann, &handle, w.yes("countersign:write")).await.unwrap();
    assert!(url.starts_with(&format!("{REDIRECT}&code=cs_ac_")), "{url}");
    assert!(url.ends_with("&state=s%20t&iss=http%3A%2F%2Flocalhost%3A8420"), "{url}");
    let list = connection::list(&w.app, &w.caller(&w.ann).await).await.unwrap();
    let row = &list.connections[0];
    assert_eq!(
        (row.name.as_str(), row.client.as_deref(), row.owner.as_str()),
        ("My agent", Some("Agent"), "Ann")
    );
    assert!(row.projects.is_empty());
});

both!(a_second_authorization_asks_again_and_ends_nothing, db, {
    let w = World::over(db).await;
    let first = w.tokens().await;
    let handle = w.ask(&w.client, ALL).await;
    assert_eq!(w.look(&w.ann, &handle).await.unwrap().scopes.len(), 3, "it is asked, not remembered");
    w.decide(&w.ann, &handle, w.yes(ALL)).await.unwrap();
    assert!(w.call(&first.access).await.is_ok(), "another installation keeps its own");
});

both!(a_no_goes_back_to_the_client_and_leaves_nothing, db, {
    let w = World::over(db).await;
    let handle = w.ask(&w.client, ALL).await;
    w.look(&w.ann, &handle).await.unwrap();
    let url = w.decide(&w.ann, &handle, Answer::Deny).await.unwrap();
    assert_eq!(parameter(&url, "error").as_deref(), Some("access_denied"));
    assert_eq!(parameter(&url, "state").as_deref(), Some("s%20t"));
    assert!(parameter(&url, "iss").is_some() && parameter(&url, "code").is_none());
    assert!(w.text("SELECT id FROM connection").await.is_empty());
    assert_eq!(w.decide(&w.ann, &handle, w.yes(ALL)).await.unwrap_err().code, Code::ConsentNotOpen);
});

both!(a_handle_is_of_no_use_to_another_session_nor_twice_nor_late, db, {
    let w = World::over(db).await;
    let handle = w.ask(&w.client, ALL).await;
    assert_eq!(
        w.decide(&w.ann, &handle, w.yes(ALL)).await.unwrap_err().code,
        Code::ConsentNotOpen,
        "not looked at"
    );
    w.look(&w.ann, &handle).await.unwrap();
    assert_eq!(w.look(&w.bob, &handle).await.unwrap_err().code, Code::ConsentNotOpen);
    assert_eq!(w.decide(&w.bob, &handle, w.yes(ALL)).await.unwrap_err().code, Code::ConsentNotOpen);
    assert_eq!(w.decide(&w.bob, &handle, Answer::Deny).await.unwrap_err().code, Code::ConsentNotOpen);
    assert!(w.look(&w.ann, &handle).await.is_ok(), "the other session changed nothing");
    w.decide(&w.ann, &handle, w.yes(ALL)).await.unwrap();
    assert_eq!(w.decide(&w.ann, &handle, w.yes(ALL)).await.unwrap_err().code, Code::ConsentNotOpen);
    assert_eq!(w.text("SELECT id FROM connection").await.len(), 1);

    let late = w.ask(&w.client, "countersign:read").await;
    w.look(&w.ann, &late).await.unwrap();
    w.t.clock.advance_seconds(600);
    assert_eq!(w.look(&w.ann, &late).await.unwrap_err().code, Code::ConsentNotOpen);
    let answer = w.decide(&w.ann, &late, w.yes("countersign:read")).await;
    assert_eq!(answer.unwrap_err().code, Code::ConsentNotOpen);
    assert_eq!(w.look(&w.ann, "no-such-handle").await.unwrap_err().code, Code::ConsentNotOpen);
});

both!(two_questions_in_two_tabs_are_both_answered, db, {
    let w = World::over(db).await;
    let (one, two) = (w.ask(&w.client, ALL).await, w.ask(&w.client, ALL).await);
    for handle in [&one, &two] {
        w.look(&w.ann, handle).await.unwrap();
    }
    for handle in [&two, &one] {
        w.decide(&w.ann, handle, w.yes(ALL)).await.unwrap();
    }
});

both!(of_twenty_answers_at_once_one_counts, db, {
    let w = std::sync::Arc::new(World::over(db).await);
    let handle = w.ask(&w.client, ALL).await;
    w.look(&w.ann, &handle).await.unwrap();
    let answers: Vec<_> = (0..20)
        .map(|_| {
            let (w, handle) = (std::sync::Arc::clone(&w), handle.clone());
            tokio::spawn(async move { w.decide(&w.ann, &handle, w.yes(ALL)).await.is_ok() })
        })
        .collect();
    let mut good = 0;
    for answer in answers {
        good += usize::from(answer.await.unwrap());
    }
    assert_eq!(good, 1);
    assert_eq!(w.text("SELECT id FROM oauth_family").await.len(), 1);
});

both!(no_more_is_granted_than_was_asked_and_ticked, db, {
    let w = World::over(db).await;
    let handle = w.ask(&w.client, "countersign:read").await;
    w.look(&w.ann, &handle).await.unwrap();
    for scopes in ["", ALL, "countersign:write"] {
        let refused = w.decide(&w.ann, &handle, w.yes(scopes)).await.unwrap_err();
        assert_eq!(
            (refused.code, refused.facts["field"].as_str()),
            (Code::InvalidArguments, Some("scope")),
            "{scopes}"
        );
    }
    assert!(w.text("SELECT id FROM oauth_family").await.is_empty());
    w.decide(&w.ann, &handle, w.yes("countersign:read")).await.unwrap();

    let handle = w.ask(&w.client, ALL).await;
    w.look(&w.ann, &handle).await.unwrap();
    let url = w.decide(&w.ann, &handle, w.yes("countersign:write")).await.unwrap();
    let answer = w.exchange(&w.client, &parameter(&url, "code").unwrap()).await;
    let tokens = crate::world::Tokens::of(&answer.unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(tokens.scope, "countersign:write");
    assert_eq!(w.call(&tokens.access).await.unwrap().scopes, Scopes::new([Scope::Write]));
});

both!(write_and_run_take_a_fresh_proof_and_read_does_not, db, {
    let w = World::over(db).await;
    w.t.clock.advance_seconds(600);
    for (asked, proof) in
        [("countersign:read", false), ("countersign:write", true), ("countersign:run", true)]
    {
        let handle = w.ask(&w.client, asked).await;
        assert_eq!(w.look(&w.ann, &handle).await.unwrap().asks_password, proof, "{asked}");
        let answer = w.decide(&w.ann, &handle, w.yes(asked)).await;
        assert_eq!(answer.err().map(|problem| problem.code), proof.then_some(Code::SudoRequired), "{asked}");
    }
});

both!(a_pending_connection_is_used_once_and_by_its_own_person, db, {
    let w = World::over(db).await;
    let new = NewConnection { kind: AssistantKind::Codex, name: "Codex at home".to_owned() };
    let id = connection::create(&w.app, &w.caller(&w.ann).await, new).await.unwrap();
    let choose = Answer::Approve(Approval {
        workspace: w.workspace,
        scopes: Scopes::parse(ALL),
        connection: Choice::Pending(id),
    });
    let bobs = w.ask(&w.client, ALL).await;
    assert!(w.look(&w.bob, &bobs).await.unwrap().pending.is_empty());
    assert_eq!(w.decide(&w.bob, &bobs, choose.clone()).await.unwrap_err().code, Code::VersionConflict);
    let anns = w.ask(&w.client, ALL).await;
    let pending = w.look(&w.ann, &anns).await.unwrap().pending;
    assert_eq!(
        (pending[0].id, pending[0].name.as_str(), pending[0].kind),
        (id, "Codex at home", AssistantKind::Codex)
    );
    w.decide(&w.ann, &anns, choose.clone()).await.unwrap();
    let again = w.ask(&w.client, ALL).await;
    assert!(w.look(&w.ann, &again).await.unwrap().pending.is_empty());
    assert_eq!(w.decide(&w.ann, &again, choose).await.unwrap_err().code, Code::VersionConflict);
    assert_eq!(w.text("SELECT status FROM connection").await, ["active"]);
});

both!(a_workspace_that_the_person_is_not_in_does_not_exist_for_them, db, {
    let w = World::over(db).await;
    let handle = w.ask(&w.client, ALL).await;
    w.look(&w.ann, &handle).await.unwrap();
    let Answer::Approve(mut approval) = w.yes(ALL) else { panic!() };
    approval.workspace = WorkspaceId::new(w.app.uuid());
    assert_eq!(w.decide(&w.ann, &handle, Answer::Approve(approval)).await.unwrap_err().code, Code::NotFound);
    assert!(w.text("SELECT id FROM connection").await.is_empty());
});

both!(a_program_on_this_computer_and_an_application_are_named_as_such, db, {
    let w = World::over(db).await;
    for (uri, expected) in [
        ("http://127.0.0.1:4321/cb", ReturnsTo::Loopback("127.0.0.1:4321".to_owned())),
        ("https://localhost:4444/cb", ReturnsTo::Loopback("localhost:4444".to_owned())),
        ("https://127.0.0.1:4444/cb", ReturnsTo::Loopback("127.0.0.1:4444".to_owned())),
        (
            "cursor://anysphere.cursor-mcp/oauth/callback",
            ReturnsTo::Application("cursor://anysphere.cursor-mcp".to_owned()),
        ),
    ] {
        let client = register(&w.app, "Local", uri);
        let pairs = [
            ("client_id", client.as_str()),
            ("redirect_uri", uri),
            ("response_type", "code"),
            ("code_challenge", crate::world::CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        let url = oauth::begin_authorize(&w.app, &params(&pairs), Browser::SignedIn).await.unwrap();
        let view = w.look(&w.ann, url.split_once("?h=").unwrap().1).await.unwrap();
        assert_eq!(view.returns_to, expected);
    }
});

both!(a_refusal_that_the_client_may_hear_carries_state_and_issuer, db, {
    let w = World::over(db).await;
    let bad = params(&[
        ("client_id", &w.client),
        ("redirect_uri", REDIRECT),
        ("response_type", "token"),
        ("state", "x"),
    ]);
    let Err(AuthorizeFailure::Redirect(url)) = oauth::begin_authorize(&w.app, &bad, Browser::SignedIn).await
    else {
        panic!()
    };
    assert!(
        url.starts_with(&format!("{REDIRECT}&error=unsupported_response_type&error_description=")),
        "{url}"
    );
    assert!(url.ends_with("&state=x&iss=http%3A%2F%2Flocalhost%3A8420"), "{url}");
    let unknown = oauth::begin_authorize(&w.app, &request("cs_cl_x", ALL), Browser::SignedIn).await;
    assert!(matches!(unknown, Err(AuthorizeFailure::Local(_))));
    assert!(
        w.text("SELECT client_id FROM oauth_request").await.is_empty(),
        "a refused request leaves no row"
    );
});

both!(proving_oneself_on_the_page_keeps_the_question, db, {
    let w = World::over(db).await;
    let handle = w.ask(&w.client, ALL).await;
    w.look(&w.ann, &handle).await.unwrap();
    let old = w.ann.session.hash();
    let fresh = w.app.secret(countersign_app::secret::SecretKind::Session);
    let new = fresh.hash();
    // What `session::prove` does in its transaction, without the work of a password.
    w.app
        .db
        .write::<_, countersign_store::Error>(move |t| {
            Box::pin(async move {
                countersign_store::oauth_request::move_session(t, old.as_bytes(), new.as_bytes()).await
            })
        })
        .await
        .unwrap();
    let caller = w.caller(&w.ann).await;
    let with_old = oauth::consent_view(&w.app, &caller, w.ann.session.hash(), &handle).await;
    assert_eq!(with_old.unwrap_err().code, Code::ConsentNotOpen);
    assert!(oauth::consent_decide(&w.app, &caller, fresh.hash(), &handle, w.yes(ALL)).await.is_ok());
});
