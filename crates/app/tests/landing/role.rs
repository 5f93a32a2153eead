//! Who may decide, as 403 `decider_lacks_role` tells; a refusal leaves the proposal as it was.

use countersign_app::proposal::read::read_mine;
use countersign_app::proposal::{approve, decline};
use countersign_core::caller::Caller;
use countersign_core::id::ProposalId;
use countersign_core::problem::Code;
use countersign_core::proposal::ProposalState;
use countersign_core::role::MemberRole;
use countersign_store::{Db, both};

use crate::floor::Floor;

/// A floor with a branch `side` that is not protected.
async fn floor(db: Db) -> Floor {
    let floor = Floor::lay(db).await;
    floor.git(&["branch", "side", "main"]);
    floor
}

/// A proposal of `path` on `branch`.
async fn proposed(floor: &Floor, branch: &str, path: &str) -> ProposalId {
    let mut import = floor.import(&format!("key-{branch}-{path}"), path, "text\n");
    import.branch = branch.into();
    floor.try_propose(import).await.unwrap().proposal_id
}

async fn state(floor: &Floor, id: ProposalId) -> ProposalState {
    read_mine(&floor.test.app, &floor.agent_caller(), id).await.unwrap().status
}

async fn refused(floor: &Floor, decider: &Caller, id: ProposalId) {
    let app = &floor.test.app;
    assert_eq!(approve(app, decider, id).await.unwrap_err().code, Code::DeciderLacksRole);
    assert_eq!(decline(app, decider, id, String::new()).await.unwrap_err().code, Code::DeciderLacksRole);
    assert_eq!(state(floor, id).await, ProposalState::Pending);
}

both!(an_editor_decides_unless_branch_or_path_is_protected, db, {
    let floor = floor(db).await;
    let app = &floor.test.app;
    let (viewer, editor) = (floor.person(MemberRole::Viewer).await, floor.person(MemberRole::Editor).await);
    let maintainer = floor.person(MemberRole::Maintainer).await;
    let plain = proposed(&floor, "side", "a.txt").await;
    refused(&floor, &viewer, plain).await;
    approve(app, &editor, plain).await.unwrap();
    let on_main = proposed(&floor, "main", "a.txt").await;
    refused(&floor, &editor, on_main).await;
    approve(app, &maintainer, on_main).await.unwrap();
    let attributes = proposed(&floor, "side", "docs/.gitattributes").await;
    refused(&floor, &editor, attributes).await;
    approve(app, &maintainer, attributes).await.unwrap();
});

both!(who_may_not_decide_does_not_close_what_is_stale, db, {
    let floor = floor(db).await;
    let (first, late) = (proposed(&floor, "main", "a.txt").await, proposed(&floor, "main", "b.txt").await);
    approve(&floor.test.app, &floor.owner, first).await.unwrap();
    refused(&floor, &floor.person(MemberRole::Editor).await, late).await;
    let stale = approve(&floor.test.app, &floor.owner, late).await.unwrap_err();
    assert_eq!(stale.code, Code::ProposalStale);
    assert_eq!(state(&floor, late).await, ProposalState::Stale);
});

both!(a_repository_may_ask_for_another_person_than_the_agents_own, db, {
    let floor = floor(db).await;
    let id = proposed(&floor, "side", "a.txt").await;
    floor.meddle("UPDATE repository SET other_decider = 1 WHERE id = $1", floor.repository.to_string()).await;
    refused(&floor, &floor.owner, id).await;
    approve(&floor.test.app, &floor.person(MemberRole::Editor).await, id).await.unwrap();
});

both!(what_the_agent_of_somebody_without_access_proposed_is_not_approved, db, {
    let floor = floor(db).await;
    let editor = floor.person(MemberRole::Editor).await;
    let id = proposed(&floor, "side", "a.txt").await;
    // The connection is now that of the editor, who loses their role.
    let agents = "UPDATE connection SET user_id = (SELECT user_id FROM project_member WHERE role = 'editor') WHERE id = $1";
    floor.meddle(agents, floor.connection.to_string()).await;
    let lesser = "UPDATE project_member SET role = 'viewer' WHERE user_id = $1";
    let person = editor.person().unwrap().to_string();
    floor.meddle(lesser, person.clone()).await;
    let code = async || approve(&floor.test.app, &floor.owner, id).await.err().map(|problem| problem.code);
    assert_eq!(code().await, Some(Code::OwnerLacksAccess));
    floor.meddle("UPDATE project_member SET role = 'editor' WHERE user_id = $1", person.clone()).await;
    floor.meddle("UPDATE person SET disabled_at = 1 WHERE id = $1", person.clone()).await;
    assert_eq!(code().await, Some(Code::OwnerLacksAccess));
    floor.meddle("UPDATE person SET disabled_at = NULL WHERE id = $1", person).await;
    assert_eq!(code().await, None);
});
