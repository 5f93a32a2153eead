//! The gate alone, store included, against the join that it reads, run on the caller's own thread.

use countersign_app::gate::{self, Action, Effect, Found, Need};
use countersign_app::testing::home::Home;
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::Scope;
use countersign_store::access::{self, Asker};
use countersign_store::testing::{Folder, Inline};
use countersign_store::{Db, Error};
use tokio::runtime::Runtime;

use super::Row;
use crate::ROUNDS;
use crate::budget::Budget;
use crate::failure::Failure;
use crate::process::own_cpu;

/// Calls of each contender in a round.
const CALLS: u32 = 150_000;

const READ: Action =
    Action { name: "read_gitnest_file", need: Need::Agent(Scope::Read), effect: Effect::Read };

pub(crate) fn rows(runtime: &Runtime) -> Result<Vec<Row>, Failure> {
    let folder = Folder::new();
    let db =
        runtime.block_on(Db::open(&folder.sqlite_url())).map_err(Failure::while_doing("open a store"))?;
    let home = runtime.block_on(Home::over(db));
    let inline =
        Inline::open(&folder.path().join("store.db")).map_err(Failure::while_doing("open a store"))?;
    let (mut ours, mut baseline) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let gate = cpu_of_each(|| runtime.block_on(pass(&home)))?;
        let join = cpu_of_each(|| read(&home, &inline))?;
        // The first round warms the caches up.
        if round > 0 {
            ours.push(gate);
            baseline.push(join);
        }
    }
    Ok(vec![Row {
        name: "gate alone, store included: CPU per call".to_owned(),
        unit: "µs",
        ours,
        baseline,
        budget: Budget::Cost(2.0),
        conditions:
            "toolbox, scope, resource, grant and role of an agent's read, SQLite; baseline the same join on \
                     the caller's own thread"
                .to_owned(),
    }])
}

/// Microseconds of processor time of one of `CALLS`.
fn cpu_of_each(mut work: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let before = own_cpu()?;
    for _ in 0..CALLS {
        work()?;
    }
    Ok((own_cpu()? - before) * 1e6 / f64::from(CALLS))
}

async fn pass(home: &Home) -> Result<(), Failure> {
    let id = home.repository;
    let permit = gate::enter(home.app(), &home.agent, READ, move |_| {
        Box::pin(async move { Ok::<_, Problem>(Found::resource(id, id, MemberRole::Viewer)) })
    });
    permit.await.map(drop).map_err(Failure::while_doing("pass the gate"))
}

fn read(home: &Home, inline: &Inline) -> Result<(), Failure> {
    let (id, house) = (home.repository, home.house);
    let asker =
        Asker { person: house.person, connection: home.agent.connection(), workspace: house.workspace };
    let access: Result<_, Error> =
        inline.read(move |t| Box::pin(async move { access::on_resource(t, asker, id).await }));
    match access.map_err(Failure::while_doing("read the join"))? {
        Some(access) if access.granted => Ok(()),
        Some(_) | None => Err(Failure::new("the join grants nothing")),
    }
}
