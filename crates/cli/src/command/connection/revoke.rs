//! `countersign connection revoke`: an assistant is cut off for good.

use clap::Args;
use countersign_core::api::connection::RevokedConnection;
use countersign_core::id::ConnectionId;
use countersign_core::text::count;
use countersign_fetch::Method;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;

/// Its tokens die and its waiting proposals are withdrawn at once.
#[derive(Args, Debug)]
pub(crate) struct Revoke {
    /// The connection's id, which `connection list` shows
    #[arg(value_parser = find::id::<ConnectionId>)]
    id: ConnectionId,
}

impl Revoke {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let id = self.id.to_string();
        let route = ["api", "v1", "connections", &id];
        let done: RevokedConnection =
            context.client()?.send(Method::Delete, &route, &serde_json::json!({})).await?;
        let again = if done.replayed { " since before" } else { "" };
        let text =
            format!("{id} is revoked{again}; withdrawn with it: {}", count(done.withdrawn, "proposal"));
        Ok(Answer::new(&done, text))
    }
}
