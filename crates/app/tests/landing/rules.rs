//! What an owner rules in a repository counts at the very next decision, and what stands is never half.

use std::time::Duration;

use countersign_app::member::{self, NewMember};
use countersign_app::project::{self, NewProject};
use countersign_app::proposal::approve;
use countersign_app::repository::{Change, RuleChange, Whom, change, members, rules, set_member};
use countersign_core::caller::Caller;
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::protected::ProtectedPath;
use countersign_core::problem::Code;
use countersign_core::role::MemberRole;
use countersign_git::lock::Hold;
use countersign_store::{both, resource};

use crate::floor::Floor;

fn branch(name: &str) -> BranchName {
    BranchName::parse(name).unwrap()
}

fn ruled(rules: RuleChange) -> Change {
    Change { rules, ..Change::default() }
}

both!(a_path_that_is_protected_takes_a_maintainer_from_then_on, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let editor = floor.person(MemberRole::Editor).await;
    let open = RuleChange {
        protected_branches: Some(Vec::new()),
        protected_paths: Some(vec![ProtectedPath::parse("deploy/").unwrap()]),
        ..RuleChange::default()
    };
    change(app, &floor.owner, floor.repository, ruled(open)).await.unwrap();
    let guarded = floor.propose("key-guarded", "deploy/prod.toml").await;
    let refused = approve(app, &editor, guarded).await.unwrap_err();
    assert_eq!(refused.code, Code::DeciderLacksRole);
    let plain = floor.propose("key-plain", "src/a.txt").await;
    approve(app, &editor, plain).await.unwrap();
});

both!(another_person_must_decide_once_that_is_ruled_and_no_longer_after, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let id = floor.propose("key-other", "a.txt").await;
    let other = |on| ruled(RuleChange { other_decider: Some(on), ..RuleChange::default() });
    change(app, &floor.owner, floor.repository, other(true)).await.unwrap();
    assert!(rules(app, &floor.owner, floor.repository).await.unwrap().other_decider);
    assert_eq!(approve(app, &floor.owner, id).await.unwrap_err().code, Code::DeciderLacksRole);
    change(app, &floor.owner, floor.repository, other(false)).await.unwrap();
    approve(app, &floor.owner, id).await.unwrap();
});

both!(the_default_branch_is_one_that_exists_and_a_clone_checks_it_out, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let to = |name: &str| ruled(RuleChange { default_branch: Some(branch(name)), ..RuleChange::default() });
    let missing = change(app, &floor.owner, floor.repository, to("trunk")).await.unwrap_err();
    assert_eq!(missing.code, Code::BranchNotFound);
    assert_eq!(floor.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
    floor.git(&["branch", "trunk", "main"]);
    change(app, &floor.owner, floor.repository, to("trunk")).await.unwrap();
    assert_eq!(floor.git(&["symbolic-ref", "HEAD"]), "refs/heads/trunk");
    // A server that was killed between the row and HEAD.
    floor.git(&["symbolic-ref", "HEAD", "refs/heads/main"]);
    countersign_app::proposal::recover(app).await.unwrap();
    assert_eq!(floor.git(&["symbolic-ref", "HEAD"]), "refs/heads/trunk");
});

both!(a_branch_that_a_push_is_deleting_does_not_become_the_default, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    floor.git(&["branch", "dev", "main"]);
    let pushing = app.git.lock(floor.repository, Hold::Push).await.unwrap();
    let wish = ruled(RuleChange { default_branch: Some(branch("dev")), ..RuleChange::default() });
    let meanwhile = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        floor.git(&["branch", "-D", "dev"]);
        drop(pushing);
    };
    let (changed, ()) = tokio::join!(change(app, &floor.owner, floor.repository, wish), meanwhile);
    assert_eq!(changed.unwrap_err().code, Code::BranchNotFound);
    assert_eq!(floor.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
    let dev = rules(app, &floor.owner, floor.repository).await.unwrap().default_branch;
    assert_eq!(dev, "main");
});

