//! Must show: the power is cut at random moments while agents propose, owners approve and people push; nothing that
//! was answered is lost, and nothing is left in a state that cannot go on. With a sync taken out the same test finds
//! the loss. What a cut is: docs/decisions/13-power-cut.md.
#![cfg(test)]

mod first_day;
mod load;
mod pushed;
mod tended;
mod verdict;

use std::sync::atomic::Ordering;
use std::time::Duration;

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::power::{Deaf, Power, Survives};
use countersign_testkit::repo::git_ok;
use countersign_testkit::server::{Options, Ships};
use countersign_testkit::trials;

use crate::load::{Book, LANES, Load, Work};

/// A house on the program that ships, with a branch for each who writes, and the power that it runs on.
struct Site {
    house: House,
    power: Power,
    load: Load,
    options: Options,
}

impl Site {
    async fn build(deaf: Deaf) -> Self {
        let mut house =
            House::build(Engine::Sqlite, &Options { ships: Ships::Unclaimed, ..Options::default() }).await;
        for lane in LANES {
            git_ok(&house.bare(), &["branch", lane, "main"]).await;
        }
        let limits = house.data.folder().join("config.toml");
        std::fs::write(limits, "rate_limit = 1000000\n").unwrap();
        house.server.kill().await;
        let power = Power::of(&house.data.folder());
        let options = Options {
            ships: Ships::Claimed,
            git: Some(power.git(deaf)),
            variables: power.variables(deaf),
            ..Options::default()
        };
        house.restart(&options).await;
        let load = Load::prepare(&house).await;
        Self { house, power, load, options }
    }

    /// Writes until the power is cut; what was answered until then.
    async fn cut_under_load(&mut self, work: Work, cut: Cut) -> Book {
        let moment = async {
            while self.load.answered.load(Ordering::SeqCst) < cut.answered
                || self.load.pushed.load(Ordering::SeqCst) < cut.pushed
            {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            tokio::time::sleep(cut.later).await;
            self.power.cut();
        };
        let (book, ()) = tokio::join!(self.load.run(&self.house, work), moment);
        self.house.server.kill().await;
        book
    }

    /// Gives the power back, and says what is not as it was answered.
    async fn come_back(&mut self, survives: Survives, book: &Book) -> Vec<String> {
        self.power.restore(survives);
        self.house.restart(&self.options).await;
        verdict::of(&self.house, book).await
    }
}

/// Five kinds of disks, one after the other.
fn survives(trial: usize) -> Survives {
    match trial % 5 {
        0 => Survives::Nothing,
        1 => Survives::Names,
        2 => Survives::Refs,
        3 => Survives::Removals,
        _ => Survives::Some(u64::try_from(trial).unwrap_or(0)),
    }
}

/// When the power is cut: after so many answers, and a moment later.
#[derive(Clone, Copy, Debug)]
struct Cut {
    answered: usize,
    pushed: usize,
    later: Duration,
}

impl Cut {
    /// Each trial at another moment of what is under way.
    fn of(trial: usize) -> Self {
        let later = Duration::from_millis(u64::try_from(trial).unwrap_or(0) * 37 % 200);
        Self { answered: 1 + trial % 4, pushed: trial % 2, later }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_was_answered_is_lost_with_the_power() {
    let mut site = Site::build(Deaf::No).await;
    let mut all = Book::default();
    let trials = trials(10, 60);
    for trial in 0..trials {
        let book = site.cut_under_load(Work::All, Cut::of(trial)).await;
        let found = site.come_back(survives(trial), &book).await;
        assert_eq!(found, [""; 0], "cut {trial}, {:?} of what was not synced survived", survives(trial));
        all.add(book);
    }
    println!(
        "proof: the power is cut under load: {trials} cuts, {} proposals, {} approvals and {} pushes answered, 0 lost; \
         {} approvals and {} pushes cut short, each finished or undone",
        all.proposed.len(),
        all.landed.len(),
        all.pushed.len(),
        all.begun.len(),
        all.pushing
    );
    assert!(!all.begun.is_empty(), "no approval was under way: this showed nothing");
}

/// The same with a sync that does nothing; what was lost by the third cut.
async fn lost_with(deaf: Deaf, work: Work) -> Vec<String> {
    let mut site = Site::build(deaf).await;
    for _ in 0..3 {
        let cut = Cut { answered: 3, pushed: 0, later: Duration::ZERO };
        let book = site.cut_under_load(work, cut).await;
        let found = site.come_back(Survives::Nothing, &book).await;
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_sync_of_the_database_the_same_test_finds_proposals_that_are_lost() {
    // An approval syncs the whole file system by the way, and the database with it.
    let found = lost_with(Deaf::ToFsync, Work::Proposals).await;
    assert!(
        found.iter().any(|what| what.contains("was answered and is gone")),
        "the test is blind: {found:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_sync_of_the_repository_the_same_test_finds_approvals_that_are_lost() {
    let found = lost_with(Deaf::ToSyncfs, Work::All).await;
    assert!(found.iter().any(|what| what.contains("is not in")), "the test is blind: {found:?}");
}
