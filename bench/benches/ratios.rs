//! `cargo bench`: runs the rows that are named, or all of them, and writes `bench/results.json` after all.

use std::process::ExitCode;

/// As in the program that ships: some rows run use cases in this process.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Cargo adds `--bench` to what was asked for.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    match countersign_bench::run(&wanted) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("bench: {failure}");
            ExitCode::FAILURE
        }
    }
}
