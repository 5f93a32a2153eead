//! From the start of the process to its first answer, and the memory of a server that nobody calls.

use std::time::Duration;

use tokio::runtime::Runtime;

use super::Row;
use crate::ROUNDS;
use crate::baseline::Echo;
use crate::budget::Budget;
use crate::failure::Failure;
use crate::house::Ours;
use crate::process::Process;
use crate::statistic::median;

/// How often each is started in a round; the round's figure is the median.
const TRIES: usize = 3;
/// How long a server is left alone before its memory is read.
const IDLE: Duration = Duration::from_secs(1);

/// Milliseconds and megabytes.
#[derive(Debug, Default)]
struct Figures {
    start: Vec<f64>,
    memory: Vec<f64>,
}

impl Figures {
    fn add(&mut self, server: Process) -> Result<(), Failure> {
        self.start.push(server.start_ms);
        std::thread::sleep(IDLE);
        self.memory.push(server.resident()?);
        server.stop()
    }

    fn collect(&mut self, tries: &Self) {
        self.start.push(median(&tries.start));
        self.memory.push(median(&tries.memory));
    }
}

pub(crate) fn rows(runtime: &Runtime) -> Result<Vec<Row>, Failure> {
    let house = Ours::set_up(runtime)?;
    let (mut ours, mut theirs) = (Figures::default(), Figures::default());
    for _ in 0..ROUNDS {
        let (mut our_tries, mut their_tries) = (Figures::default(), Figures::default());
        for _ in 0..TRIES {
            our_tries.add(house.start(runtime)?)?;
            their_tries.add(Echo::TypeScript.start(runtime)?.process)?;
        }
        ours.collect(&our_tries);
        theirs.collect(&their_tries);
    }
    let row = |name: &str, unit, (ours, baseline): (&[f64], &[f64]), budget| Row {
        name: name.to_owned(),
        unit,
        ours: ours.to_vec(),
        baseline: baseline.to_vec(),
        budget,
        conditions: format!(
            "to a tools/call with an OAuth token, on a store that is set up; each round the median of {TRIES}; baseline \
             TypeScript server"
        ),
    };
    let start = (&*ours.start, &*theirs.start);
    let memory = (&*ours.memory, &*theirs.memory);
    Ok(vec![
        row("start to first answer", "ms", start, Budget::Faster(10.0)),
        row("start to first answer, by itself", "ms", start, Budget::Within(60.0)),
        row("resident memory, idle", "MB", memory, Budget::Within(40.0)),
    ])
}
