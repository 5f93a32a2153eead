//! Finish: the end of an execution in the store. Row, audit, event, and where the branch was seen: one transaction.

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::push_log::Move;
use countersign_core::problem::Problem;
use countersign_store::Saved;
use countersign_store::proposal::End;

use super::row::{Loaded, record_by_server};
use crate::App;
use crate::actor::Actor;
use crate::fault::Point;
use crate::push::{Sight, Told, follow_approval};

/// How an execution ends.
pub(super) enum Finish {
    /// The commit landed.
    Executed(Oid),
    /// The branch is elsewhere.
    Stale(Option<Oid>),
}

/// What became of the end.
pub(super) enum Finished {
    /// It stands in the store.
    Yes,
    /// Another server ended the attempt, or began the next.
    Elsewhere,
    /// A push that moved the branch before this is about to tell of it: nothing was written, look again.
    Behind,
}

/// Ends the attempt. `tip` says where the branch is, and whether somebody may be about to tell of a move of it.
pub(super) async fn finish(
    app: &App,
    loaded: &Loaded,
    finish: Finish,
    tip: Sight,
) -> Result<Finished, Problem> {
    let (row, now, app_in) = (loaded.clone(), app.now(), app.clone());
    let (word, oid) = match finish {
        Finish::Executed(commit) => ("executed", Some(commit)),
        Finish::Stale(tip) => ("stale", tip),
    };
    let executed = matches!(finish, Finish::Executed(_));
    app.faults.at(Point::Finish);
    app.db
        .write(move |t| {
            Box::pin(async move {
                if let Some(commit) = oid.filter(|_| executed) {
                    let moved = Move { old: Some(row.base), new: Some(commit) };
                    let place = (row.repository, row.workspace);
                    let branch = row.branch.full();
                    if follow_approval(t, place, (&branch, moved), (tip, now)).await? == Told::Behind {
                        return Ok(Finished::Behind);
                    }
                }
                let text = oid.map(|oid| oid.to_string());
                let end = match text.as_deref() {
                    Some(commit) if executed => End::Executed { commit },
                    branch_head => End::Stale { branch_head },
                };
                let saved = countersign_store::proposal::finish(t, row.id, row.row.attempt, end, now).await?;
                if saved != Saved::Done(()) {
                    return Ok(Finished::Elsewhere);
                }
                record_by_server(t, &app_in, &row, &format!("proposal.{word}"), now).await?;
                row.tell(t, &format!("proposal.{word}"), Actor::Server, now).await?;
                Ok::<_, Problem>(Finished::Yes)
            })
        })
        .await
}
