//! An approval of one file as a whole use case, its refusal and its replay, against git as a script would call it.
//!
//! Refusal and replay have two rows each. The first is the look alone, which is all that the script does: at the refs,
//! or at the record of what was done. The second is the use case around it, with gate, audit and the durable end of what
//! is stale; the script has nothing like it, so that this row has no budget.

use countersign_app::proposal::{FileImport, approve, propose_file_import};
use countersign_app::testing::home::Home;
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_core::id::ProposalId;
use countersign_core::problem::{Code, Problem};
use countersign_store::testing::Folder;
use countersign_store::{Db, Error, proposal};
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

/// Milliseconds: of the tries of one round, or the medians of all rounds.
#[derive(Debug, Default)]
struct Times {
    /// Ours, the script, the durable script.
    approval: [Vec<f64>; 3],
    /// Our look, our use case, the script.
    stale: [Vec<f64>; 3],
    /// Our look, our use case, the script.
    replay: [Vec<f64>; 3],
}

impl Times {
    fn collect(&mut self, tries: &Self) {
        for (all, tries) in [
            (&mut self.approval, &tries.approval),
            (&mut self.stale, &tries.stale),
            (&mut self.replay, &tries.replay),
        ] {
            for (all, tries) in all.iter_mut().zip(tries) {
                all.push(median(tries));
            }
        }
    }
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
    let mut rounds = Times::default();
    // The first round warms the caches up, and is not counted.
    for round in 0..=ROUNDS {
        let mut tries = Times::default();
        bench.round(round, &mut tries)?;
        if round > 0 {
            rounds.collect(&tries);
        }
    }
    Ok(written(&rounds))
}

fn written(rounds: &Times) -> Vec<Row> {
    let row = |name: &str, what: &str, (ours, baseline): (&[f64], &[f64]), against: &str, budget| Row {
        name: name.to_owned(),
        unit: "ms",
        ours: ours.to_vec(),
        baseline: baseline.to_vec(),
        budget,
        conditions: format!(
            "{what}, one file of 10 KB; each round the median of {TRIES}; baseline {against}"
        ),
    };
    let whole = "use case in process with gate, audit and event, SQLite (synchronous=FULL)";
    let [ours, plain, durable] = &rounds.approval;
    let [look, stale, two] = &rounds.stale;
    let [found, replay, one] = &rounds.replay;
    let (eight, lasting) = ("eight git subprocesses, not durable", "eight git subprocesses, core.fsync=all");
    let (of_two, of_one) = ("two git subprocesses", "one git subprocess");
    let (refs, record) = ("the look at marker and branch", "the read of the proposal, SQLite");
    vec![
        row("approval", whole, (ours, plain), eight, Budget::Faster(3.0)),
        row("approval, against a durable baseline", whole, (ours, durable), lasting, Budget::Faster(4.0)),
        row("stale refusal at look-up", refs, (look, two), of_two, Budget::Faster(9.0)),
        row("stale refusal, whole use case", whole, (stale, two), of_two, Budget::Reported),
        row("replay from the store", record, (found, one), of_one, Budget::Faster(50.0)),
        row("replay, whole use case", whole, (replay, one), of_one, Budget::Reported),
    ]
}

/// What one try of every contender is about.
struct Turn {
    /// What is approved.
    wanted: ProposalId,
    /// What that makes stale.
    late: ProposalId,
    path: String,
    content: String,
}

struct Bench<'a> {
    runtime: &'a Runtime,
    home: &'a Home,
    plain: Script,
    durable: Script,
}

impl Bench<'_> {
    /// One round. Approvals take turns: a person decides one, and it meets nothing of another that is still being put
    /// away. The looks of each contender are in a row, so that none is measured in what another left of the caches.
    fn round(&self, round: usize, tries: &mut Times) -> Result<(), Failure> {
        let base = self.plain.tip()?;
        let mut turns = Vec::with_capacity(TRIES);
        for number in 0..TRIES {
            let turn = self.set_up(&format!("r{round:02}t{number:02}"))?;
            let marker = turn.wanted.to_string();
            tries.approval[0].push(self.approve(turn.wanted, None)?);
            for (script, times) in [&self.plain, &self.durable].into_iter().zip(&mut tries.approval[1..]) {
                note(times, || script.approve(&marker, &turn.path, &turn.content))?;
            }
            turns.push(turn);
        }
        for turn in &turns {
            tries.stale[0].push(self.look_stale(turn.late, &base)?);
        }
        for turn in &turns {
            tries.stale[1].push(self.approve(turn.late, Some(Code::ProposalStale))?);
        }
        for turn in &turns {
            note(&mut tries.stale[2], || self.plain.refuse_stale(&turn.late.to_string(), &base))?;
        }
        for turn in &turns {
            tries.replay[0].push(self.read_executed(turn.wanted)?);
        }
        for turn in &turns {
            tries.replay[1].push(self.approve(turn.wanted, None)?);
        }
        for turn in &turns {
            note(&mut tries.replay[2], || self.plain.replay(&turn.wanted.to_string()))?;
        }
        Ok(())
    }

    /// Two proposals on one base: one to approve, and one that it makes stale.
    fn set_up(&self, name: &str) -> Result<Turn, Failure> {
        let (path, content) = (format!("docs/{name}.md"), name.repeat(SIZE / name.len()));
        let wanted = self.propose(name, &path, &content)?;
        let late = self.propose(&format!("{name}-late"), &format!("late/{name}.md"), &content)?;
        Ok(Turn { wanted, late, path, content })
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

    /// Runs `work` where a server's handlers run, and answers its milliseconds and what it gave.
    fn on_a_worker<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<(f64, T), Failure> {
        let task = self.runtime.spawn(async move {
            let begun = now();
            let done = work.await;
            (begun.elapsed().as_secs_f64() * 1e3, done)
        });
        self.runtime.block_on(task).map_err(Failure::while_doing("run a use case"))
    }

    /// Looks at both refs and finds that `base` is not the tip.
    fn look_stale(&self, id: ProposalId, base: &str) -> Result<f64, Failure> {
        let (app, repository) = (self.home.app().clone(), self.home.repository);
        let main = BranchName::parse("main").map_err(Failure::while_doing("name a branch"))?;
        let look = async move { app.git.glance(repository, |refs| Ok((refs.marker(id)?, refs.tip(&main)?))) };
        match self.on_a_worker(look)? {
            (milliseconds, Ok((None, Some(tip)))) if tip.to_string() != base => Ok(milliseconds),
            (_, found) => Err(Failure::new(format!("nothing stale: {found:?}"))),
        }
    }

    /// Finds the record of what was approved.
    fn read_executed(&self, id: ProposalId) -> Result<f64, Failure> {
        let db = self.home.app().db.clone();
        let find = async move {
            db.glance::<_, Error>(move |t| Box::pin(async move { proposal::find(t, id).await })).await
        };
        match self.on_a_worker(find)? {
            (milliseconds, Ok(Some(found))) if found.commit_oid.is_some() => Ok(milliseconds),
            (_, found) => Err(Failure::new(format!("nothing executed: {found:?}"))),
        }
    }

    /// Approves; `refusal` is the one that has to come.
    fn approve(&self, id: ProposalId, refusal: Option<Code>) -> Result<f64, Failure> {
        let (app, owner) = (self.home.app().clone(), self.home.owner.clone());
        let (milliseconds, approved) = self.on_a_worker(async move { approve(&app, &owner, id).await })?;
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
