//! The net under the tending of objects: what was removed comes back where its place was lost.

use std::os::unix::fs::PermissionsExt as _;

use countersign_git::GitHost;
use countersign_git::lock::Hold;
use countersign_git::maintain::{Due, KEPT, Left};
use countersign_git::transaction::UpdateRef;

use crate::place::{Place, at, git};

#[tokio::test]
async fn what_a_repack_removed_is_put_back_where_its_pack_was_lost() {
    let (place, _) = Place::with_repository().await;
    // A git that ends badly once it has moved everything: it stands for a power cut at that moment.
    let program = place.dir.path().join("torn-git");
    let script = "#!/bin/sh\ncase \" $* \" in *' repack '*) git \"$@\"; exit 1;; esac\nexec git \"$@\"\n";
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let torn = GitHost::open(&place.dir.path().join("repositories"), Some(&program)).await.unwrap();
    let lock = torn.lock(place.id, Hold::Exclusive).await.unwrap();
    let (refs, due) = (UpdateRef::new(torn.clone()), Due { objects: true, ..Due::default() });
    torn.maintain((&lock, None), &refs, (due, KEPT), at(0)).await.unwrap_err();
    drop(lock);
    let (folder, packs) = (place.host.path(place.id), place.host.path(place.id).join("objects/pack"));
    assert!(std::fs::read_dir(&packs).unwrap().count() > 0, "nothing was packed");
    std::fs::remove_dir_all(&packs).unwrap();
    assert!(!git(&folder, &["fsck"]).status.success(), "nothing was lost");
    assert_eq!(place.host.due(place.id, at(0)).await.unwrap().left, Left::Something);
    let lock = place.host.lock(place.id, Hold::Exclusive).await.unwrap();
    place.host.sweep(&lock).await.unwrap();
    assert_eq!(place.git(&["fsck", "--strict"]), "");
    assert!(!folder.join("countersign-net").exists());
}
