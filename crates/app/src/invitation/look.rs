//! What an invitation says, to whoever holds its link.

use countersign_core::problem::Problem;
use countersign_store::invitation::{self, Invitation};

use super::create::view;
use super::gone;
use super::view::Offer;
use crate::App;
use crate::secret::{Secret, SecretHash, SecretKind};

/// The invitation that this code opens. Whoever holds no open one is told the same, whatever is wrong with theirs.
pub async fn look(app: &App, token: &str) -> Result<Offer, Problem> {
    let (row, _) = open(app, token).await?;
    let (key, seen) = (row.id.clone(), view(&row)?);
    let names = app.db.read(move |t| Box::pin(async move { invitation::names(t, &key).await })).await;
    let (workspace, inviter, project) = names.map_err(Problem::from)?;
    let project = project.zip(seen.project).map(|(name, (_, role))| (name, role));
    Ok(Offer { workspace, inviter, mail: seen.mail, role: seen.role, project })
}

/// The row that this code opens.
pub(super) async fn open(app: &App, token: &str) -> Result<(Invitation, SecretHash), Problem> {
    let hash = Secret::parse(SecretKind::Invitation, token).ok_or_else(gone)?.hash();
    let (key, now) = (hash.clone(), app.now());
    let row = app
        .db
        .read(move |t| Box::pin(async move { invitation::find_open(t, key.as_bytes(), now).await }))
        .await;
    Ok((row.map_err(Problem::from)?.ok_or_else(gone)?, hash))
}
