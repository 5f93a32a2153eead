//! From what a person types to an id: an id as it is, or the one name that fits.

use std::str::FromStr;

use countersign_core::api::Items;
use countersign_core::api::project::ProjectItem;
use countersign_core::api::repository::RepositoryItem;
use countersign_core::id::{
    ConnectionId, InvitationId, NotAnId, ProjectId, ProposalId, ResourceId, TokenId, UserId,
};
use countersign_fetch::Client;

use crate::failure::Failure;
use crate::pages;

/// An id that a command takes, and the command that shows such ids.
pub(crate) trait Listed: FromStr<Err = NotAnId> {
    /// Whose id it is.
    const OF: &str;
    /// What lists them.
    const LIST: &str;
}

impl Listed for ProposalId {
    const OF: &str = "a proposal";
    const LIST: &str = "proposals list";
}

impl Listed for ConnectionId {
    const OF: &str = "a connection";
    const LIST: &str = "connection list";
}

impl Listed for InvitationId {
    const OF: &str = "an invitation";
    const LIST: &str = "invitation list";
}

impl Listed for TokenId {
    const OF: &str = "a token";
    const LIST: &str = "token list";
}

impl Listed for UserId {
    const OF: &str = "a person";
    const LIST: &str = "member list PROJECT";
}

/// Reads an id of the command line; what is none is wrong usage, and is told where ids are.
pub(crate) fn id<T: Listed>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|NotAnId| format!("this is no id of {}; `countersign {}` shows the ids", T::OF, T::LIST))
}

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
    fn what_is_no_id_is_told_where_ids_are() {
        let told = [id::<ProposalId>("01a2").unwrap_err(), id::<UserId>("ada").unwrap_err()];
        assert!(told[0].contains("no id of a proposal; `countersign proposals list`"), "{told:?}");
        assert!(told[1].contains("no id of a person; `countersign member list PROJECT`"), "{told:?}");
        assert!(id::<ProposalId>("01900000-0000-7000-8000-000000000001").is_ok());
    }

    #[test]
    fn a_name_must_fit_exactly_one() {
        let named = [("a", 1), ("b", 2), ("b", 3)];
        assert_eq!(one("project", "a", named.into_iter()).unwrap(), 1);
        for text in ["b", "c", "A", ""] {
            assert!(one("project", text, named.into_iter()).is_err(), "{text}");
        }
    }
}
