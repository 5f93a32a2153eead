//! Search the files of a repository at one commit for a text.

use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::Scope;
use countersign_git::revision::Revision;
use countersign_git::search::Search;
use serde::Serialize;

use super::open;
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};
use crate::git_problem::git_problem;

/// The action, named as its tool.
pub const SEARCH: Action =
    Action { name: "search_gitnest_code", need: Need::Agent(Scope::Read), effect: Effect::Read };

/// The longest text to look for, in characters.
pub const QUERY_MAX: usize = countersign_core::limit::SEARCH;
/// How many lines are found at most, and when nothing is asked for.
pub const MATCHES_MAX: usize = 50;

/// What to look for.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The repository.
    pub repository: ResourceId,
    /// The text, whatever its case.
    pub query: String,
    /// A branch, or the full id of a commit that a branch leads to; else the default branch.
    pub reference: Option<String>,
    /// What the paths begin with.
    pub path_prefix: Option<String>,
    /// How many lines to find, at most 50.
    pub limit: Option<usize>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct CodeMatches {
    /// The lines, in the order of their paths.
    pub matches: Vec<CodeMatch>,
    /// Whether the search ended before it had seen everything.
    pub truncated: bool,
}

/// A line that holds the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct CodeMatch {
    /// The file.
    pub path: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// The line; a long one is cut to what stands around the match.
    pub text: String,
}

/// Searches the text files of a repository.
pub async fn search(app: &App, caller: &Caller, request: SearchRequest) -> Result<CodeMatches, Problem> {
    gate::through(
        app,
        caller,
        SEARCH,
        move |t| {
            Box::pin(async move {
                let wanted = request.query.chars().count();
                if !(1..=QUERY_MAX).contains(&wanted) || request.query.contains(['\n', '\0']) {
                    return Err(Problem::invalid("query", "1 to 200 characters of one line"));
                }
                let (id, row) = (request.repository, open::ready(t, request.repository).await?);
                let revision = open::revision(request.reference.as_deref(), &row.default_branch)?;
                Ok(Found::resource((revision, request), id, MemberRole::Viewer))
            })
        },
        |permit| run(app, permit),
    )
    .await
}

async fn run(app: &App, permit: Permit<(Revision, SearchRequest)>) -> Result<CodeMatches, Problem> {
    let (revision, request) = permit.target().clone();
    let search = Search {
        query: request.query,
        path_prefix: request.path_prefix.unwrap_or_default().trim_start_matches('/').to_owned(),
        limit: request.limit.unwrap_or(MATCHES_MAX).clamp(1, MATCHES_MAX),
        around: 0,
    };
    let found = app.git.search(request.repository, revision.clone(), search).await.map_err(git_problem)?;
    let found = found.ok_or_else(|| open::nowhere(&revision))?;
    let matches = found.items.into_iter().map(|item| CodeMatch {
        path: item.path.to_string(),
        line: item.line,
        text: item.text,
    });
    Ok(CodeMatches { matches: matches.collect(), truncated: found.truncated })
}
