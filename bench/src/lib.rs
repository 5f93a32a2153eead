//! Measures the product against its baselines, as ratios: `make bench`. README.md tells how to add a row.

mod baseline;
mod budget;
mod clock;
mod era;
mod failure;
mod house;
mod load;
mod process;
mod row;
mod statistic;
mod wire;

use std::path::Path;

use tokio::runtime::Runtime;

pub use failure::Failure;
use row::Row;

/// How often each contender is measured.
const ROUNDS: usize = 7;

/// Measures some rows.
type Measure = fn(&Runtime) -> Result<Vec<Row>, Failure>;

/// Every measurement, by the word that asks for it alone.
const MEASURES: &[(&str, Measure)] = &[
    ("start", row::start::rows),
    ("call", row::call::rows),
    ("gate", row::gate::rows),
    ("approval", row::approval::rows),
    ("append", row::append::rows),
    ("discovery", row::discovery::rows),
    ("transfer", row::transfer::rows),
    ("page", row::page::rows),
    ("queue", row::queue::rows),
];

/// Measures what is `wanted`, or everything, and prints the table. After everything the results are written.
pub fn run(wanted: &[String]) -> Result<(), Failure> {
    if let Some(unknown) = wanted.iter().find(|word| MEASURES.iter().all(|(name, _)| name != word)) {
        let names: Vec<&str> = MEASURES.iter().map(|(name, _)| *name).collect();
        return Err(Failure::new(format!("nothing is called `{unknown}`; ask for {}", names.join(", "))));
    }
    let runtime = Runtime::new().map_err(Failure::while_doing("start a runtime"))?;
    let mut rows = Vec::new();
    for (name, measure) in MEASURES {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            eprintln!("bench: {name} …");
            rows.extend(measure(&runtime)?);
        }
    }
    println!("{}", row::table(&rows));
    if wanted.is_empty() {
        row::write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("results.json"), &rows)?;
    }
    Ok(())
}
