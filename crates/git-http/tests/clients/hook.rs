//! Who is answered at the desk of a push: the hooks that git started for it, and each of them once.

use countersign_store::both;

use crate::push::pushes;
use crate::served::{Served, complained};

/// A push through hooks that do `lines` is refused, and nothing has happened.
async fn is_refused(served: &Served, said: &str) {
    let clone = served.workplace(&served.writer).await;
    served.change(&clone, "a.txt", b"one\n").await;
    let before = served.at("main").await;
    let pushed = served.git(&clone, &["push", "origin", "HEAD:main"]).await;
    let text = complained(&pushed);
    assert!(!pushed.status.success() && text.contains(said), "{text}");
    assert_eq!((served.at("main").await, pushes(served).await), (before, vec![]));
}

both!(a_push_that_is_asked_for_a_second_time_is_refused, db, {
    let served = Served::asking(db, r#"for _ in 1 2; do echo "$said" | "$ask" "$@" || exit 1; done"#).await;
    is_refused(&served, "was asked for before").await;
});

both!(whoever_does_not_hold_the_token_of_the_push_is_not_answered, db, {
    let served = Served::asking(db, r#"echo "$said" | COUNTERSIGN_HOOK_TOKEN=guessed "$ask" "$@""#).await;
    is_refused(&served, "nothing was changed").await;
});
