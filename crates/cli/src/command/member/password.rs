//! `countersign member password`: a new password for a person who lost theirs.

use clap::Args;
use countersign_core::api::project::SetPassword;
use countersign_core::id::UserId;
use countersign_fetch::Method;
use serde::de::IgnoredAny;
use serde_json::json;

use crate::answer::Answer;
use crate::context::Context;
use crate::edge;
use crate::failure::Failure;
use crate::find;

/// It takes a token with `api` and `proposals:decide` of an owner of the workspace. The new password is asked for, or is
/// the first line of the standard input.
#[derive(Args, Debug)]
pub(crate) struct Password {
    /// A project that the person is in, by name or id
    project: String,
    /// The person's id, as `member list` shows it
    #[arg(value_parser = find::id::<UserId>)]
    user: UserId,
}

impl Password {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let project = find::project(&client, &self.project).await?.to_string();
        let password = edge::ask_secret("New password of the person: ").map_err(Failure::Prompt)?;
        let user = self.user.to_string();
        let route = ["api", "v1", "projects", &project, "members", &user, "password"];
        let _: IgnoredAny = client.send(Method::Post, &route, &SetPassword { password }).await?;
        let text = format!(
            "{user} has a new password and is signed out everywhere\n\
             Their tokens stay. If somebody else knew the old password, have them revoke those: `countersign token list`."
        );
        Ok(Answer::new(&json!({ "user_id": user, "changed": true }), text))
    }
}
