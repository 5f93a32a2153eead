//! What moved is told of once: pushes, approvals, and what a crash kept from being told.

use std::sync::Arc;

use countersign_app::proposal::approve;
use countersign_app::push::{Accepted, Asked, Push, Recorded, decide, record, recover, settle};
use countersign_app::{App, Parts};
use countersign_core::gitnest::push::RefUpdate;
use countersign_git::GitHost;
use countersign_git::lock::Hold;
use countersign_git::transaction::UpdateRef;
use countersign_store::event::{self, Event};
use countersign_store::{Error, both};
use serde_json::{Value, json};

use crate::floor::Floor;

const NONE: &str = "0000000000000000000000000000000000000000";

impl Floor {
    /// The log of the repository behind its making: kinds with refs, or with what they name.
    async fn told(&self) -> Vec<(String, Value)> {
        let repository = self.repository;
        let page = self.test.app.db.read(move |t| Box::pin(event::page(t, repository, 0, 1000)));
        let events: Result<Vec<Event>, Error> = page.await;
        let events = events.unwrap();
        let read = |event: Event| (event.kind, serde_json::from_str(&event.refs).unwrap());
        let kept = |event: &Event| event.kind.starts_with("push") || event.kind == "proposal.executed";
        events.into_iter().filter(kept).map(read).collect()
    }

    /// A commit on top of `parent` that no ref leads to.
    fn commit(&self, parent: &str, message: &str) -> String {
        self.git(&["commit-tree", &format!("{parent}^{{tree}}"), "-p", parent, "-m", message])
    }

    /// What git asks of a push of the owner's, and the answer.
    async fn accepted(&self, updates: &[(&str, &str, &str)]) -> Accepted {
        let updates = updates.iter().map(|(old, new, name)| format!("{old} {new} {name}")).collect();
        let asked = Asked { updates, quarantine: None };
        let lock = self.test.app.git.lock_for_push(self.repository).await.unwrap();
        decide(&self.test.app, &self.owner, &lock, asked).await.unwrap()
    }

    async fn recover(&self) {
        recover(&self.test.app).await.unwrap();
    }
}

fn line(old: &str, new: &str, name: &str) -> RefUpdate {
    RefUpdate::parse(&format!("{old} {new} {name}")).unwrap()
}

fn recovered(name: &str, old: Option<&str>, new: Option<&str>) -> (String, Value) {
    let refs = json!({ "ref": name, "old": old, "new": new, "forced": false });
    ("push (recovered)".to_owned(), refs)
}

both!(a_move_that_nobody_told_of_is_found_and_told_once, db, {
    let floor = Floor::lay(db).await;
    let base = floor.tip().await.to_string();
    floor.recover().await;
    assert_eq!(floor.told().await, [], "what was made is seen from the start");
    let next = floor.commit(&base, "next");
    floor.git(&["update-ref", "refs/heads/main", &next]);
    floor.git(&["update-ref", "refs/heads/topic", &base]);
    floor.git(&["tag", "-a", "-m", "One", "v1", &next]);
    floor.git(&["update-ref", "refs/notes/commits", &next]);
    floor.git(&["pack-refs", "--all"]);
    let tag = floor.git(&["rev-parse", "refs/tags/v1"]);
    floor.recover().await;
    let mut wanted = vec![
        recovered("refs/heads/main", Some(&base), Some(&next)),
        recovered("refs/heads/topic", None, Some(&base)),
        recovered("refs/tags/v1", None, Some(&tag)),
    ];
    assert_eq!(floor.told().await, wanted);
    floor.git(&["update-ref", "-d", "refs/heads/topic"]);
    floor.recover().await;
    floor.recover().await;
    wanted.push(recovered("refs/heads/topic", Some(&base), None));
    assert_eq!(floor.told().await, wanted);
});

both!(of_two_servers_that_find_the_same_one_tells_it, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    let base = floor.tip().await.to_string();
    let git = GitHost::open(app.git.root(), None).await.unwrap();
    let parts = Parts {
        db: app.db.clone(),
        refs: Arc::new(UpdateRef::new(git.clone())),
        git,
        signer: Arc::clone(&app.signer),
        clock: Arc::clone(&app.clock),
        entropy: Arc::clone(&app.entropy),
        settings: app.settings.clone(),
        faults: Arc::clone(&app.faults),
        client_id_key: app.client_id_key,
        catalogue: app.catalogue.clone(),
        resolver: Arc::clone(&app.resolver),
    };
    let other = App::new(parts);
    for n in 0..10 {
        floor.git(&["update-ref", &format!("refs/heads/topic-{n}"), &base]);
        let (one, two) = tokio::join!(recover(app), recover(&other));
        one.unwrap();
        two.unwrap();
        assert_eq!(floor.told().await.len(), n + 1);
    }
});

both!(what_a_first_push_brought_before_a_crash_is_told_of, db, {
    let floor = Floor::lay(db).await;
    let base = floor.tip().await.to_string();
    let id = floor.repository.to_string();
    floor.meddle("DELETE FROM repository_ref WHERE repository_id = $1", id).await;
    floor.recover().await;
    assert_eq!(floor.told().await, [recovered("refs/heads/main", None, Some(&base))]);
});

