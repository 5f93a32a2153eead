//! The timer looks after a repository when something is due and nobody works in it.

use countersign_app::repository::upkeep;
use countersign_git::lock::Hold;
use countersign_store::both;

use crate::floor::Floor;

const WEEK: i64 = 7 * 24 * 3600;

/// When the repository was pruned last, as the folder says.
fn pruned(floor: &Floor) -> String {
    let path = floor.test.app.git.path(floor.repository);
    std::fs::read_to_string(path.join("countersign-pruned")).unwrap()
}

both!(a_week_later_a_repository_is_pruned_unless_somebody_works_in_it, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    upkeep(app).await.unwrap();
    let first = pruned(&floor);
    floor.test.clock.advance_seconds(WEEK);
    let working = app.git.lock(floor.repository, Hold::Approval).await.unwrap();
    upkeep(app).await.unwrap();
    assert_eq!(pruned(&floor), first, "somebody works there");
    drop(working);
    upkeep(app).await.unwrap();
    let second = pruned(&floor);
    assert_ne!(second, first);
    upkeep(app).await.unwrap();
    assert_eq!(pruned(&floor), second, "nothing is due any more");
    assert_eq!(floor.git(&["count-objects"]), "0 objects, 0 kilobytes");
    floor.git(&["fsck", "--strict"]);
});
