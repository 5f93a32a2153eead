//! `countersign invitation withdraw`: the link opens nothing any more.

use clap::Args;
use countersign_core::id::InvitationId;
use countersign_fetch::Method;
use serde::de::IgnoredAny;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;

/// Done before, or after somebody came by it, nothing changes.
#[derive(Args, Debug)]
pub(crate) struct Withdraw {
    /// The invitation's id, which `invitation list` shows
    #[arg(value_parser = find::id::<InvitationId>)]
    id: InvitationId,
}

impl Withdraw {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let id = self.id.to_string();
        let route = ["api", "v1", "invitations", &id];
        let _: IgnoredAny = context.client()?.send(Method::Delete, &route, &serde_json::json!({})).await?;
        Ok(Answer::new(&serde_json::json!({ "id": id, "state": "withdrawn" }), format!("{id} is withdrawn")))
    }
}
