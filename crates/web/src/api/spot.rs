//! Where in a repository: its id in the path, and the tree path, a name in Git, in the query. Both are bytes there.

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;
use countersign_core::limit::REFERENCE;
use http::request::Parts;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{ApiProblem, Ids};
use crate::address::decoded;
use crate::state::Web;

/// The fields of the query.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SpotFields {
    /// A branch, a tag, or the full id of a commit; the default branch without it.
    #[serde(default, rename = "ref")]
    #[schemars(length(max = REFERENCE))]
    reference: Option<String>,
    /// The path from the root, a slash between its parts; the root without it.
    // Described here alone: the bytes of the address are read, since a name in Git may be no text.
    #[serde(default, rename = "path")]
    #[schemars(length(max = 4096))]
    _path: Option<String>,
}

/// A place in a repository.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    /// The repository.
    pub(crate) repository: ResourceId,
    /// The branch, tag or commit; none for the default branch.
    pub(crate) reference: Option<String>,
    /// Where in its tree.
    pub(crate) path: TreePath,
}

impl FromRequestParts<Web> for Spot {
    type Rejection = ApiProblem;
    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Self::Rejection> {
        let Ids(repository) = Ids::<ResourceId>::from_request_parts(parts, web).await?;
        let SpotFields { reference, .. } = crate::query::read(parts)?;
        Ok(Self { repository, reference, path: path(parts.uri.query().unwrap_or_default()) })
    }
}

/// The bytes of the field `path`.
fn path(query: &str) -> TreePath {
    let field = query.split('&').find_map(|field| field.strip_prefix("path="));
    TreePath::new(decoded(&field.unwrap_or_default().replace('+', " ")))
}

/// The bytes of a file.
pub(crate) struct RawAnswer(pub(crate) Response);

impl IntoResponse for RawAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_bytes_that_the_query_means() {
        assert_eq!(path(""), TreePath::default());
        assert_eq!(path("ref=main&path=a%2Fb+c"), TreePath::new("a/b c"));
        assert_eq!(path("path=%ff%2B&path=x"), TreePath::new(b"\xff+"));
    }
}
