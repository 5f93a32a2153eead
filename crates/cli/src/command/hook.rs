//! `countersign hook …`: what git starts during a push, to ask the server that started git.

use clap::Args;
use countersign_server::hook::{Hook, ask};
use serde_json::Value;

use crate::answer::{Answer, Verdict};
use crate::context::Context;

/// Started by git alone.
#[derive(Args, Debug)]
pub(crate) struct HookCommand {
    /// `pre-receive`, `update` or `post-receive`
    #[arg(value_parser = |name: &str| Hook::parse(name).ok_or("it is no hook of ours"))]
    hook: Hook,
}

impl HookCommand {
    /// Says on the standard error, from where git carries it to whoever pushes, why the push is refused.
    pub(super) async fn run(self, context: &Context) -> Answer {
        match ask(self.hook, &context.environment, std::io::stdin()).await {
            Ok(()) => Answer::new(&Value::Null, ""),
            Err(lines) => {
                for line in &lines {
                    eprintln!("{line}");
                }
                Answer::new(&Value::Null, "").checked(Verdict::Wrong)
            }
        }
    }
}
