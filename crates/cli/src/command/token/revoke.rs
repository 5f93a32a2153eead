//! `countersign token revoke`: a token ends now.

use clap::Args;
use countersign_core::id::TokenId;
use countersign_fetch::Method;
use serde::de::IgnoredAny;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;

/// By its id, which `token list` shows.
#[derive(Args, Debug)]
pub(crate) struct Revoke {
    /// The token's id, which `token list` shows
    #[arg(value_parser = find::id::<TokenId>)]
    id: TokenId,
}

impl Revoke {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let id = self.id.to_string();
        let route = ["api", "v1", "tokens", &id];
        let _: IgnoredAny = context.client()?.send(Method::Delete, &route, &serde_json::json!({})).await?;
        Ok(Answer::new(&serde_json::json!({ "id": id, "revoked": true }), format!("{id} is revoked")))
    }
}
