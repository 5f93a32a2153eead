//! The owner's decisions by script: approve all three, and look at what became of them.

use countersign_core::api::commit::{CommitFacts, Signature};
use countersign_core::api::proposal::{Decided, ProposalFacts};
use countersign_core::api::repository::RepositoryItem;
use countersign_core::proposal::ProposalState;
use countersign_fetch::{Client, FetchError, Method};
use serde_json::json;

use super::say;
use crate::answer::{Answer, Verdict};
use crate::failure::Failure;
use crate::paint::{Paint, Tone};

/// What should become of the three: the second was made on the commit that the first moved away from.
const WANTED: [ProposalState; super::agent::PROPOSALS] =
    [ProposalState::Executed, ProposalState::Stale, ProposalState::Executed];

pub(super) async fn decide(
    client: &Client,
    repository: &RepositoryItem,
    proposals: &[String],
    paint: Paint,
) -> Result<Answer, Failure> {
    say(paint, "The owner approves all three, in order:");
    let mut states = Vec::new();
    for id in proposals {
        approve(client, id).await?;
        let facts: ProposalFacts = client.get(&["api", "v1", "proposals", id], &[]).await?;
        let signed = match &facts.commit {
            Some(commit) => signature(client, repository, commit).await?,
            None => "no commit",
        };
        let tone = if facts.item.status == ProposalState::Executed { Tone::Good } else { Tone::Waiting };
        println!("  {}: {}, {signed}", facts.item.title, paint.on(tone, facts.item.status.as_str()));
        states.push(facts.item.status);
        if facts.item.status == ProposalState::Executed && signed != SIGNED {
            return Err(Failure::demo("a commit landed without this server's signature"));
        }
    }
    let verdict = if states == WANTED { Verdict::Good } else { Verdict::Wrong };
    let words: Vec<&str> = states.iter().map(|state| state.as_str()).collect();
    let text = match verdict {
        Verdict::Good => "Two commits landed once, and the stale one changed nothing.".to_owned(),
        Verdict::Wrong => {
            format!("They should have become executed, stale, executed; they are {}.", words.join(", "))
        }
    };
    Ok(Answer::new(&json!({ "proposals": proposals, "states": words }), text).checked(verdict))
}

const SIGNED: &str = "signed by this server";

/// A stale one refuses, which is an answer here.
async fn approve(client: &Client, id: &str) -> Result<(), Failure> {
    let route = ["api", "v1", "proposals", id, "approve"];
    match client.send::<Decided>(Method::Post, &route, &json!({})).await {
        Ok(_) => Ok(()),
        Err(FetchError::Refused(refusal)) if refusal.code == "proposal_stale" => Ok(()),
        Err(error) => Err(error.into()),
    }
}

async fn signature(
    client: &Client,
    repository: &RepositoryItem,
    commit: &str,
) -> Result<&'static str, Failure> {
    let id = repository.id.to_string();
    let facts: CommitFacts = client.get(&["api", "v1", "repositories", &id, "commits", commit], &[]).await?;
    Ok(match facts.signature {
        Signature::Good { .. } => SIGNED,
        Signature::Bad | Signature::Unknown | Signature::Missing => "not signed by this server",
    })
}
