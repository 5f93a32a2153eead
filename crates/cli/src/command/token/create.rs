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
    /// How many days it lives; without this and --hours 30 days, or 24 hours with proposals:decide
    #[arg(long, conflicts_with = "hours")]
    days: Option<u32>,
    /// How many hours it lives; proposals:decide lives 24 at most
    #[arg(long)]
    hours: Option<u32>,
}

impl Create {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let password = edge::ask_secret("Password: ").map_err(Failure::Prompt)?;
        let (days, hours) = life(self.days, self.hours, &self.scopes);
        let body = MakeToken {
            mail: self.mail,
            password,
            name: self.name,
            scopes: self.scopes.iter().map(|scope| scope.as_str().to_owned()).collect(),
            days,
            hours,
        };
        let made: MadeToken = context.stranger()?.send(Method::Post, &["api", "v1", "tokens"], &body).await?;
        let note = format!("shown once; it ends {} and its id is {}", made.expires_at, made.id);
        let text = format!("{}\n{}", line(&made.token), context.paint.on(Tone::Faint, &note));
        Ok(Answer::new(&made, text))
    }
}

/// What was asked for; where nothing was, thirty days, or the most that a deciding token may have.
fn life(days: Option<u32>, hours: Option<u32>, scopes: &[TokenScope]) -> (Option<u32>, Option<u32>) {
    match (days, hours) {
        (None, None) if scopes.contains(&TokenScope::Decide) => (None, Some(24)),
        (None, None) => (Some(30), None),
        asked => asked,
    }
}

fn read_scope(text: &str) -> Result<TokenScope, String> {
    TokenScope::parse(text).ok_or_else(|| {
        let known: Vec<&str> = TokenScope::ALL.iter().map(|scope| scope.as_str()).collect();
        format!("give one of {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_lives_as_long_as_asked_or_as_long_as_is_sensible() {
        assert_eq!(life(None, None, &[TokenScope::Api]), (Some(30), None));
        assert_eq!(life(None, None, &[TokenScope::Api, TokenScope::Decide]), (None, Some(24)));
        assert_eq!(life(None, Some(2), &[TokenScope::Api]), (None, Some(2)));
        assert_eq!(life(Some(3), None, &[TokenScope::Decide]), (Some(3), None));
    }
}
