//! The list of commands. Each has a file of its own; a group has a file that lists its verbs.

mod backup;
mod completions;
pub(crate) mod connect;
mod connection;
mod demo;
mod doctor;
mod hook;
mod invitation;
mod member;
mod project;
mod proposals;
mod repo;
mod restore;
mod serve;
mod token;
mod verify;

use clap::{Parser, Subcommand};

use crate::answer::Answer;
use crate::context::{Context, Globals};
use crate::failure::{EXITS, Failure};

/// Agents propose, a person countersigns, the commit lands once.
#[derive(Debug, Parser)]
#[command(name = "countersign", version, after_help = EXITS, disable_help_subcommand = true)]
pub(crate) struct CommandLine {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Every command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a server
    Serve(serve::Serve),
    /// Run a server with a small repository, an agent at work, and proposals to decide
    Demo(demo::Demo),
    #[command(hide = true)]
    DemoAgent(demo::DemoAgent),
    #[command(hide = true)]
    Hook(hook::HookCommand),
    /// Explain the configuration of this machine's server and find mistakes in it
    Doctor(doctor::Doctor),
    /// Write everything of this machine's server into one file, while it serves
    Backup(backup::Backup),
    /// Bring a backup back into an empty place, and prove it
    Restore(restore::Restore),
    /// Print what a host needs to connect to the server
    Connect(connect::Connect),
    /// List, show and revoke the connections of assistants
    #[command(subcommand)]
    Connection(connection::Connection),
    /// Invite people, and take invitations back
    #[command(subcommand)]
    Invitation(invitation::Invitation),
    /// Look at proposals and decide them
    #[command(subcommand)]
    Proposals(proposals::Proposals),
    /// Make and list projects
    #[command(subcommand)]
    Project(project::Project),
    /// Add people to projects, list them, change their roles and lost passwords
    #[command(subcommand)]
    Member(member::Member),
    /// Make, import, list, move repositories and show them to agents
    #[command(subcommand)]
    Repo(repo::Repo),
    /// Make, list and revoke personal access tokens
    #[command(subcommand)]
    Token(token::Token),
    /// Check what the server signed
    #[command(subcommand)]
    Verify(verify::Verify),
    /// Print what a shell needs to complete the commands
    Completions(completions::Completions),
}

impl Command {
    /// Carries it out.
    pub(crate) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        match self {
            Self::Serve(command) => command.run(context).await,
            Self::Demo(command) => command.run(context).await,
            Self::DemoAgent(command) => command.run().await,
            Self::Hook(command) => Ok(command.run(context).await),
            Self::Doctor(command) => command.run(context).await,
            Self::Backup(command) => command.run(context).await,
            Self::Restore(command) => command.run(context).await,
            Self::Connect(command) => command.run(context),
            Self::Connection(group) => group.run(context).await,
            Self::Completions(command) => Ok(command.run()),
            Self::Invitation(group) => group.run(context).await,
            Self::Proposals(group) => group.run(context).await,
            Self::Project(group) => group.run(context).await,
            Self::Member(group) => group.run(context).await,
            Self::Repo(group) => group.run(context).await,
            Self::Token(group) => group.run(context).await,
            Self::Verify(group) => group.run(context).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn the_help_of_every_command_is_as_it_was_reviewed() {
        let mut told = String::new();
        tell(&mut CommandLine::command(), &mut told);
        insta::assert_snapshot!(told);
    }

    fn tell(command: &mut clap::Command, told: &mut String) {
        told.push_str(&command.render_help().to_string());
        told.push_str("\n────\n");
        for inner in command.get_subcommands_mut() {
            tell(inner, told);
        }
    }
}
