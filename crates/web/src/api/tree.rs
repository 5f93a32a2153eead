//! `/api/v1/repositories/{id}/…`: what a repository holds, and its past.

use axum::Json;
use axum::extract::State;
use countersign_app::repository::view::{
    BlameBody, BrowseBody, BrowseView, CommitLine, FileBody, FileView, FolderRow, FolderRowKind, FolderView,
    Lines,
};
use countersign_app::repository::{self, BrowseRequest, GrepRequest};
use countersign_core::api::tree::{
    BlameFacts, BlameOutcome, BlameRun, CommitItem, EntryKind, FileContent, FileFacts, FileHits, FolderItem,
    FolderPage, HistoryPage, LineHit, SearchFacts, TextLines,
};
use countersign_core::id::ResourceId;
use countersign_core::limit::{REFERENCE, SEARCH};
use countersign_core::page::{Cursor, foreign};
use countersign_core::problem::{Code, Problem};
use schemars::JsonSchema;
use serde::Deserialize;

use super::listing::{Linked, Paged};
use super::spot::{RawAnswer, Spot};
use super::{Answer, ApiProblem, Fields, Ids};
use crate::address::coded;
use crate::credential::ApiCaller;
use crate::handler::raw::answer as raw_answer;
use crate::state::Web;

/// A folder.
pub(crate) async fn folder(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    spot: Spot,
    paged: Paged,
) -> Result<Linked<FolderPage>, ApiProblem> {
    let (repository, request) = (spot.repository, request(spot, &paged)?);
    let offset = request.offset;
    let view = repository::browse(&web.app, &caller, repository, request).await?;
    let commit = view.heading.at.as_ref().map(|at| at.oid);
    let FolderView { rows, total, .. } = match view.body {
        BrowseBody::Folder(folder) => folder,
        BrowseBody::Empty => FolderView { rows: Vec::new(), offset: 0, total: 0, readme: None },
        BrowseBody::File(_) | BrowseBody::Symlink { .. } | BrowseBody::Submodule { .. } => {
            return Err(Problem::new(Code::PathNotFound, "There is no folder at this path, but a file.")
                .next("Ask for it at `/file`.")
                .into());
        }
    };
    let more = offset + rows.len() < total && !rows.is_empty();
    // The next page is of the same commit, whatever is pushed meanwhile.
    let next = commit.filter(|_| more).map(|commit| Cursor::new(&commit, &(offset + rows.len())));
    let page = FolderPage {
        commit,
        path: view.path.to_string(),
        items: rows.into_iter().map(entry).collect(),
        total,
        next: next.as_ref().map(ToString::to_string),
    };
    Ok(paged.body(page, next.as_ref()))
}

/// What a page of a tree or a history asks for; behind a cursor it is of the commit that the cursor names.
fn request(spot: Spot, paged: &Paged) -> Result<BrowseRequest, Problem> {
    let (limit, path) = (Some(paged.part.limit()), spot.path);
    let Some(after) = paged.part.after() else {
        return Ok(BrowseRequest { reference: spot.reference, path, offset: 0, limit });
    };
    let offset = after.id().parse().map_err(|_| foreign())?;
    Ok(BrowseRequest { reference: Some(after.key().to_owned()), path, offset, limit })
}

fn entry(row: FolderRow) -> FolderItem {
    FolderItem {
        path: row.path.to_string(),
        path_encoded: std::str::from_utf8(row.path.as_bytes()).is_err().then(|| coded(row.path.as_bytes())),
        kind: match row.kind {
            FolderRowKind::File => EntryKind::File,
            FolderRowKind::Folder => EntryKind::Folder,
            FolderRowKind::Symlink => EntryKind::Symlink,
            FolderRowKind::Submodule => EntryKind::Submodule,
        },
        size: row.size,
        last: row.last.map(commit),
    }
}

pub(super) fn commit(line: CommitLine) -> CommitItem {
    CommitItem { oid: line.oid, title: line.title, author: line.author, at: line.at, signed: line.signed }
}

/// From which line on.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FirstLine {
    /// The number of the first line, from 1.
    #[serde(default)]
    #[schemars(with = "Option<u32>", range(min = 1))]
    from: Option<String>,
}

impl FirstLine {
    /// How many lines to skip.
    fn offset(&self) -> Result<usize, Problem> {
        let Some(text) = &self.from else { return Ok(0) };
        let number = text.parse::<u32>().ok().and_then(|number| number.checked_sub(1));
        number
            .and_then(|number| usize::try_from(number).ok())
            .ok_or_else(|| Problem::invalid("from", "the number of a line, from 1"))
    }
}

