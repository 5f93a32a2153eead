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

both!(the_quarantine_of_a_killed_push_counts_no_longer_than_to_the_next_round, db, {
    let floor = Floor::lay(db).await;
    let app = &floor.test.app;
    upkeep(app).await.unwrap();
    let before = app.git.size(floor.repository).await.unwrap();
    let left = app.git.path(floor.repository).join("objects/tmp_objdir-incoming-dead");
    std::fs::create_dir(&left).unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(6);
    let pack = left.join("pack");
    std::fs::write(&pack, [0; 4096]).unwrap();
    for place in [&pack, &left] {
        std::fs::File::open(place).unwrap().set_modified(old).unwrap();
    }
    assert_eq!(app.git.size(floor.repository).await.unwrap(), before + 4096);
    upkeep(app).await.unwrap();
    assert_eq!(app.git.size(floor.repository).await.unwrap(), before);
});
