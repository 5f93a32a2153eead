//! The one stream of a page: parts rendered for its viewer, after the gate, whenever something changed.
//!
//! An event's id is a digest of what it shows. Who comes back with the digest of what is still true is sent
//! nothing; who comes back with any other is sent everything. So no history is kept for anybody.

mod part;
mod stream;
mod watched;

use axum::extract::State;
use axum::response::sse::Sse;
use axum::response::{IntoResponse, Response};
use countersign_core::problem::{Code, Problem};
use http::HeaderMap;

use crate::answer::PageProblem;
use crate::credential::SessionCaller;
use crate::query::Query;
use crate::state::Web;

pub(crate) use part::{Shown, Snapshot};
pub(crate) use stream::Streams;
pub(crate) use watched::Watched;

/// Opens the stream of a page.
pub(crate) async fn open(
    State(web): State<Web>,
    session: SessionCaller,
    headers: HeaderMap,
    Query(asked): Query<watched::Asked>,
) -> Result<Response, PageProblem> {
    let watched = asked.watched().ok_or_else(crate::answer::no_page)?;
    let seat = web.streams.take(session.view.viewer.user).ok_or_else(full)?;
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let seen = last.map_or(asked.seen, str::to_owned);
    let events = stream::events(web, session, watched, (seen, seat));
    // Proxies that gather an answer before they pass it on would hold the events back.
    Ok(([("x-accel-buffering", "no")], Sse::new(events)).into_response())
}

fn full() -> Problem {
    Problem::new(Code::RateLimited, "Too many pages are open at once.")
        .next("Close some, then load this one again.")
}
