//! A git under way: dropping it ends its whole process group.

use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};

/// How long a git may tidy up (its lock and temporary files) before it is killed.
pub(crate) const GRACE: Duration = Duration::from_millis(300);

/// A started git, leader of its own process group.
#[derive(Debug)]
pub struct Running {
    /// Taken when the end was seen, or on drop.
    child: Option<Child>,
    name: &'static str,
}

impl Running {
    pub(crate) fn new(child: Child, name: &'static str) -> Self {
        Self { child: Some(child), name }
    }

    /// Its standard streams, each once.
    pub fn take_streams(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        match &mut self.child {
            Some(child) => (child.stdin.take(), child.stdout.take(), child.stderr.take()),
            None => (None, None, None),
        }
    }

    /// Waits for its end; after that there is nothing left to end.
    pub async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        let Some(child) = &mut self.child else {
            return Err(std::io::Error::other("its end was seen before"));
        };
        let status = child.wait().await?;
        self.child = None;
        Ok(status)
    }

    /// The process id, as long as its end was not seen.
    pub fn id(&self) -> Option<u32> {
        self.child.as_ref().and_then(Child::id)
    }
}

impl Running {
    /// Ends it with everything that it started, as dropping it does, and waits until it has ended.
    pub async fn end(&mut self) {
        let group = self.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let Some(group) = group else { return };
        tracing::debug!(command = self.name, "ending a git");
        let _ = kill_process_group(group, Signal::TERM);
        tokio::time::sleep(GRACE).await;
        // It is not reaped yet, so the number is still its own.
        let _ = kill_process_group(group, Signal::KILL);
        let _ = self.wait().await;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        let Some(group) = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw) else {
            return;
        };
        tracing::debug!(command = self.name, "ending a git that nobody waits for");
        // SIGTERM lets git remove its lock files. The leader is not reaped before SIGKILL was
        // sent, so the group's number cannot have passed to anyone else.
        let _ = kill_process_group(group, Signal::TERM);
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => {
                runtime.spawn(async move {
                    tokio::time::sleep(GRACE).await;
                    let _ = kill_process_group(group, Signal::KILL);
                    let _ = child.wait().await;
                });
            }
            Err(_) => {
                let _ = kill_process_group(group, Signal::KILL);
            }
        }
    }
}
