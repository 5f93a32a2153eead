//! Connections: whose they are, what they hold, and that a revoke ends everything at once.

use countersign_app::connection::view::Outcome;
use countersign_app::connection::{self, NewConnection, Revoked, Switch, view::AssistantKind};
use countersign_app::gate::{self, Action, Effect, Found, Need};
use countersign_core::caller::Caller;
use countersign_core::id::ConnectionId;
use countersign_core::oauth::refusal::OAuthError;
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::Scope;
use countersign_store::both;

use crate::world::{Signed, Tokens, World, refused};

/// Tokens of Ann's, and the connection that they speak for.
async fn connected(w: &World) -> (Tokens, ConnectionId) {
    let tokens = w.tokens().await;
    let id = w.call(&tokens.access).await.unwrap().connection().unwrap();
    (tokens, id)
}

async fn pending(w: &World, who: &Signed) -> ConnectionId {
    let new = NewConnection { kind: AssistantKind::Other, name: "Pending".to_owned() };
    connection::create(&w.app, &w.caller(who).await, new).await.unwrap()
}

async fn agent(w: &World, tokens: &Tokens) -> Caller {
    w.call(&tokens.access).await.unwrap()
}

/// A proposal in `status` on a repository of its own in `General`.
async fn propose(w: &World, id: ConnectionId, status: &'static str) -> String {
    let (proposal, repository) = (w.app.uuid().to_string(), w.app.uuid().to_string());
    let (workspace, project, connection) = (w.workspace.to_string(), w.general.to_string(), id.to_string());
    let key = proposal.clone();
    w.app
        .db
        .write::<_, countersign_store::Error>(move |t| {
            Box::pin(async move {
                let resource = "INSERT INTO resource (id, workspace_id, project_id, kind, name, next_seq, created_at, \
                    updated_at) VALUES ($1, $2, $3, 'gitnest_repository', 'R', 0, 0, 0)";
                t.exec(resource, &[&repository, &workspace, &project]).await?;
                let row = "INSERT INTO repository (id, workspace_id, name, name_key, default_branch, \
                    protected_branches, protected_paths, created_at) VALUES ($1, $2, $1, $1, 'main', '[]', '[]', 0)";
                t.exec(row, &[&repository, &workspace]).await?;
                let sql = "INSERT INTO proposal (id, workspace_id, repository_id, connection_id, kind, title, status, \
                    idempotency_key, body_hash, branch, base_oid, message, author_name, created_at, expires_at, \
                    attempt) VALUES ($1, $2, $3, $4, 'k', 'Fix', $5, $1, $6, 'main', 'o', 'm', 'a', 0, 9, 0)";
                let hash = b"h".to_vec();
                t.exec(sql, &[&key, &workspace, &repository, &connection, &status, &hash]).await.map(|_| ())
            })
        })
        .await
        .unwrap();
    proposal
}

both!(a_revoke_ends_tokens_and_waiting_proposals_at_once, db, {
    let w = World::over(db).await;
    let (tokens, id) = connected(&w).await;
    for status in ["pending", "failed", "executed"] {
        propose(&w, id, status).await;
    }
    let ann = w.caller(&w.ann).await;
    let done = connection::revoke(&w.app, &ann, id).await.unwrap();
    assert_eq!(done, Revoked { withdrawn: 2, replayed: false });
    assert_eq!(w.call(&tokens.access).await.unwrap_err(), Code::ConnectionRevoked);
    assert_eq!(refused(w.refresh(&tokens.refresh).await), OAuthError::InvalidGrant);
    assert_eq!(
        w.text("SELECT status FROM proposal ORDER BY status").await,
        ["executed", "withdrawn", "withdrawn"]
    );
    let reasons = w.text("SELECT reason FROM proposal WHERE reason IS NOT NULL").await;
    assert_eq!(reasons, ["connection_revoked", "connection_revoked"]);
    assert_eq!(w.text("SELECT kind FROM event").await, ["proposal.withdrawn", "proposal.withdrawn"]);
    let audited =
        w.text("SELECT action FROM audit WHERE action IN ('connection.revoke', 'proposal.withdraw')").await;
    assert_eq!(audited.len(), 3);
    assert_eq!(w.text("SELECT reason FROM oauth_family").await, ["connection_revoked"]);
    let again = connection::revoke(&w.app, &ann, id).await.unwrap();
    assert_eq!(again, Revoked { withdrawn: 0, replayed: true });
    w.t.clock.advance_seconds(3600);
    let late = w.call(&tokens.access).await.unwrap_err();
    assert_eq!(late, Code::Unauthenticated, "it is recognised until its own end");
});

