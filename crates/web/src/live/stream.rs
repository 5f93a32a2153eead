//! The stream itself: bounded in number, woken by commits, over when its session is.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::response::sse::Event;
use countersign_app::live::Changes;
use countersign_app::session::{self, SessionView};
use countersign_core::id::UserId;
use countersign_core::problem::{Code, Problem};
use futures_util::Stream;
use futures_util::stream::unfold;
use maud::{Markup, html};
use tokio::time::sleep;

use super::Watched;
use super::part::{Digests, Snapshot, replace};
use crate::credential::SessionCaller;
use crate::part::notice;
use crate::state::Web;

/// The most streams of one server.
const ALL: usize = 2_000;
/// The most streams of one person.
const EACH: usize = 20;
/// How long a stream is silent at most: proxies cut what is silent for longer.
const BEAT: Duration = Duration::from_secs(20);
/// How long changes are gathered before they are shown.
const GATHER: Duration = Duration::from_millis(60);
/// How long a stream waits before it asks a store again that did not answer.
const AGAIN: Duration = Duration::from_secs(1);

/// The open streams, counted.
#[derive(Debug, Default)]
pub(crate) struct Streams(Mutex<HashMap<UserId, usize>>);

/// A place among the open streams; given back when dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    streams: Arc<Streams>,
    user: UserId,
}

impl Streams {
    /// A place for one more stream of this person.
    pub(crate) fn take(self: &Arc<Self>, user: UserId) -> Option<Seat> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = open.values().sum();
        let own = open.entry(user).or_default();
        if all >= ALL || *own >= EACH {
            return None;
        }
        *own += 1;
        Some(Seat { streams: Arc::clone(self), user })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = open.get_mut(&self.user) {
            *own -= 1;
            if *own == 0 {
                open.remove(&self.user);
            }
        }
    }
}

/// Where a stream stands.
struct Open {
    web: Web,
    session: SessionCaller,
    watched: Watched,
    changes: Changes,
    /// What the page shows; nothing yet before the first look.
    shown: Option<Digests>,
    /// The store did not answer at the last look, so that the page may be behind.
    late: bool,
    /// The digest that the page came with.
    seen: String,
    _seat: Seat,
}

/// The events of one page.
pub(super) fn events(
    web: Web,
    session: SessionCaller,
    watched: Watched,
    (seen, seat): (String, Seat),
) -> impl Stream<Item = Result<Event, Infallible>> {
    let changes = Changes::of(&web.app, session.view.viewer.workspace);
    let open = Open { web, session, watched, changes, shown: None, late: false, seen, _seat: seat };
    unfold(open, |mut open| async move { open.next().await.map(|event| (Ok(event), open)) })
}

impl Open {
    /// The next event: news, or a beat after a silent while. The end when the session is gone or the server stops; a
    /// store that does not answer is asked again, and nothing is shown meanwhile.
    async fn next(&mut self) -> Option<Event> {
        if self.late {
            sleep(AGAIN).await;
        } else if self.shown.is_some() {
            tokio::select! {
                changed = self.changes.next() => {
                    changed?;
                    sleep(GATHER).await;
                }
                () = sleep(BEAT) => {
                    return match self.signed_in().await {
                        Ok(view) => view.map(|_| beat()),
                        Err(_) => Some(self.come_late()),
                    };
                }
            }
        }
        Some(self.look().await?.unwrap_or_else(beat))
    }

    async fn signed_in(&self) -> Result<Option<SessionView>, Problem> {
        let found = session::glance(&self.web.app, &self.session.cookie).await;
        found.inspect_err(|problem| {
            tracing::warn!(%problem, "a live page could not look up its session; it tries again");
        })
    }

    fn come_late(&mut self) -> Event {
        self.late = true;
        beat()
    }

    /// What is new to the page; nothing when it shows everything already.
    async fn look(&mut self) -> Option<Option<Event>> {
        let view = match self.signed_in().await {
            Ok(view) => view?,
            Err(_) => return Some(Some(self.come_late())),
        };
        let snapshot = match Snapshot::load(&self.web, &view.caller, self.watched).await {
            Ok(snapshot) => snapshot,
            Err(problem) if problem.code == Code::StoreUnavailable => return Some(Some(self.come_late())),
            Err(problem) => {
                self.shown = Some(Digests::default());
                return Some(Some(Event::default().data(gone(&notice::problem(&problem)).into_string())));
            }
        };
        self.late = false;
        let now = snapshot.digests(&view.viewer);
        let whole = now.whole();
        let before = self.shown.replace(now.clone());
        if before.is_none() && self.seen == whole {
            return Some(None);
        }
        let before = before.unwrap_or_default();
        let fresh = snapshot.parts(&view.viewer, self.web.app.now());
        let fresh: Vec<_> = fresh.into_iter().filter(|part| !now.agrees(&before, part.id)).collect();
        if fresh.is_empty() {
            return Some(None);
        }
        let markup = html! { @for part in &fresh { (replace(part)) } };
        Some(Some(Event::default().id(whole).data(markup.into_string())))
    }
}

/// A line that says nothing.
fn beat() -> Event {
    Event::default().comment("")
}

/// What the page was about is no longer this viewer's to see.
fn gone(problem: &Markup) -> Markup {
    html! { hx-partial hx-target="#main" hx-swap="innerHTML" { div.sheet { (problem) } } }
}

#[cfg(test)]
mod tests {
    use countersign_core::id::UserId;

    use super::*;

    #[test]
    fn one_person_has_a_bounded_number_of_streams_and_gives_them_back() {
        let streams = Arc::new(Streams::default());
        let user = UserId::parse("0190f0f0-0000-7000-8000-000000000001").unwrap();
        let other = UserId::parse("0190f0f0-0000-7000-8000-000000000002").unwrap();
        let mut seats: Vec<_> = (0..EACH).map(|_| streams.take(user).unwrap()).collect();
        assert!(streams.take(user).is_none());
        assert!(streams.take(other).is_some());
        seats.pop();
        assert!(streams.take(user).is_some());
        drop(seats);
        assert!(streams.0.lock().unwrap().is_empty());
    }
}
