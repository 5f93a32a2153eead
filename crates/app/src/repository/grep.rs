//! Search the files of a repository as a person does, with the lines around each match.

use std::sync::atomic::AtomicBool;

use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use countersign_git::Repo;
use countersign_git::search::{MOST_TIME, Match, Matches, Search};

use super::heading::{self, Asked, Opened, Seen};
use super::search::QUERY_MAX;
use super::view::{FileHits, GrepView, Hit};
use crate::App;
use crate::gate::{Action, Permit};
use crate::git_problem::git_problem;

/// The action.
pub const GREP: Action = heading::action("repository.search");

/// How many lines are found at most.
pub const HITS: usize = 200;
/// How many lines stand before and after each.
const AROUND: usize = 1;

/// What to look for.
#[derive(Clone, Debug, Default)]
pub struct GrepRequest {
    /// A branch, a tag or the full id of a commit; else the default branch.
    pub reference: Option<String>,
    /// The text, whatever its case; empty to look for nothing yet.
    pub query: String,
    /// What the paths begin with.
    pub prefix: String,
}

/// Searches.
pub async fn grep(
    app: &App,
    caller: &Caller,
    id: ResourceId,
    request: GrepRequest,
) -> Result<GrepView, Problem> {
    heading::through(app, caller, GREP, id, |permit| run(app, permit, request)).await
}

async fn run(app: &App, permit: Permit<Opened>, request: GrepRequest) -> Result<GrepView, Problem> {
    let person = permit.person()?;
    let opened = permit.target().clone();
    let asked = Asked::read(request.reference.clone(), &opened)?;
    let wrong = wrong(&request.query);
    let search = Search {
        query: request.query.clone(),
        path_prefix: request.prefix.trim_start_matches('/').to_owned(),
        limit: HITS,
        around: AROUND,
    };
    let looks = wrong.is_none() && !request.query.is_empty();
    let look = move |repo: &Repo, stop: &AtomicBool| {
        let Some(seen) = Seen::look(repo, &asked, stop)? else { return Ok(None) };
        let found = match seen.oid().filter(|_| looks) {
            Some(commit) => repo.search(commit, &search, stop)?,
            None => Matches::default(),
        };
        Ok(Some((seen, found)))
    };
    let found = app.git.desk(person).within(opened.id, MOST_TIME, look).await.map_err(git_problem)?;
    let (seen, found) = found.ok_or_else(|| heading::missing(request.reference.as_deref()))?;
    Ok(GrepView {
        heading: heading::heading(opened, seen),
        query: request.query,
        prefix: request.prefix,
        wrong,
        truncated: found.truncated,
        files: by_file(found),
    })
}

/// What is wrong with a text to look for.
fn wrong(query: &str) -> Option<&'static str> {
    if query.chars().count() > QUERY_MAX {
        return Some("Look for at most 200 characters.");
    }
    query.contains(['\n', '\0']).then_some("Look for the text of one line.")
}

fn by_file(found: Matches) -> Vec<FileHits> {
    let mut files: Vec<FileHits> = Vec::new();
    for Match { path, line, text, found, before, after } in found.items {
        let hit = Hit { line, text, found, before, after };
        match files.last_mut().filter(|file| file.path == path) {
            Some(file) => file.hits.push(hit),
            None => files.push(FileHits { path, hits: vec![hit] }),
        }
    }
    files
}