both!(a_revoked_connection_takes_no_project_and_no_switch, db, {
    let w = World::over(db).await;
    let (_, id) = connected(&w).await;
    let ann = w.caller(&w.ann).await;
    connection::revoke(&w.app, &ann, id).await.unwrap();
    let added = connection::add_project(&w.app, &ann, id, w.general).await;
    assert_eq!(added.unwrap_err().code, Code::ConnectionRevoked);
    let off = connection::switch_tool(&w.app, &ann, id, "propose_file_import", Switch::Off).await;
    assert_eq!(off.unwrap_err().code, Code::ConnectionRevoked);
});

both!(a_code_of_a_connection_that_was_revoked_meanwhile_gives_nothing, db, {
    let w = World::over(db).await;
    let code = w.code(&w.client).await;
    let id = ConnectionId::parse(&w.text("SELECT id FROM connection").await[0]).unwrap();
    connection::revoke(&w.app, &w.caller(&w.ann).await, id).await.unwrap();
    assert_eq!(refused(w.exchange(&w.client, &code).await), OAuthError::InvalidGrant);
});

both!(its_person_adds_only_projects_where_they_have_a_role, db, {
    let w = World::over(db).await;
    let (id, bob) = (pending(&w, &w.bob).await, w.caller(&w.bob).await);
    let view = connection::read(&w.app, &bob, id).await.unwrap();
    let addable: Vec<_> = view.addable.iter().map(|project| project.id).collect();
    assert_eq!((addable, view.projects.len()), (vec![w.general], 0));
    assert_eq!(connection::add_project(&w.app, &bob, id, w.other).await.unwrap_err().code, Code::NotFound);
    for _ in 0..2 {
        connection::add_project(&w.app, &bob, id, w.general).await.unwrap();
    }
    let view = connection::read(&w.app, &bob, id).await.unwrap();
    assert_eq!(
        (view.projects[0].name.as_str(), view.row.projects.as_slice()),
        ("General", &["General".to_owned()][..])
    );
    w.change("DELETE FROM project_member").await;
    assert_eq!(connection::read(&w.app, &bob, id).await.unwrap().projects[0].role, None);
    for _ in 0..2 {
        connection::remove_project(&w.app, &bob, id, w.general).await.unwrap();
    }
    assert!(connection::read(&w.app, &bob, id).await.unwrap().projects.is_empty());
});

both!(an_owner_of_the_workspace_sees_and_revokes_anothers_but_does_not_manage_it, db, {
    let w = World::over(db).await;
    let (id, ann) = (pending(&w, &w.bob).await, w.caller(&w.ann).await);
    let view = connection::read(&w.app, &ann, id).await.unwrap();
    assert_eq!((view.may_manage, view.may_revoke, view.addable.len()), (false, true, 0));
    assert_eq!(
        connection::add_project(&w.app, &ann, id, w.general).await.unwrap_err().code,
        Code::RoleRequired
    );
    assert_eq!(
        connection::remove_project(&w.app, &ann, id, w.general).await.unwrap_err().code,
        Code::RoleRequired
    );
    let off = connection::switch_tool(&w.app, &ann, id, "list_granted", Switch::Off).await;
    assert_eq!(off.unwrap_err().code, Code::RoleRequired);
    assert_eq!(connection::switch_all_on(&w.app, &ann, id).await.unwrap_err().code, Code::RoleRequired);
    assert!(connection::revoke(&w.app, &ann, id).await.is_ok());
});

both!(a_member_does_not_learn_of_anothers_connection, db, {
    let w = World::over(db).await;
    let (id, bob) = (pending(&w, &w.ann).await, w.caller(&w.bob).await);
    assert_eq!(connection::list(&w.app, &bob).await.unwrap().connections.len(), 0);
    let codes = [
        connection::read(&w.app, &bob, id).await.err(),
        connection::revoke(&w.app, &bob, id).await.err(),
        connection::add_project(&w.app, &bob, id, w.general).await.err(),
        connection::switch_tool(&w.app, &bob, id, "list_granted", Switch::Off).await.err(),
        connection::switch_all_on(&w.app, &bob, id).await.err(),
        connection::read(&w.app, &bob, ConnectionId::new(w.app.uuid())).await.err(),
    ];
    for problem in codes {
        assert_eq!(problem.unwrap().code, Code::NotFound);
    }
    assert_eq!(connection::list(&w.app, &w.caller(&w.ann).await).await.unwrap().connections.len(), 1);
});

both!(an_agent_manages_no_connection_and_answers_no_question, db, {
    let w = World::over(db).await;
    let (tokens, id) = connected(&w).await;
    let agent = agent(&w, &tokens).await;
    let handle = w.ask(&w.client, "countersign:read").await;
    let new = NewConnection { kind: AssistantKind::Other, name: "x".to_owned() };
    let session = w.ann.session.hash();
    let codes = [
        connection::list(&w.app, &agent).await.err(),
        connection::read(&w.app, &agent, id).await.err(),
        connection::revoke(&w.app, &agent, id).await.err(),
        connection::create(&w.app, &agent, new).await.err(),
        connection::add_project(&w.app, &agent, id, w.general).await.err(),
        connection::remove_project(&w.app, &agent, id, w.general).await.err(),
        connection::switch_tool(&w.app, &agent, id, "list_granted", Switch::On).await.err(),
        connection::switch_all_on(&w.app, &agent, id).await.err(),
        countersign_app::oauth::consent_view(&w.app, &agent, session.clone(), &handle).await.err(),
        countersign_app::oauth::consent_decide(&w.app, &agent, session, &handle, w.yes("countersign:read"))
            .await
            .err(),
    ];
    for (n, problem) in codes.into_iter().enumerate() {
        assert_eq!(problem.unwrap().code, Code::AgentScopeDenied, "{n}");
    }
});

