//! Who waits for changes of a workspace: woken after each commit that its pages show.

use countersign_core::id::WorkspaceId;
use countersign_store::{Heard, Listener};

use crate::App;

/// Hears of every change of one workspace from its making on.
#[derive(Debug)]
pub struct Changes {
    listener: Listener,
    workspace: String,
}

impl Changes {
    /// Begins to listen. Look at the data after this, so that nothing falls in between.
    pub fn of(app: &App, workspace: WorkspaceId) -> Self {
        Self { listener: app.db.listen(), workspace: workspace.to_string() }
    }

    /// Waits until something changed, or may have; `None` when the store is gone. May be cancelled.
    pub async fn next(&mut self) -> Option<()> {
        loop {
            match self.listener.next().await? {
                Heard::Gap => return Some(()),
                Heard::Wake(wake) if wake.workspace == self.workspace => return Some(()),
                Heard::Wake(_) => {}
            }
        }
    }
}
