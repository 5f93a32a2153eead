//! `/api/v1/repositories/{id}/commits/{oid}`.

use axum::Json;
use axum::extract::State;
use countersign_app::commit::view::{CommitView, SignatureState, Signer};
use countersign_app::repository;
use countersign_core::api::commit::{CommitFacts, CommitPerson, Signature};
use countersign_core::id::ResourceId;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Answer, Ids, change};
use crate::credential::ApiCaller;
use crate::state::Web;

/// The full id of a commit; what is none is refused by its name.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct CommitId(#[schemars(regex(pattern = "^[0-9a-f]{40}$"))] String);

/// Shows a commit with what is known of its signature.
pub(crate) async fn show(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((id, oid)): Ids<(ResourceId, CommitId)>,
) -> Answer<CommitFacts> {
    Ok(Json(facts(repository::commit(&web.app, &caller, id, &oid.0).await?)))
}

fn facts(view: CommitView) -> CommitFacts {
    CommitFacts {
        repository_id: view.repository_id,
        repository: view.repository,
        oid: view.oid,
        parents: view.parents,
        author: person(view.author),
        committer: person(view.committer),
        title: view.title,
        body: view.body,
        signature: match view.signature {
            SignatureState::Good { fingerprint } => Signature::Good { fingerprint },
            SignatureState::Bad => Signature::Bad,
            SignatureState::Unknown => Signature::Unknown,
            SignatureState::Missing => Signature::Missing,
        },
        allowed_signers: view.allowed_signers,
        proposal_id: view.proposal,
        changes: view.files.iter().map(change::of).collect(),
        more_changes: view.more,
    }
}

fn person(signer: Signer) -> CommitPerson {
    CommitPerson { name: signer.name, mail: signer.mail, at: signer.at }
}
