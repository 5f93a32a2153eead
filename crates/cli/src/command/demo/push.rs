//! The owner at a terminal: clones what was approved, changes something, and pushes it with a token of their own.

use std::path::Path;
use std::time::Duration;

use countersign_core::api::proposal::ProposalFacts;
use countersign_core::proposal::ProposalState;
use countersign_core::scope::TokenScope;
use countersign_fetch::{Client, Origin};

use super::git::{git, refused};
use super::owner::Owner;
use super::{say, token};
use crate::failure::Failure;
use crate::paint::Paint;

/// The branch that is pushed.
const BRANCH: &str = "watering";
/// How often it is looked whether something was approved.
const LOOK: Duration = Duration::from_secs(1);

/// Waits until one of the proposals has landed.
pub(super) async fn wait_for_an_approval(client: &Client, proposals: &[String]) -> Result<(), Failure> {
    loop {
        for id in proposals {
            let facts: ProposalFacts = client.get(&["api", "v1", "proposals", id], &[]).await?;
            if facts.item.status == ProposalState::Executed {
                return Ok(());
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Pushes a branch, and shows that a push by force to the default branch is refused.
pub(super) async fn by_the_owner(
    origin: &Origin,
    owner: &Owner,
    (folder, repository): (&Path, &str),
    paint: Paint,
) -> Result<(), Failure> {
    say(paint, "The owner works with git, with a personal access token as the password:");
    let token = token(origin, owner, &[TokenScope::RepoRead, TokenScope::RepoWrite]).await?;
    let address = format!("{origin}/git/demo/{repository}.git");
    git(folder, &["clone", "--quiet", &address, "clone"], &token).await?;
    let clone = folder.join("clone");
    let seen = git(&clone, &["log", "--format=%s (%an)", "-1"], &token).await?;
    println!("  cloned {repository}; the last commit is: {}", crate::paint::line(&seen));
    git(&clone, &["checkout", "--quiet", "-b", BRANCH], &token).await?;
    std::fs::write(clone.join("watering.txt"), "north: in the evening\n").map_err(Failure::server)?;
    git(&clone, &["add", "watering.txt"], &token).await?;
    git(&clone, &["commit", "--quiet", "--message", "Say when to water"], &token).await?;
    git(&clone, &["push", "--quiet", "origin", BRANCH], &token).await?;
    let here = git(&clone, &["rev-parse", "HEAD"], &token).await?;
    let name = format!("refs/heads/{BRANCH}");
    let there = git(&clone, &["ls-remote", "origin", &name], &token).await?;
    if !there.starts_with(&here) {
        return Err(Failure::demo(format!("{BRANCH} was pushed and is not there")));
    }
    println!("  pushed the branch {BRANCH} with one commit");
    let why = refused(&clone, &["push", "--force", "origin", "HEAD~2:main"], &token).await?;
    println!("  a push by force was refused: {}", crate::paint::line(&why));
    Ok(())
}
