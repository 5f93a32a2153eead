//! Keep: what a push brought is in its place, and survives a power cut before a ref names it.

use countersign_core::problem::Problem;

use super::accept::Accepted;
use crate::App;
use crate::fault::Point;
use crate::git_problem::git_problem;

/// Syncs what an accepted push brought. git syncs its files and not the folders that name them, so that it would move a
/// ref to what a power cut takes away.
pub async fn keep(app: &App, accepted: &Accepted) -> Result<(), Problem> {
    app.faults.at(Point::KeepPush);
    app.git.sync(*accepted.permit.target()).await.map_err(git_problem)
}
