//! `countersign member role`: a member's role changes.

use clap::Args;
use countersign_core::api::project::{ChangeMember, MemberItem};
use countersign_core::id::UserId;
use countersign_core::role::MemberRole;
use countersign_fetch::Method;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;

/// It counts at the next call of every connection of that person.
#[derive(Args, Debug)]
pub(crate) struct Role {
    /// The project, by name or id
    project: String,
    /// The person's id, as `member list` shows it
    #[arg(value_parser = find::id::<UserId>)]
    user: UserId,
    /// viewer, editor, maintainer or owner
    #[arg(value_name = "ROLE", value_parser = read_role)]
    to: MemberRole,
}

impl Role {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let project = find::project(&client, &self.project).await?.to_string();
        let user = self.user.to_string();
        let route = ["api", "v1", "projects", &project, "members", &user];
        let changed: MemberItem = client.send(Method::Patch, &route, &ChangeMember { role: self.to }).await?;
        Ok(Answer::new(&changed, format!("{}  {}", changed.user_id, changed.role.as_str())))
    }
}

/// Reads a role as the wire spells it.
pub(in crate::command) fn read_role(text: &str) -> Result<MemberRole, String> {
    MemberRole::parse(text).ok_or_else(|| {
        let known: Vec<&str> = MemberRole::ALL.iter().map(|role| role.as_str()).collect();
        format!("give one of {}", known.join(", "))
    })
}
