//! What tests share: servers as processes of their own, people, agents, faults and mutants.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]
#![expect(
    clippy::disallowed_methods,
    reason = "tests run servers and the git that strangers run, and read how often to try"
)]

pub mod agent;
pub mod balance;
pub mod browser;
pub mod clock;
pub mod cluster;
pub mod data;
pub mod fault;
pub mod fuzz;
pub mod holder;
pub mod house;
pub mod live;
pub mod mount;
pub mod mutant;
pub mod power;
pub mod program;
pub mod repo;
pub mod server;
pub mod story;
pub mod suite;
pub mod upkeep;
pub mod wrapper;

/// How often something is tried: the first number in CI, the second one with `TRIALS=full`.
pub fn trials(in_ci: usize, in_proof: usize) -> usize {
    if std::env::var("TRIALS").is_ok_and(|trials| trials == "full") { in_proof } else { in_ci }
}

/// How long something takes.
pub async fn timed<T>(work: impl Future<Output = T>) -> (T, std::time::Duration) {
    let began = std::time::Instant::now();
    let done = work.await;
    (done, began.elapsed())
}