both!(a_tool_that_is_switched_off_is_off_for_the_next_caller, db, {
    let w = World::over(db).await;
    let (tokens, id) = connected(&w).await;
    let ann = w.caller(&w.ann).await;
    connection::switch_tool(&w.app, &ann, id, "propose_file_import", Switch::Off).await.unwrap();
    assert!(agent(&w, &tokens).await.switched_off.contains("propose_file_import"));
    connection::switch_tool(&w.app, &ann, id, "propose_file_import", Switch::On).await.unwrap();
    assert!(agent(&w, &tokens).await.switched_off.is_empty());
    for bad in ["", "Bad Name", "propose", &"a".repeat(65)] {
        let problem = connection::switch_tool(&w.app, &ann, id, bad, Switch::Off).await.unwrap_err();
        assert_eq!(problem.code, Code::InvalidArguments, "{bad}");
    }
});

both!(a_tool_is_switched_by_its_old_name_as_by_its_new_one, db, {
    let w = World::over(db).await;
    let (tokens, id) = connected(&w).await;
    let ann = w.caller(&w.ann).await;
    connection::switch_tool(&w.app, &ann, id, "list_everything", Switch::Off).await.unwrap();
    assert!(agent(&w, &tokens).await.switched_off.contains("list_granted"));
    // A list of before the tool was renamed.
    w.change("UPDATE connection SET switched_off = '[\"list_everything\"]'").await;
    assert!(agent(&w, &tokens).await.switched_off.contains("list_granted"));
    connection::switch_tool(&w.app, &ann, id, "list_granted", Switch::On).await.unwrap();
    assert!(agent(&w, &tokens).await.switched_off.is_empty());
});

both!(the_page_tells_each_tool_with_its_switch_and_what_is_on_together, db, {
    let w = World::over(db).await;
    let (_, id) = connected(&w).await;
    let ann = w.caller(&w.ann).await;
    let toolbox = async || connection::read(&w.app, &ann, id).await.unwrap().toolbox;
    let all = toolbox().await;
    assert_eq!((all.tools.len(), all.tokens, all.tools.iter().all(|tool| tool.is_on)), (2, 200, true));
    connection::switch_tool(&w.app, &ann, id, "list_granted", Switch::Off).await.unwrap();
    connection::switch_tool(&w.app, &ann, id, "propose_file_import", Switch::Off).await.unwrap();
    let none = toolbox().await;
    assert_eq!((none.tokens, none.tools.iter().any(|tool| tool.is_on)), (0, false));
    assert_ne!(none.hash, all.hash);
    for _ in 0..2 {
        connection::switch_all_on(&w.app, &ann, id).await.unwrap();
    }
    assert_eq!(toolbox().await.hash, all.hash);
});

both!(a_call_that_is_hung_up_on_stands_in_the_audit_log_and_in_the_recent_activity, db, {
    const READ: Action = Action { name: "read_slowly", need: Need::Agent(Scope::Read), effect: Effect::Read };
    let w = World::over(db).await;
    let (tokens, id) = connected(&w).await;
    let agent = agent(&w, &tokens).await;
    let inside = tokio::sync::Notify::new();
    let call = || {
        gate::through(
            &w.app,
            &agent,
            READ,
            |_| Box::pin(async { Ok(Found::own(())) }),
            |_| async {
                inside.notify_one();
                std::future::pending::<Result<(), Problem>>().await
            },
        )
    };
    // Once inside, and once as soon as it has begun.
    tokio::select! {
        _ = call() => panic!("it never ends"),
        () = inside.notified() => {}
    }
    tokio::select! {
        biased;
        _ = call() => panic!("it never ends"),
        () = std::future::ready(()) => {}
    }
    w.app.journal.flush().await;
    let outcomes = w.text("SELECT outcome FROM audit WHERE action = 'read_slowly'").await;
    assert_eq!(outcomes, ["cancelled", "cancelled"]);
    let view = connection::read(&w.app, &w.caller(&w.ann).await, id).await.unwrap();
    let told: Vec<_> =
        view.activity.iter().filter(|row| row.tool == "read_slowly").map(|row| row.outcome).collect();
    assert_eq!(told, [Outcome::Cancelled; 2]);
});
