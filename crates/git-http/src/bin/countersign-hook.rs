//! The hooks as a program by themselves, for a server within a test's process: what ships is `countersign hook`.
#![expect(clippy::disallowed_methods, reason = "the edge of the process reads its environment")]

use std::process::ExitCode;

use countersign_git_http::hook::{Hook, ask};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let name = std::env::args().nth(2).unwrap_or_default();
    let Some(hook) = Hook::parse(&name) else { return ExitCode::from(2) };
    match ask(hook, &std::env::vars().collect(), std::io::stdin()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(lines) => {
            for line in &lines {
                eprintln!("{line}");
            }
            ExitCode::FAILURE
        }
    }
}
