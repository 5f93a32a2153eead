//! A push under way is watched: how much of the disk it takes, and what it will leave when its git is killed.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use countersign_core::id::ResourceId;
use countersign_git::GitHost;
use countersign_git::quarantine::Quarantine;
use tokio::task::JoinHandle;

/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// Watches one push until it is dropped.
pub(crate) struct Watch {
    at: At,
    looking: JoinHandle<()>,
    over: bool,
}

/// Which push, and where it keeps what it brings once that is known.
#[derive(Clone)]
struct At {
    host: GitHost,
    repository: ResourceId,
    git: u32,
    found: Arc<OnceLock<Quarantine>>,
}

impl Watch {
    /// Watches the push to a repository that the process `git` takes. It may keep `room` bytes.
    pub(crate) fn begin(host: &GitHost, (repository, git): (ResourceId, u32), room: u64) -> Self {
        let at = At { host: host.clone(), repository, git, found: Arc::default() };
        Self { looking: tokio::spawn(at.clone().outgrown(room)), at, over: false }
    }

    /// Ready when the push takes more than it may; never, where none is watched.
    pub(crate) async fn over(watch: &mut Option<Self>) {
        match watch {
            Some(watch) if !watch.over => {
                let _ = (&mut watch.looking).await;
                watch.over = true;
            }
            Some(_) => {}
            None => std::future::pending().await,
        }
    }

    /// Whether it was seen to take more than it may.
    pub(crate) const fn is_over(&self) -> bool {
        self.over
    }

    /// Looks for the last time, while its git still lives; answers where it keeps what it brings.
    pub(crate) async fn end(self) -> Option<Quarantine> {
        self.at.look().await.cloned()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.looking.abort();
    }
}

impl At {
    /// Ready when there is more than `room`.
    async fn outgrown(self, room: u64) {
        loop {
            tokio::time::sleep(LOOK).await;
            let Some(quarantine) = self.look().await else { continue };
            match quarantine.size().await {
                Ok(size) if size > room => return,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(repository = %self.repository, %error, "a push cannot be measured");
                }
            }
        }
    }

    async fn look(&self) -> Option<&Quarantine> {
        if self.found.get().is_none()
            && let Some(quarantine) = self.host.quarantine_of(self.repository, self.git).await
        {
            let _ = self.found.set(quarantine);
        }
        self.found.get()
    }
}
