//! The power is cut after git moved the ref of a push and before the server has synced it: the ref names what is there,
//! however little of the rest a disk keeps.

use countersign_testkit::power::{Deaf, Survives};
use countersign_testkit::repo::{git, git_ok};
use countersign_testkit::server::{Options, Ships};

use crate::Site;
use crate::load::PUSHED;

#[tokio::test(flavor = "multi_thread")]
async fn a_ref_that_a_push_moved_names_what_outlives_the_power() {
    let mut site = Site::build(Deaf::No).await;
    let work = site.load.work();
    for survives in [Survives::Refs, Survives::Nothing, Survives::Names, Survives::Removals] {
        let killed =
            Options { ships: Ships::No, kill_at: Some("sync_push:1".to_owned()), ..site.options.clone() };
        site.house.restart(&killed).await;
        let before = tip_of(&site).await;
        let commit = site.load.commit().await;
        let pushed = git(&work, &["push", "-q", "origin", "HEAD"]).await;
        assert!(site.house.server.ended().await, "it is killed between the two");
        // Its git was told that nobody is there any more, and has moved the ref.
        drop(pushed);
        site.power.cut();
        assert_eq!(tip_of(&site).await, commit, "this shows nothing");
        site.power.restore(survives);

        let after = tip_of(&site).await;
        assert!(
            [before, commit].contains(&after),
            "{survives:?} leaves a ref at {after:?}, which is not there"
        );
        git_ok(&site.house.bare(), &["fsck", "--strict", "--full", "--no-dangling"]).await;
        site.house.restart(&site.options).await;
        git_ok(&work, &["push", "-q", "origin", "HEAD"]).await;
        site.house.server.kill().await;
    }
}

/// The commit that the branch names and that is there; nothing, where it names another one.
async fn tip_of(site: &Site) -> String {
    let named =
        git(&site.house.bare(), &["rev-parse", "--verify", &format!("refs/heads/{PUSHED}^{{commit}}")]).await;
    String::from_utf8_lossy(&named.stdout).trim().to_owned()
}
