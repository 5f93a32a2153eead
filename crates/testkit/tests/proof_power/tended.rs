//! The power is cut while a repository is looked after: what was moved from many files into one is in the one or in the
//! many.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use countersign_testkit::power::{Deaf, Survives};
use countersign_testkit::{trials, upkeep};

use crate::load::Book;
use crate::{Cut, Site, Work, verdict};

/// What a disk may keep; the first one keeps least of what was moved.
const DISKS: [Survives; 4] = [Survives::Removals, Survives::Refs, Survives::Nothing, Survives::Names];

#[tokio::test(flavor = "multi_thread")]
async fn what_upkeep_moves_outlives_the_power() {
    let mut site = Site::build(Deaf::No).await;
    let (git, variables) = (site.power.git(Deaf::No), site.power.variables(Deaf::No));
    let stopping = stops_before(&git, "commit-graph");
    let root = site.house.data.repositories();
    let (rounds, mut window) = (trials(10, 60), Duration::from_millis(600));
    let (mut all, mut cut_short) = (Book::default(), 0);
    for round in 0..rounds {
        let survives = DISKS[round / 2 % DISKS.len()];
        // Something new to pack, whole on the disk.
        let book =
            site.cut_under_load(Work::All, Cut { answered: 3, pushed: 1, later: Duration::ZERO }).await;
        let found = site.come_back(Survives::All, &book).await;
        assert_eq!(found, [""; 0], "round {round}, before it");
        site.house.server.kill().await;
        site.power.restore(Survives::All);

        // Every other one is cut where all is moved and nothing was synced since.
        let is_moved = round % 2 == 0;
        let git = if is_moved { &stopping } else { &git };
        let mut tending = upkeep::process(&root, &site.house.repository, git, &variables)
            .stderr(Stdio::inherit())
            .spawn()
            .expect("it starts");
        let cut = async {
            if is_moved { until_it_stops(&stopping).await } else { tokio::time::sleep(window * 2 / 3).await }
        };
        tokio::select! {
            ended = tending.wait() => {
                assert!(ended.expect("its end is seen").success(), "round {round}: upkeep goes on");
                window = window * 7 / 8;
            }
            () = cut => {
                cut_short += 1;
                window = window * 9 / 8;
            }
        }
        site.power.cut();
        let _ = tending.wait().await;
        site.power.restore(survives);
        site.house.restart(&site.options).await;
        let found = verdict::of(&site.house, &book).await;
        assert_eq!(found, [""; 0], "round {round}, {survives:?} of what was not synced survived");
        all.add(book);
    }
    assert!(cut_short >= rounds / 2, "upkeep was not cut short: this showed nothing");
    println!(
        "proof: the power is cut while a repository is looked after: {rounds} cuts, {cut_short} of them before its end, \
         {} approvals and {} pushes answered, 0 lost",
        all.landed.len(),
        all.pushed.len()
    );
}

/// The same git, which stops for good before this command.
fn stops_before(git: &Path, command: &str) -> PathBuf {
    let text = std::fs::read_to_string(git).expect("it is a script");
    let (head, call) = text.rsplit_once("exec").expect("it calls git at its end");
    let stop = format!("case \" $* \" in *\" {command} \"*) : > \"$0.stopped\"; exec sleep 60;; esac\n");
    let script = git.with_file_name("git-that-stops");
    std::fs::write(&script, format!("{head}{stop}exec{call}")).expect("the script can be written");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755))
        .expect("it can be made a program");
    script
}

/// Waits until that git has stopped, once more.
async fn until_it_stops(script: &Path) {
    let mark = script.with_extension("stopped");
    while std::fs::remove_file(&mark).is_err() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
