//! Who waits for changes of a workspace: woken after each commit that its pages show, and at the end.

use countersign_core::id::WorkspaceId;
use countersign_store::{Heard, Listener};
use tokio::sync::watch;

use crate::App;

/// Tells everybody who waits that the server stops.
#[derive(Debug)]
pub struct Ending(watch::Sender<bool>);

impl Default for Ending {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Ending {
    /// The server stops: whoever waits for changes hears that there will be none.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }
}

/// Hears of every change of one workspace from its making on.
#[derive(Debug)]
pub struct Changes {
    listener: Listener,
    ending: watch::Receiver<bool>,
    workspace: String,
}

impl Changes {
    /// Begins to listen. Look at the data after this, so that nothing falls in between.
    pub fn of(app: &App, workspace: WorkspaceId) -> Self {
        Self { listener: app.db.listen(), ending: app.ending.0.subscribe(), workspace: workspace.to_string() }
    }

    /// Waits until something changed, or may have; `None` when the server stops. May be cancelled.
    pub async fn next(&mut self) -> Option<()> {
        loop {
            let heard = tokio::select! {
                biased;
                _ = self.ending.wait_for(|ending| *ending) => return None,
                heard = self.listener.next() => heard?,
            };
            match heard {
                Heard::Gap => return Some(()),
                Heard::Wake(wake) if wake.workspace == self.workspace => return Some(()),
                Heard::Wake(_) => {}
            }
        }
    }
}
