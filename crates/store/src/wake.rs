//! Wake-ups: who waits for a change hears of it after its commit.

use tokio::sync::broadcast;

/// Something of a workspace changed: look again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wake {
    /// The id of the workspace.
    pub workspace: String,
    /// What changed, in the words of those who wait (`approvals`, …).
    pub topic: String,
}

/// How many wake-ups a slow listener may be behind before it is told that it missed some.
const BACKLOG: usize = 1024;

/// What a listener hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// One wake-up.
    Wake(Wake),
    /// Some were missed: look at everything again.
    Gap,
}

/// The end where wake-ups come in.
#[derive(Clone, Debug)]
pub(crate) struct Wakes(broadcast::Sender<Heard>);

impl Wakes {
    pub(crate) fn new() -> Self {
        Self(broadcast::Sender::new(BACKLOG))
    }

    /// Tells everybody in this process; nobody listening is no error.
    pub(crate) fn send(&self, wakes: Vec<Wake>) {
        for wake in wakes {
            let _ = self.0.send(Heard::Wake(wake));
        }
    }

    /// Tells everybody in this process that some may have been missed.
    pub(crate) fn gap(&self) {
        let _ = self.0.send(Heard::Gap);
    }

    pub(crate) fn listen(&self) -> Listener {
        Listener(self.0.subscribe())
    }
}

/// Hears every wake-up from its making on.
#[derive(Debug)]
pub struct Listener(broadcast::Receiver<Heard>);

impl Listener {
    /// The next one; `None` when the store is gone. May be cancelled without losing any.
    pub async fn next(&mut self) -> Option<Heard> {
        match self.0.recv().await {
            Ok(heard) => Some(heard),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(Heard::Gap),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}
