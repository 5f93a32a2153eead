//! `/api/v1/repositories/{id}/branches` and `/tags`.

use axum::extract::State;
use countersign_app::repository::{self, NameKind, NameRow};
use countersign_core::api::tree::RefItem;
use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use countersign_core::limit::SEARCH;
use countersign_core::problem::Problem;
use schemars::JsonSchema;
use serde::Deserialize;

use super::listing::{Listed, Paged};
use super::tree::commit;
use super::{Fields, Ids};
use crate::credential::ApiCaller;
use crate::state::Web;

/// Which branches or tags.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Named {
    /// What their names hold, whatever its case.
    #[serde(default)]
    #[schemars(length(max = SEARCH))]
    name: Option<String>,
}

impl Named {
    fn text(self) -> Result<String, Problem> {
        let text = self.name.unwrap_or_default();
        let fits = text.chars().count() <= SEARCH;
        fits.then_some(text).ok_or_else(|| Problem::invalid("name", format!("at most {SEARCH} characters")))
    }
}

/// The branches, by name.
pub(crate) async fn branches(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ResourceId>,
    Fields(named): Fields<Named>,
    paged: Paged,
) -> Listed<RefItem> {
    names(&web, &caller, (id, NameKind::Branch), named, paged).await
}

/// The tags, by name.
pub(crate) async fn tags(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ResourceId>,
    Fields(named): Fields<Named>,
    paged: Paged,
) -> Listed<RefItem> {
    names(&web, &caller, (id, NameKind::Tag), named, paged).await
}

async fn names(
    web: &Web,
    caller: &Caller,
    (id, kind): (ResourceId, NameKind),
    named: Named,
    paged: Paged,
) -> Listed<RefItem> {
    let page = repository::names(&web.app, caller, id, (kind, named.text()?), paged.part.clone()).await?;
    Ok(paged.items(page, reference))
}

fn reference(row: NameRow) -> RefItem {
    RefItem { name: row.name, oid: row.oid, last: row.last.map(commit) }
}