both!(an_approval_tells_of_its_own_move_and_nobody_else_does, db, {
    let floor = Floor::lay(db).await;
    let id = floor.propose("key-0001", "a.txt").await;
    approve(&floor.test.app, &floor.owner, id).await.unwrap();
    floor.recover().await;
    let kinds: Vec<_> = floor.told().await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["proposal.executed"]);
});

both!(an_approval_behind_a_move_that_nobody_told_of_tells_that_first, db, {
    let floor = Floor::lay(db).await;
    let base = floor.tip().await.to_string();
    let next = floor.commit(&base, "next");
    floor.git(&["update-ref", "refs/heads/main", &next]);
    let id = floor.propose("key-0001", "a.txt").await;
    approve(&floor.test.app, &floor.owner, id).await.unwrap();
    floor.recover().await;
    let told = floor.told().await;
    assert_eq!(told[0], recovered("refs/heads/main", Some(&base), Some(&next)));
    assert_eq!((told.len(), told[1].0.as_str()), (2, "proposal.executed"));
});

both!(the_branch_of_an_unfinished_approval_is_left_to_it, db, {
    let floor = Floor::lay(db).await;
    let base = floor.tip().await.to_string();
    let id = floor.propose("key-0001", "a.txt").await;
    // Begun by another server, which is between the move and its story.
    floor.meddle("UPDATE proposal SET status = 'executing', attempt = 1 WHERE id = $1", id.to_string()).await;
    let next = floor.commit(&base, "next");
    floor.git(&["update-ref", "refs/heads/main", &next]);
    let lock = floor.test.app.git.lock(floor.repository, Hold::Exclusive).await.unwrap();
    // Whoever wanted to tell of it would wait for the lock in vain.
    settle(&floor.test.app, floor.repository, None).await.unwrap();
    assert_eq!(floor.told().await, []);
    drop(lock);
    floor.meddle("UPDATE proposal SET status = 'declined' WHERE id = $1", id.to_string()).await;
    floor.recover().await;
    assert_eq!(floor.told().await, [recovered("refs/heads/main", Some(&base), Some(&next))]);
});

both!(a_push_behind_a_move_that_nobody_tells_of_tells_both_in_their_order, db, {
    let floor = Floor::lay(db).await;
    let (app, base) = (&floor.test.app, floor.tip().await.to_string());
    let (first, second) = (floor.commit(&base, "first"), floor.commit(&base, "second"));
    // The server of the first push died before it told of it.
    floor.git(&["update-ref", "refs/heads/topic", &first]);
    let update = (first.as_str(), second.as_str(), "refs/heads/topic");
    let accepted = floor.accepted(&[update]).await;
    floor.git(&["update-ref", "refs/heads/topic", &second]);
    let moved = [line(update.0, update.1, update.2)];
    assert_eq!(record(app, &accepted, &moved).await.unwrap(), Recorded::Behind);
    assert_eq!(floor.told().await, []);
    settle(app, floor.repository, Some(Push { accepted: &accepted, moved: Some(&moved) })).await.unwrap();
    let told = floor.told().await;
    assert_eq!(told[0], recovered("refs/heads/topic", None, Some(&first)));
    let forced = json!({ "ref": "refs/heads/topic", "old": first, "new": second, "forced": true });
    assert_eq!(told[1..], [("push".to_owned(), forced)]);
    floor.recover().await;
    assert_eq!(floor.told().await.len(), 2);
});

both!(a_push_that_was_cut_short_tells_of_what_it_moved_and_of_nothing_else, db, {
    let floor = Floor::lay(db).await;
    let (app, base) = (&floor.test.app, floor.tip().await.to_string());
    let updates = [(NONE, base.as_str(), "refs/heads/a"), (NONE, base.as_str(), "refs/heads/b")];
    let accepted = floor.accepted(&updates).await;
    floor.git(&["update-ref", "refs/heads/a", &base]);
    settle(app, floor.repository, Some(Push { accepted: &accepted, moved: None })).await.unwrap();
    floor.recover().await;
    let told = json!({ "ref": "refs/heads/a", "old": null, "new": base, "forced": false });
    assert_eq!(floor.told().await, [("push".to_owned(), told)]);
});

both!(what_git_did_not_move_is_not_told, db, {
    let floor = Floor::lay(db).await;
    let (app, base) = (&floor.test.app, floor.tip().await.to_string());
    let updates = [(NONE, base.as_str(), "refs/heads/a"), (NONE, base.as_str(), "refs/heads/b")];
    let accepted = floor.accepted(&updates).await;
    floor.git(&["update-ref", "refs/heads/b", &base]);
    let moved = [line(NONE, &base, "refs/heads/b"), line(NONE, &base, "refs/heads/unasked")];
    assert_eq!(record(app, &accepted, &moved).await.unwrap(), Recorded::Done);
    floor.recover().await;
    let told = json!({ "ref": "refs/heads/b", "old": null, "new": base, "forced": false });
    assert_eq!(floor.told().await, [("push".to_owned(), told)]);
});
