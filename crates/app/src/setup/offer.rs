//! The one-time link: made at a start while nobody has claimed one.

use std::io::ErrorKind;
use std::path::Path;

use countersign_core::problem::Problem;
use countersign_store::{Error, Saved, setup};
use tokio::fs;
use tokio::io::AsyncWriteExt as _;

use crate::App;
use crate::secret::{Secret, SecretKind};

/// The link that the operator opens.
#[derive(Debug)]
pub struct Link {
    public_url: String,
    token: Secret,
}

impl Link {
    /// The address. The token is in the fragment, which a browser sends to nobody, so no log on the way
    /// has it.
    pub fn address(&self) -> String {
        format!("{}/setup#{}", self.public_url, self.token.reveal())
    }
}

/// At a start: the link, as long as nobody has claimed one. It stands in `file` (mode 0600), so that the next
/// start shows the same; without the file, a new link takes the place of the old one.
pub async fn offer(app: &App, file: &Path) -> Result<Option<Link>, Problem> {
    let _ = app.setup_file.set(file.to_owned());
    let row = app.db.read(|t| Box::pin(setup::find(t))).await.map_err(Problem::from)?;
    let kept = kept(file).await?;
    let token = match row {
        Some(row) if row.used_at.is_some() => return forget(file).await.map(|()| None),
        Some(row) => kept.filter(|token| token.hash().matches(&row.token_hash)),
        None => None,
    };
    let public_url = app.settings.public_url.clone();
    if let Some(token) = token {
        return Ok(Some(Link { public_url, token }));
    }
    let token = app.secret(SecretKind::SetUp);
    // The file first: a link that the store knows and nobody else would be lost.
    keep(file, &token).await?;
    let (hash, at) = (token.hash(), app.now());
    let saved =
        app.db.write(move |t| Box::pin(async move { setup::offer(t, hash.as_bytes(), at).await })).await;
    match saved.map_err(Problem::from)? {
        Saved::Done(()) => Ok(Some(Link { public_url, token })),
        Saved::Changed => forget(file).await.map(|()| None),
        Saved::Missing => Err(Problem::internal("the set-up link was not stored")),
    }
}

/// Whether the set-up waits for somebody; afterwards its page is gone.
pub async fn is_open(app: &App) -> Result<bool, Problem> {
    let row = app.db.read(|t| Box::pin(setup::find(t))).await;
    Ok(row.map_err(|error: Error| Problem::from(error))?.is_some_and(|row| row.used_at.is_none()))
}

async fn kept(file: &Path) -> Result<Option<Secret>, Problem> {
    match fs::read_to_string(file).await {
        Ok(text) => Ok(Secret::parse(SecretKind::SetUp, text.trim())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Problem::internal(error)),
    }
}

async fn keep(file: &Path, token: &Secret) -> Result<(), Problem> {
    // A mode is given to a new file alone.
    forget(file).await?;
    let opened = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).await;
    let mut opened = opened.map_err(Problem::internal)?;
    opened.write_all(format!("{}\n", token.reveal()).as_bytes()).await.map_err(Problem::internal)?;
    opened.sync_all().await.map_err(Problem::internal)
}

/// Removes the file with the token, if it is there.
pub(super) async fn forget(file: &Path) -> Result<(), Problem> {
    match fs::remove_file(file).await {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Problem::internal(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}
