//! `countersign invitation create`: a link for somebody who has no account here.

use clap::Args;
use countersign_core::api::invitation::{InvitedTo, MadeInvitation, MakeInvitation};
use countersign_core::role::{MemberRole, WorkspaceRole};
use countersign_fetch::Method;

use crate::answer::Answer;
use crate::command::member::role::read_role;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;

/// Needs an owner of the workspace and a token that may decide. The link works once, for a week.
#[derive(Args, Debug)]
pub(crate) struct Create {
    /// The person's mail address
    mail: String,
    /// Make them an owner of the workspace
    #[arg(long)]
    owner: bool,
    /// A project to bring them into, by name or id
    #[arg(long)]
    project: Option<String>,
    /// Their role in the project: viewer, editor, maintainer or owner [default: viewer]
    #[arg(long, value_parser = read_role)]
    role: Option<MemberRole>,
}

impl Create {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        if self.role.is_some() && self.project.is_none() {
            return Err(Failure::Usage {
                what: "--role is a role in a project, and none is named",
                next: "Name the project with --project, or pass --owner to make them an owner of the workspace.",
            });
        }
        let client = context.client()?;
        let role = self.role.unwrap_or(MemberRole::Viewer);
        let project = match &self.project {
            Some(name) => Some(InvitedTo { id: find::project(&client, name).await?, role }),
            None => None,
        };
        let role = if self.owner { WorkspaceRole::Owner } else { WorkspaceRole::Member };
        let body = MakeInvitation { mail: self.mail, role, project };
        let made: MadeInvitation = client.send(Method::Post, &["api", "v1", "invitations"], &body).await?;
        let text = made.link.clone();
        Ok(Answer::new(&made, text))
    }
}
