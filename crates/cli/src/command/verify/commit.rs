//! `countersign verify commit`: whether the server signed a commit, and how git itself can see it.

use clap::Args;
use countersign_core::api::commit::{CommitFacts, Signature};
use countersign_core::gitnest::oid::Oid;
use countersign_fetch::{Client, FetchError};

use crate::answer::{Answer, Verdict};
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::paint::{Paint, Tone, line};

/// Exits with 5 when the signature is not this server's.
#[derive(Args, Debug)]
pub(crate) struct Commit {
    /// The commit's full id, which `git log` shows
    #[arg(value_parser = read_oid)]
    oid: Oid,
    /// The repository, by name or id; without it every one is looked at
    #[arg(long)]
    repository: Option<String>,
}

impl Commit {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let oid = self.oid.to_string();
        let facts = match &self.repository {
            Some(text) => {
                let id = find::repository(&client, text).await?.to_string();
                client.get(&["api", "v1", "repositories", &id, "commits", &oid], &[]).await?
            }
            None => anywhere(&client, &oid).await?,
        };
        let verdict = match facts.signature {
            Signature::Good { .. } => Verdict::Good,
            Signature::Bad | Signature::Unknown | Signature::Missing => Verdict::Wrong,
        };
        Ok(Answer::new(&facts, told(&facts, context.paint)).checked(verdict))
    }
}

/// Reads a commit's id, as it is compared.
fn read_oid(text: &str) -> Result<Oid, String> {
    Oid::parse(&text.to_ascii_lowercase()).map_err(|error| format!("{error}; `git log` shows it"))
}

/// The first repository that has the commit.
async fn anywhere(client: &Client, oid: &str) -> Result<CommitFacts, Failure> {
    for repository in find::repositories(client).await? {
        let id = repository.id.to_string();
        match client.get(&["api", "v1", "repositories", &id, "commits", oid], &[]).await {
            Err(FetchError::Refused(refusal)) if refusal.status == 404 => {}
            found => return Ok(found?),
        }
    }
    Err(Failure::Name(format!("no repository that you may see has the commit `{oid}`")))
}

fn told(facts: &CommitFacts, paint: Paint) -> String {
    let (tone, verdict) = match &facts.signature {
        Signature::Good { fingerprint } => {
            (Tone::Good, format!("signed by this server, key {}", line(fingerprint)))
        }
        Signature::Bad => (Tone::Bad, "the signature does not fit the commit".to_owned()),
        Signature::Unknown => (Tone::Bad, "signed by a key that this server does not know".to_owned()),
        Signature::Missing => (Tone::Bad, "not signed".to_owned()),
    };
    let mut told = vec![
        paint.on(tone, &verdict),
        format!("commit      {} in {}", line(&facts.oid), line(&facts.repository)),
        format!("author      {} <{}>", line(&facts.author.name), line(&facts.author.mail)),
        format!(
            "committer   {} <{}>, {}",
            line(&facts.committer.name),
            line(&facts.committer.mail),
            facts.committer.at
        ),
        format!("title       {}", line(&facts.title)),
    ];
    told.extend(facts.proposal_id.map(|id| format!("proposal    {id}")));
    // git has nothing to check where there is no signature.
    if let Some(signers) = facts.allowed_signers.as_ref().filter(|_| facts.signature != Signature::Missing) {
        told.push(String::new());
        told.push(
            paint.on(Tone::Faint, "For git, in a clone; the first line goes into a file `allowed_signers`:"),
        );
        told.push(line(signers));
        told.push(format!(
            "git -c gpg.ssh.allowedSignersFile=allowed_signers verify-commit {}",
            line(&facts.oid)
        ));
    }
    told.join("\n")
}
