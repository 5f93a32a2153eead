//! An approval of one file as a whole use case, its refusal and its replay, against git as a script would call it.

use countersign_app::proposal::{FileImport, approve, propose_file_import};
use countersign_app::testing::home::Home;
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_core::id::ProposalId;
use countersign_core::problem::{Code, Problem};
use countersign_store::Db;
use countersign_store::testing::Folder;
use serde_json::json;
use tokio::runtime::Runtime;

use super::Row;
use crate::ROUNDS;
use crate::baseline::git::{Durable, Script};
use crate::budget::Budget;
use crate::clock::{now, timed};
use crate::failure::Failure;
use crate::statistic::median;

/// Approvals of each contender in a round; the round's figure is their median.
const TRIES: usize = 15;
/// The size of the file.
const SIZE: usize = 10 * 1024;

/// Medians of the rounds, in milliseconds.
#[derive(Debug, Default)]
struct Rounds {
    approval: [Vec<f64>; 3],
    stale: [Vec<f64>; 2],
    replay: [Vec<f64>; 2],
}

/// What one round measured, try by try.
#[derive(Debug, Default)]
struct Tries {
    approval: [Vec<f64>; 3],
    stale: [Vec<f64>; 2],
    replay: [Vec<f64>; 2],
}

pub(crate) fn rows(runtime: &Runtime) -> Result<Vec<Row>, Failure> {
    let folder = Folder::new();
    let db = runtime.block_on(Db::open(&folder.sqlite_url()));
    let home = runtime.block_on(Home::over(db.map_err(Failure::while_doing("open a store"))?));
    let copy = |name: &str, durable| Script::copy(&home.path(), &folder.path().join(name), durable);
    let bench = Bench {
        runtime,
        home: &home,
        plain: copy("plain.git", Durable::No)?,
        durable: copy("durable.git", Durable::Yes)?,
    };
    let mut rounds = Rounds::default();
    // The first round warms the caches up, and is not counted.
    for round in 0..=ROUNDS {
        let mut tries = Tries::default();
        for number in 0..TRIES {
            bench.turn(&format!("r{round:02}t{number:02}"), &mut tries)?;
        }
        if round > 0 {
            collect(&mut rounds.approval, &tries.approval);
            collect(&mut rounds.stale, &tries.stale);
            collect(&mut rounds.replay, &tries.replay);
        }
    }
    Ok(written(&rounds))
}

fn collect<const N: usize>(rounds: &mut [Vec<f64>; N], tries: &[Vec<f64>; N]) {
    for (rounds, tries) in rounds.iter_mut().zip(tries) {
        rounds.push(median(tries));
    }
}

fn written(rounds: &Rounds) -> Vec<Row> {
    let row = |name: &str, (ours, baseline): (&[f64], &[f64]), against: &str, budget| Row {
        name: name.to_owned(),
        unit: "ms",
        ours: ours.to_vec(),
        baseline: baseline.to_vec(),
        budget,
        conditions: format!(
            "use case in process with gate, audit and event, SQLite (synchronous=FULL), one file of 10 KB; each round \
             the median of {TRIES}; baseline {against}"
        ),
    };
    let [ours, plain, durable] = &rounds.approval;
    let [stale, stale_git] = &rounds.stale;
    let [replay, replay_git] = &rounds.replay;
    vec![
        row("approval", (ours, plain), "eight git subprocesses, not durable", Budget::Faster(3.0)),
        row(
            "approval, against a durable baseline",
            (ours, durable),
            "eight git subprocesses, core.fsync=all",
            Budget::Faster(4.0),
        ),
        row("stale refusal at look-up", (stale, stale_git), "two git subprocesses", Budget::Faster(9.0)),
        row("replay from the store", (replay, replay_git), "one git subprocess", Budget::Faster(50.0)),
    ]
}

struct Bench<'a> {
    runtime: &'a Runtime,
    home: &'a Home,
    plain: Script,
    durable: Script,
}

impl Bench<'_> {
    /// One try of each contender, in turns.
    fn turn(&self, name: &str, tries: &mut Tries) -> Result<(), Failure> {
        let (path, content) = (format!("docs/{name}.md"), name.repeat(SIZE / name.len()));
        let base = self.plain.tip()?;
        let wanted = self.propose(name, &path, &content)?;
        let late = self.propose(&format!("{name}-late"), &format!("late/{name}.md"), &content)?;
        let marker = wanted.to_string();
        tries.approval[0].push(self.approve(wanted, None)?);
        note(&mut tries.approval[1], || self.plain.approve(&marker, &path, &content))?;
        note(&mut tries.approval[2], || self.durable.approve(&marker, &path, &content))?;
        tries.stale[0].push(self.approve(late, Some(Code::ProposalStale))?);
        note(&mut tries.stale[1], || self.plain.refuse_stale(&late.to_string(), &base))?;
        tries.replay[0].push(self.approve(wanted, None)?);
        note(&mut tries.replay[1], || self.plain.replay(&marker))
    }

    fn propose(&self, key: &str, path: &str, content: &str) -> Result<ProposalId, Failure> {
        let import = FileImport {
            repository: self.home.repository,
            branch: "main".to_owned(),
            message: format!("Write {path}"),
            files: vec![ProposedFile { path: path.to_owned(), content: content.to_owned() }],
            idempotency_key: format!("bench-{key}"),
            expected_base_oid: None,
            arguments: json!({ "key": key }),
        };
        let proposed = propose_file_import(self.home.app(), &self.home.agent, import);
        let receipt = self.runtime.block_on(proposed).map_err(Failure::while_doing("propose"))?;
        Ok(receipt.proposal_id)
    }

    /// Approves where a server's handlers run, and answers the milliseconds; `refusal` is the one that has to come.
    fn approve(&self, id: ProposalId, refusal: Option<Code>) -> Result<f64, Failure> {
        let (app, owner) = (self.home.app().clone(), self.home.owner.clone());
        let task = self.runtime.spawn(async move {
            let begun = now();
            let approved = approve(&app, &owner, id).await;
            (begun.elapsed().as_secs_f64() * 1e3, approved)
        });
        let (milliseconds, approved) =
            self.runtime.block_on(task).map_err(Failure::while_doing("run an approval"))?;
        match (approved, refusal) {
            (Ok(_), None) => Ok(milliseconds),
            (Err(Problem { code, .. }), Some(refusal)) if code == refusal => Ok(milliseconds),
            (Ok(_), Some(_)) => Err(Failure::new("what was to be stale landed")),
            (Err(problem), _) => Err(Failure::new(format!("approve: {problem}"))),
        }
    }
}

fn note(tries: &mut Vec<f64>, work: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let (milliseconds, done) = timed(work);
    tries.push(milliseconds);
    done
}
