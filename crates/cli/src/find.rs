//! From what a person types to an id: an id as it is, or the one name that fits.

use countersign_core::api::Items;
use countersign_core::api::project::ProjectItem;
use countersign_core::api::repository::RepositoryItem;
use countersign_core::id::{ProjectId, ResourceId};
use countersign_fetch::Client;

use crate::failure::Failure;
use crate::pages;

/// The projects that the token's person sees.
pub(crate) async fn projects(client: &Client) -> Result<Vec<ProjectItem>, Failure> {
    let Items { items, .. } = pages::all(client, &["api", "v1", "projects"], &[]).await?;
    Ok(items)
}

/// The repositories that the token's person sees.
pub(crate) async fn repositories(client: &Client) -> Result<Vec<RepositoryItem>, Failure> {
    let Items { items, .. } = pages::all(client, &["api", "v1", "repositories"], &[]).await?;
    Ok(items)
}

/// The project of that name or id.
pub(crate) async fn project(client: &Client, text: &str) -> Result<ProjectId, Failure> {
    match ProjectId::parse(text) {
        Ok(id) => Ok(id),
        Err(_) => {
            one("project", text, projects(client).await?.iter().map(|item| (item.name.as_str(), item.id)))
        }
    }
}

/// The repository of that name or id.
pub(crate) async fn repository(client: &Client, text: &str) -> Result<ResourceId, Failure> {
    match ResourceId::parse(text) {
        Ok(id) => Ok(id),
        Err(_) => one(
            "repository",
            text,
            repositories(client).await?.iter().map(|item| (item.name.as_str(), item.id)),
        ),
    }
}

fn one<'a, T: Copy>(noun: &str, text: &str, named: impl Iterator<Item = (&'a str, T)>) -> Result<T, Failure> {
    let fitting: Vec<T> = named.filter(|(name, _)| *name == text).map(|(_, id)| id).collect();
    match fitting.as_slice() {
        [id] => Ok(*id),
        [] => Err(Failure::Name(format!("there is no {noun} `{text}`"))),
        several => Err(Failure::Name(format!("{} {noun} entries are named `{text}`", several.len()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_must_fit_exactly_one() {
        let named = [("a", 1), ("b", 2), ("b", 3)];
        assert_eq!(one("project", "a", named.into_iter()).unwrap(), 1);
        for text in ["b", "c", "A", ""] {
            assert!(one("project", text, named.into_iter()).is_err(), "{text}");
        }
    }
}
