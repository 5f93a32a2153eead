//! `countersign`: the server, the demo, and the commands of people and scripts.

mod answer;
mod command;
mod context;
mod edge;
mod failure;
mod find;
mod pages;
mod paint;
mod place;
mod table;

use std::process::ExitCode;

use clap::Parser as _;

use command::CommandLine;
use context::Context;
use failure::Failure;

/// A call makes and drops hundreds of small pieces on several threads; the C library's allocator takes an eighth of
/// its processor time (`make bench ROWS=call`). Huge pages are off: an idle server would hold ten megabytes more.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let line = CommandLine::parse();
    let context = Context::new(&line.globals);
    let outcome = line.command.run(&context).await;
    match outcome {
        Ok(answer) => match context.show(&answer) {
            Ok(()) => answer.exit(),
            Err(error) => refuse(&context, &Failure::Output(error)),
        },
        Err(failure) => refuse(&context, &failure),
    }
}

fn refuse(context: &Context, failure: &Failure) -> ExitCode {
    context.tell(failure);
    failure.exit()
}
