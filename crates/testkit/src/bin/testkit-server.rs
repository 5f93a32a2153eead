//! The server under test: the same `start` as `serve`, with faults, mutants, fixture tools and another time on request.
#![expect(clippy::disallowed_methods, reason = "the edge of the process reads its environment")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use countersign_fetch::testing::Outside;
use countersign_server::config::{Layer, resolve};
use countersign_server::hook::{Hook, ask};
use countersign_server::{Extras, start};
use countersign_testkit::clock::{Ahead, VARIABLE};
use countersign_testkit::fault::KillAt;
use countersign_testkit::mutant::CompareThenWrite;
use countersign_testkit::server::{OUTSIDE, READY};
use countersign_testkit::upkeep;

#[tokio::main]
async fn main() {
    // git's hooks start the program that serves.
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("hook") => answer_hook(&arguments.next().unwrap_or_default()).await,
        Some(upkeep::TEND) => match upkeep::serve(&arguments.collect::<Vec<_>>()).await {
            Ok(()) => std::process::exit(0),
            Err(error) => fail(&error),
        },
        Some(_) | None => {}
    }
    tracing_subscriber::fmt()
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "warn".into()),
        )
        .with_writer(std::io::stderr)
        .init();
    let variables: BTreeMap<String, String> = std::env::vars().collect();
    let set = |name: &str| variables.get(name).filter(|value| !value.is_empty()).cloned();
    let config = match resolve(Layer::default(), &variables) {
        Ok(config) => config,
        Err(error) => fail(&error),
    };
    let mut extras = Extras::default();
    let notes = set("TESTKIT_NOTES").map(PathBuf::from);
    extras.faults = Arc::new(KillAt::parse(&set("TESTKIT_KILL_AT").unwrap_or_default(), notes));
    extras.clock = Arc::new(Ahead::parse(&set(VARIABLE).unwrap_or_default()));
    if set("TESTKIT_MUTANT_REFS").is_some() {
        extras.refs = Some(|host| Arc::new(CompareThenWrite::new(host)));
    }
    // Without a word of it there is nothing outside: no test reaches a stranger.
    extras.resolver = match set(OUTSIDE).map(|told| Outside::read(&told)).transpose() {
        Ok(outside) => Arc::new(outside.unwrap_or_default()),
        Err(error) => fail(&error),
    };
    if set("TESTKIT_FIXTURE_TOOLS").is_some() {
        extras.tools = countersign_testkit::suite::tools();
    }
    let running = match start(&config, extras).await {
        Ok(running) => running,
        Err(error) => fail(&error),
    };
    if let Some(link) = &running.setup_link {
        println!("Set it up once, in a browser: {link}");
    }
    println!("{READY}");
    stop_signal().await;
    running.stop().await;
}

async fn answer_hook(name: &str) -> ! {
    let Some(hook) = Hook::parse(name) else { std::process::exit(2) };
    let lines = ask(hook, &std::env::vars().collect(), std::io::stdin()).await.err();
    for line in lines.iter().flatten() {
        eprintln!("{line}");
    }
    std::process::exit(i32::from(lines.is_some()))
}

fn fail(error: &dyn std::error::Error) -> ! {
    eprintln!("testkit-server: {error}");
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.for_each(|cause| eprintln!("  because: {cause}"));
    std::process::exit(1)
}

async fn stop_signal() {
    let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) else {
        return std::future::pending().await;
    };
    terminate.recv().await;
}
