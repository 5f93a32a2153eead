//! `/repositories/{id}/…`: the pages of one repository.

use axum::extract::{FromRequestParts, State};
use countersign_app::repository::{self, BranchesRequest, BrowseRequest, GrepRequest};
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;
use http::request::Parts;
use maud::Markup;
use serde::Deserialize;

use super::id;
use crate::address::decoded;
use crate::answer::{PageProblem, no_page};
use crate::credential::SessionCaller;
use crate::frame::Scene;
use crate::live::{Snapshot, Watched};
use crate::page::repository::{blame as blame_page, branches as branches_page, files as files_page};
use crate::page::repository::{history as history_page, search as search_page};
use crate::query::Query;
use crate::state::Web;

/// Which repository, and where in its tree. The path is read from the bytes of the address: names in Git are bytes,
/// and a name that is no UTF-8 has a page too.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    pub(super) repository: ResourceId,
    pub(super) path: TreePath,
}

impl FromRequestParts<Web> for Spot {
    type Rejection = PageProblem;
    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Self::Rejection> {
        let rest = parts.uri.path().strip_prefix("/repositories/").ok_or_else(no_page)?;
        let mut parts = rest.splitn(3, '/');
        let repository = id(parts.next().unwrap_or_default())?;
        let path = parts.nth(1).unwrap_or_default();
        Ok(Self { repository, path: TreePath::new(decoded(path)) })
    }
}

/// The query of these pages.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    #[serde(default, rename = "ref")]
    pub(super) reference: String,
    #[serde(default)]
    from: String,
    #[serde(default)]
    tags: String,
    #[serde(default)]
    view: String,
    #[serde(default)]
    q: String,
    #[serde(default)]
    path: String,
}

impl Asked {
    fn browse(&self, spot: &Spot) -> BrowseRequest {
        let reference = Some(self.reference.clone());
        BrowseRequest { reference, path: spot.path.clone(), offset: number(&self.from), limit: None }
    }
}

/// How many to skip; what is no number skips none.
pub(super) fn number(text: &str) -> usize {
    text.parse().unwrap_or_default()
}

/// A page of what was read, with what stands around every page here.
async fn shown(
    web: &Web,
    session: &SessionCaller,
    page: impl FnOnce(&Scene<'_>, &str) -> Markup,
) -> Result<Markup, PageProblem> {
    let snapshot = Snapshot::load(web, &session.view.caller, Watched::Count).await?;
    let viewer = &session.view.viewer;
    Ok(page(&snapshot.scene(viewer, web.app.now()), &snapshot.live(viewer)))
}

/// A folder or a file.
pub(crate) async fn files(
    State(web): State<Web>,
    session: SessionCaller,
    spot: Spot,
    Query(asked): Query<Asked>,
) -> Result<Markup, PageProblem> {
    let view =
        repository::browse(&web.app, &session.view.caller, spot.repository, asked.browse(&spot)).await?;
    shown(&web, &session, |scene, live| files_page::page(scene, &view, asked.view == "source", live)).await
}

/// Who wrote the lines of a file.
pub(crate) async fn blame(
    State(web): State<Web>,
    session: SessionCaller,
    spot: Spot,
    Query(asked): Query<Asked>,
) -> Result<Markup, PageProblem> {
    let view =
        repository::blame(&web.app, &session.view.caller, spot.repository, asked.browse(&spot)).await?;
    shown(&web, &session, |scene, live| blame_page::page(scene, &view, live)).await
}

/// The commits of a branch or a path.
pub(crate) async fn history(
    State(web): State<Web>,
    session: SessionCaller,
    spot: Spot,
    Query(asked): Query<Asked>,
) -> Result<Markup, PageProblem> {
    let view =
        repository::history(&web.app, &session.view.caller, spot.repository, asked.browse(&spot)).await?;
    shown(&web, &session, |scene, live| history_page::page(scene, &view, live)).await
}

/// The branches and tags.
pub(crate) async fn branches(
    State(web): State<Web>,
    session: SessionCaller,
    spot: Spot,
    Query(asked): Query<Asked>,
) -> Result<Markup, PageProblem> {
    let request =
        BranchesRequest { part: asked.q, offset: number(&asked.from), tags_offset: number(&asked.tags) };
    let view = repository::branches(&web.app, &session.view.caller, spot.repository, request).await?;
    shown(&web, &session, |scene, live| branches_page::page(scene, &view, live)).await
}

/// What the files hold.
pub(crate) async fn search(
    State(web): State<Web>,
    session: SessionCaller,
    spot: Spot,
    Query(asked): Query<Asked>,
) -> Result<Markup, PageProblem> {
    let request = GrepRequest { reference: Some(asked.reference), query: asked.q, prefix: asked.path };
    let view = repository::grep(&web.app, &session.view.caller, spot.repository, request).await?;
    shown(&web, &session, |scene, live| search_page::page(scene, &view, live)).await
}
