//! `countersign token list`: your tokens, without their secrets.

use clap::Args;
use countersign_core::api::Items;
use countersign_core::api::token::TokenItem;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::pages;
use crate::paint::line;
use crate::table::table;

/// Those that live.
#[derive(Args, Debug)]
pub(crate) struct List {}

impl List {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let tokens: Items<TokenItem> = pages::all(&context.client()?, &["api", "v1", "tokens"], &[]).await?;
        let rows: Vec<[String; 4]> = tokens
            .items
            .iter()
            .map(|item| {
                [
                    item.id.to_string(),
                    item.expires_at.to_string(),
                    line(&item.scopes.join(" ")),
                    line(&item.name),
                ]
            })
            .collect();
        Ok(Answer::new(&tokens, table(["ID", "ENDS", "SCOPES", "NAME"], &rows, "There is no token.")))
    }
}
