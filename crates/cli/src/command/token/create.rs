//! `countersign token create`: mail and password open the sudo window, and the secret is shown once.

use clap::Args;
use countersign_core::api::token::{MadeToken, MakeToken};
use countersign_core::scope::TokenScope;
use countersign_fetch::Method;

use crate::answer::Answer;
use crate::context::Context;
use crate::edge;
use crate::failure::Failure;
use crate::paint::{Tone, line};

/// The password is asked for, or is the first line of the standard input.
#[derive(Args, Debug)]
pub(crate) struct Create {
    /// What it is for
    name: String,
    /// Your mail address
    #[arg(long)]
    mail: String,
    /// What it may do: repo:read, repo:write, api, proposals:decide; none implies another
    #[arg(long = "scope", required = true, value_parser = read_scope)]
    scopes: Vec<TokenScope>,
    /// How many days it lives
    #[arg(long, conflicts_with = "hours")]
    days: Option<u32>,
    /// How many hours it lives; proposals:decide lives 24 at most
    #[arg(long)]
    hours: Option<u32>,
}

impl Create {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let password = edge::ask_secret("Password: ").map_err(Failure::Prompt)?;
        let body = MakeToken {
            mail: self.mail,
            password,
            name: self.name,
            scopes: self.scopes.iter().map(|scope| scope.as_str().to_owned()).collect(),
            days: self.days,
            hours: self.hours,
        };
        let made: MadeToken = context.stranger()?.send(Method::Post, &["api", "v1", "tokens"], &body).await?;
        let note = format!("shown once; it ends {} and its id is {}", made.expires_at, made.id);
        let text = format!("{}\n{}", line(&made.token), context.paint.on(Tone::Faint, &note));
        Ok(Answer::new(&made, text))
    }
}

fn read_scope(text: &str) -> Result<TokenScope, String> {
    TokenScope::parse(text).ok_or_else(|| {
        let known: Vec<&str> = TokenScope::ALL.iter().map(|scope| scope.as_str()).collect();
        format!("give one of {}", known.join(", "))
    })
}