both!(only_an_owner_rules, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let maintainer = floor.person(MemberRole::Maintainer).await;
    let wish = ruled(RuleChange { protected_branches: Some(Vec::new()), ..RuleChange::default() });
    let refused = change(app, &maintainer, floor.repository, wish).await.unwrap_err();
    assert_eq!(refused.code, Code::RoleRequired);
    let user = maintainer.person().unwrap();
    let raised = set_member(app, &maintainer, (floor.repository, user), Some(MemberRole::Owner)).await;
    assert_eq!(raised.unwrap_err().code, Code::RoleRequired);
    assert_eq!(rules(app, &maintainer, floor.repository).await.unwrap().protected_branches, ["main"]);
});

both!(a_role_on_the_repository_counts_instead_of_the_one_in_the_project, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let (editor, here) = (floor.person(MemberRole::Editor).await, floor.repository);
    let user = editor.person().unwrap();
    let id = floor.propose("key-role", "a.txt").await;
    let give = async |role| set_member(app, &floor.owner, (here, user), role).await.unwrap();
    let stands = async |asker: &Caller| {
        let all = members(app, asker, here).await.unwrap();
        let line = all.into_iter().find(|line| line.user == user).unwrap();
        (line.project_role, line.repository_role, line.role)
    };
    assert_eq!(approve(app, &editor, id).await.unwrap_err().code, Code::DeciderLacksRole);
    give(Some(MemberRole::Viewer)).await;
    assert_eq!(
        stands(&editor).await,
        (Some(MemberRole::Editor), Some(MemberRole::Viewer), MemberRole::Viewer)
    );
    give(Some(MemberRole::Viewer)).await;
    give(None).await;
    give(None).await;
    assert_eq!(stands(&editor).await, (Some(MemberRole::Editor), None, MemberRole::Editor));
    give(Some(MemberRole::Maintainer)).await;
    approve(app, &editor, id).await.unwrap();
});

both!(who_is_no_member_of_the_workspace_or_owns_it_gets_no_role_of_their_own, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let stranger = countersign_core::id::UserId::new(app.uuid());
    let give = async |whom: Whom| {
        let given = set_member(app, &floor.owner, (floor.repository, whom), Some(MemberRole::Viewer)).await;
        given.unwrap_err().code
    };
    assert_eq!(give(stranger.into()).await, Code::NotFound);
    assert_eq!(give(Whom::Mail("nobody@example.org".to_owned())).await, Code::NotFound);
    assert_eq!(give(Whom::Mail("no address".to_owned())).await, Code::InvalidArguments);
    assert_eq!(give(floor.owner.person().unwrap().into()).await, Code::InvalidArguments);
});

both!(a_repository_moves_where_its_mover_is_an_owner_too_and_nowhere_else, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let mover = floor.person(MemberRole::Owner).await;
    let hidden =
        project::create(app, &floor.owner, NewProject { name: "Hidden".to_owned() }).await.unwrap().id;
    let moved = Change { project: Some(hidden), ..Change::default() };
    let code = async |who: &Caller| {
        change(app, who, floor.repository, moved.clone()).await.err().map(|problem| problem.code)
    };
    assert_eq!(code(&mover).await, Some(Code::NotFound), "who does not see the project learns nothing of it");
    let place = async || {
        let id = floor.repository;
        let found = app.db.read(move |t| Box::pin(resource::find(t, id))).await.unwrap().unwrap();
        found.project_id
    };
    assert_eq!(place().await, floor.project.to_string());
    let mail = "owner@countersign.example".to_owned();
    let viewer = NewMember { project: hidden, mail, role: MemberRole::Viewer, person: None };
    member::add(app, &floor.owner, viewer).await.unwrap();
    assert_eq!(code(&mover).await, Some(Code::RoleRequired));
    assert_eq!(place().await, floor.project.to_string());
    assert_eq!(code(&floor.owner).await, None);
    assert_eq!(place().await, hidden.to_string());
});