/// A file.
pub(crate) async fn file(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    spot: Spot,
    Fields(from): Fields<FirstLine>,
) -> Answer<FileFacts> {
    let request =
        BrowseRequest { reference: spot.reference, path: spot.path, offset: from.offset()?, limit: None };
    let view = repository::browse(&web.app, &caller, spot.repository, request).await?;
    let missing = || Problem::new(Code::PathNotFound, "There is a folder at this path, and no file.");
    let BrowseView { heading, path, body, latest } = view;
    let at = heading.at.ok_or_else(missing)?;
    let content = match body {
        BrowseBody::Folder(_) | BrowseBody::Empty => {
            return Err(missing().next("Ask for it at `/tree`.").into());
        }
        BrowseBody::File(FileView { size, body }) => match body {
            FileBody::Text(text) => FileContent::Text { size, lines: lines(text) },
            FileBody::Image => FileContent::Image { size },
            FileBody::Binary => FileContent::Binary { size },
            FileBody::TooLarge => FileContent::TooLarge { size },
        },
        BrowseBody::Symlink { target } => FileContent::Symlink { target },
        BrowseBody::Submodule { oid } => FileContent::Submodule { oid },
    };
    Ok(Json(FileFacts { commit: at.oid, path: path.to_string(), last: latest.map(commit), content }))
}

fn lines(lines: Lines) -> TextLines {
    TextLines { text: lines.text, from: lines.from, to: lines.to, total: lines.total, cut: lines.cut }
}

/// Its bytes.
pub(crate) async fn raw(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    spot: Spot,
) -> Result<RawAnswer, ApiProblem> {
    let at = (spot.reference, spot.path);
    let file = repository::raw(&web.app, &caller, spot.repository, at).await?;
    Ok(RawAnswer(raw_answer(file, true)?))
}

/// The commits of a branch or a path.
pub(crate) async fn history(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    spot: Spot,
    paged: Paged,
) -> Result<Linked<HistoryPage>, ApiProblem> {
    let (repository, request) = (spot.repository, request(spot, &paged)?);
    let offset = request.offset;
    let view = repository::history(&web.app, &caller, repository, request).await?;
    let seen = offset + view.commits.len();
    let at = view.heading.at.as_ref().filter(|_| view.more && !view.commits.is_empty());
    let next = at.map(|at| Cursor::new(&at.oid, &seen));
    let page = HistoryPage {
        items: view.commits.into_iter().map(commit).collect(),
        next: next.as_ref().map(ToString::to_string),
        cut: view.cut,
    };
    Ok(paged.body(page, next.as_ref()))
}

/// Who wrote the lines of a file.
pub(crate) async fn blame(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    spot: Spot,
    Fields(from): Fields<FirstLine>,
) -> Answer<BlameFacts> {
    let request =
        BrowseRequest { reference: spot.reference, path: spot.path, offset: from.offset()?, limit: None };
    let view = repository::blame(&web.app, &caller, spot.repository, request).await?;
    let (outcome, text, runs) = match view.body {
        BlameBody::Done { lines: text, runs } => (BlameOutcome::Done, Some(lines(text)), runs),
        BlameBody::Binary => (BlameOutcome::Binary, None, Vec::new()),
        BlameBody::TooLarge => (BlameOutcome::TooLarge, None, Vec::new()),
        BlameBody::TooLong => (BlameOutcome::TooLong, None, Vec::new()),
        BlameBody::Failed => (BlameOutcome::Failed, None, Vec::new()),
    };
    let run = |run: repository::view::BlameRun| BlameRun {
        from: run.from,
        lines: run.lines,
        commit: run.commit.map(commit),
    };
    let runs = runs.into_iter().map(run).collect();
    Ok(Json(BlameFacts { path: view.path.to_string(), outcome, lines: text, runs }))
}

/// The longest beginning of a path, in bytes.
const LONGEST_PATH: usize = 4096;

/// What to look for.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Sought {
    /// The text of one line, whatever its case.
    #[schemars(length(min = 1, max = SEARCH))]
    q: String,
    /// A branch, a tag, or the full id of a commit; the default branch without it.
    #[serde(default, rename = "ref")]
    #[schemars(length(max = REFERENCE))]
    reference: Option<String>,
    /// What the paths begin with.
    #[serde(default)]
    #[schemars(length(max = LONGEST_PATH))]
    path: Option<String>,
}

/// The lines that hold a text.
pub(crate) async fn search(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ResourceId>,
    Fields(sought): Fields<Sought>,
) -> Answer<SearchFacts> {
    if sought.q.is_empty() {
        return Err(Problem::invalid("q", format!("1 to {SEARCH} characters of one line")).into());
    }
    let prefix = sought.path.unwrap_or_default();
    if prefix.len() > LONGEST_PATH {
        return Err(Problem::invalid("path", format!("at most {LONGEST_PATH} bytes")).into());
    }
    let request = GrepRequest { reference: sought.reference, query: sought.q, prefix };
    let view = repository::grep(&web.app, &caller, id, request).await?;
    if view.wrong.is_some() {
        return Err(Problem::invalid("q", format!("1 to {SEARCH} characters of one line")).into());
    }
    let hit = |hit: repository::view::Hit| LineHit {
        line: hit.line,
        text: hit.text,
        before: hit.before,
        after: hit.after,
    };
    let files = view
        .files
        .into_iter()
        .map(|file| FileHits { path: file.path.to_string(), hits: file.hits.into_iter().map(hit).collect() });
    Ok(Json(SearchFacts { files: files.collect(), truncated: view.truncated }))
}
