//! `tools/call` of a trivial read over HTTP, against echo servers: what our gate, audit and store cost.

use std::time::Duration;

use tokio::runtime::Runtime;

use super::Row;
use crate::ROUNDS;
use crate::baseline::{Echo, Echoing};
use crate::budget::Budget;
use crate::era::Era;
use crate::failure::Failure;
use crate::house::Ours;
use crate::load::{Target, fire};
use crate::process::Process;
use crate::statistic::median;

const CONNECTIONS: [usize; 2] = [1, 16];
/// How long one server is called in one round.
const LENGTH: Duration = Duration::from_millis(1500);
/// How long each is called before the rounds, so that caches and just-in-time compilers are warm.
const WARM_UP: Duration = Duration::from_secs(2);

/// What the rounds of one server gave.
#[derive(Clone, Debug, Default)]
struct Rounds {
    /// Calls a second.
    rate: Vec<f64>,
    /// Microseconds of the server's processor time a call.
    cpu: Vec<f64>,
}

pub(crate) fn rows(runtime: &Runtime) -> Result<Vec<Row>, Failure> {
    let ours = Ours::set_up(runtime)?;
    let server = ours.start(runtime)?;
    let others = Echo::ALL.into_iter().map(|echo| echo.start(runtime)).collect::<Result<Vec<_>, _>>()?;
    fire(&ours.target(Era::V2025), 4, WARM_UP)?;
    for other in &others {
        fire(&other.target(Era::V2025), 4, WARM_UP)?;
    }
    let mut rows = Vec::new();
    for era in Era::BOTH {
        for connections in CONNECTIONS {
            let target = ours.target(era);
            let others: Vec<&Echoing> = others.iter().filter(|other| other.echo.speaks(era)).collect();
            rows.extend(compare(era, connections, (&server, &target), &others)?);
        }
    }
    Ok(rows)
}

/// All rounds of one era with one number of connections, in turns.
fn compare(
    era: Era,
    connections: usize,
    (server, target): (&Process, &Target),
    others: &[&Echoing],
) -> Result<Vec<Row>, Failure> {
    let mut ours = Rounds::default();
    let mut theirs = vec![Rounds::default(); others.len()];
    for _ in 0..ROUNDS {
        round(&mut ours, server, target, connections)?;
        for (rounds, other) in theirs.iter_mut().zip(others) {
            round(rounds, &other.process, &other.target(era), connections)?;
        }
    }
    let of = |echo: Echo| {
        let at = others.iter().position(|other| other.echo == echo);
        at.map(|at| &theirs[at]).ok_or_else(|| Failure::new(format!("{} did not run", echo.name())))
    };
    let speaking = Echo::OTHERS.into_iter().filter_map(|echo| Some((echo, of(echo).ok()?)));
    let best = speaking.max_by(|(_, a), (_, b)| median(&a.rate).total_cmp(&median(&b.rate)));
    let (best, best_rounds) = best.ok_or_else(|| Failure::new("no server of another language ran"))?;
    let least = match era {
        Era::V2025 => 12.0,
        Era::V2026 => 7.0,
    };
    let row = |what: &str, unit, ours: &[f64], baseline: (&str, &[f64]), budget| Row {
        name: format!("tools/call, {era}, {connections} at once: {what}"),
        unit,
        ours: ours.to_vec(),
        baseline: baseline.1.to_vec(),
        budget,
        conditions: format!(
            "list_granted_resources with an OAuth token, gate and audit on, SQLite, keep-alive; baseline {}",
            baseline.0
        ),
    };
    let (rmcp, axum) = (of(Echo::Rmcp)?, of(Echo::Axum)?);
    let rmcp_name = "rmcp echo without any check";
    let best_name = format!("{}, the best of Python mcp, FastMCP and TypeScript", best.name());
    Ok(vec![
        row("CPU per call", "µs", &ours.cpu, (rmcp_name, &rmcp.cpu), Budget::Cost(2.0)),
        row("calls against rmcp", "req/s", &ours.rate, (rmcp_name, &rmcp.rate), Budget::Rate(0.55)),
        row(
            "calls against other languages",
            "req/s",
            &ours.rate,
            (&best_name, &best_rounds.rate),
            Budget::Rate(least),
        ),
        row("calls against bare axum", "req/s", &ours.rate, ("axum echo", &axum.rate), Budget::Reported),
    ])
}

fn round(rounds: &mut Rounds, server: &Process, target: &Target, connections: usize) -> Result<(), Failure> {
    let before = server.cpu()?;
    let fired = fire(target, connections, LENGTH)?;
    let used = server.cpu()? - before;
    let calls = u32::try_from(fired.calls).map(f64::from).map_err(Failure::while_doing("count the calls"))?;
    rounds.rate.push(calls / fired.seconds);
    rounds.cpu.push(used * 1e6 / calls);
    Ok(())
}
