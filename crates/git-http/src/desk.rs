//! The desk of one push: a socket at which git's hooks ask, and what is known of the push so far.
//!
//! Socket and token belong to this push and go with it. The socket lies in the abstract namespace: it needs no
//! folder, no short path and no clean-up after a kill; other users of the machine are turned away by their id.

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use countersign_app::App;
use countersign_app::push::{self, Accepted, Asked, Push, Recorded};
use countersign_app::secret::{SecretHash, random_text};
use countersign_core::caller::Caller;
use countersign_core::gitnest::push::RefUpdate;
use countersign_core::id::ResourceId;
use countersign_core::problem::Code;
use countersign_git::lock::PushLock;
use countersign_git::process::GitCommand;
use rustix::process::{Uid, getuid};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{OnceCell, watch};
use tokio::task::JoinHandle;

use crate::limits::Limits;
use crate::question::{Answer, Hook, MOST_BYTES, Question, SOCKET, TOKEN};

/// How long a hook may take to say its question.
pub(crate) const QUESTION: Duration = Duration::from_secs(5);

/// The desk. Dropping it ends the push: what it moved and did not tell of is told then.
pub(crate) struct Desk {
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
    lock: Option<Arc<PushLock>>,
    name: String,
    token: String,
}

struct Shared {
    app: App,
    limits: Limits,
    caller: Caller,
    repository: ResourceId,
    token: SecretHash,
    stage: Mutex<Stage>,
    /// Whether it may move refs.
    decided: watch::Sender<bool>,
    /// What it brought is synced.
    kept: OnceCell<()>,
}

/// How far a push is. Each hook is answered once; the one before a ref is moved, once for each.
enum Stage {
    /// No hook has asked.
    Begun,
    /// It was asked for, and is being decided or was refused.
    Asked,
    /// It may move refs, and nobody knows whether it has.
    Accepted(Accepted),
    /// It has moved these, and the log does not tell of them.
    Moved(Accepted, Vec<RefUpdate>),
    /// The log tells of what it moved.
    Told,
}

impl Desk {
    /// Opens the desk of a push by `caller`, which holds `lock`.
    pub(crate) fn open(app: &App, limits: Limits, caller: Caller, lock: PushLock) -> std::io::Result<Self> {
        // The namespace is the machine's: a test's randomness repeats, the number of its process does not.
        let name = format!("countersign-push-{}-{}", std::process::id(), random_text(app.random()));
        let token = random_text(app.random());
        let (listener, lock) = (bind(&name)?, Arc::new(lock));
        let shared = Arc::new(Shared {
            app: app.clone(),
            limits,
            caller,
            repository: lock.repository(),
            token: SecretHash::of(&token),
            stage: Mutex::new(Stage::Begun),
            decided: watch::Sender::new(false),
            kept: OnceCell::new(),
        });
        let listening = tokio::spawn(listen(Arc::clone(&shared), Arc::clone(&lock), listener, getuid()));
        Ok(Self { shared, listening, lock: Some(lock), name, token })
    }

    /// Tells the hooks of this git the way here.
    pub(crate) fn tell<'g>(&self, command: GitCommand<'g>) -> GitCommand<'g> {
        command.env(SOCKET, self.name.as_str()).env(TOKEN, self.token.as_str())
    }

    /// Ready once its push may move refs.
    pub(crate) async fn is_decided(&self) {
        let _ = self.shared.decided.subscribe().wait_for(|decided| *decided).await;
    }

    /// What its push holds.
    pub(crate) fn lock(&self) -> Option<&PushLock> {
        self.lock.as_deref()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.listening.abort();
        let (accepted, moved) = match self.shared.take() {
            Stage::Begun | Stage::Asked | Stage::Told => return,
            Stage::Accepted(accepted) => (accepted, None),
            Stage::Moved(accepted, moved) => (accepted, Some(moved)),
        };
        let (shared, lock) = (Arc::clone(&self.shared), self.lock.take());
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            drop(lock);
            shared.settle(&Push { accepted: &accepted, moved: moved.as_deref() }).await;
        });
    }
}

/// What is said of a push over which could not be decided in time.
fn too_long(time: Duration) -> Vec<String> {
    vec![
        format!(
            "This push could not be looked through in {} seconds, so nothing was changed.",
            time.as_secs()
        ),
        "Push it in parts: an older commit first, by `git push <remote> <commit>:<branch>`.".to_owned(),
    ]
}

fn bind(name: &str) -> std::io::Result<UnixListener> {
    let listener = std::os::unix::net::UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?)?;
    listener.set_nonblocking(true)?;
    UnixListener::from_std(listener)
}

/// Answers what programs of the user `us` ask, one after the other.
async fn listen(shared: Arc<Shared>, lock: Arc<PushLock>, listener: UnixListener, us: Uid) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        if stream.peer_cred().is_ok_and(|peer| peer.uid() == us.as_raw()) {
            shared.serve(stream, &lock).await;
        }
    }
}

impl Shared {
    /// Hears one question and answers it.
    async fn serve(&self, mut stream: UnixStream, lock: &PushLock) {
        let mut bytes = Vec::new();
        let mut bounded = (&mut stream).take(MOST_BYTES);
        let whole = bounded.read_to_end(&mut bytes);
        let Ok(Ok(_)) = tokio::time::timeout(QUESTION, whole).await else { return };
        let Ok(question) = serde_json::from_slice::<Question>(&bytes) else { return };
        if SecretHash::of(&question.token) != self.token {
            tracing::warn!(repository = %self.repository, "a hook with another token was turned away");
            return;
        }
        let answer = match question.hook {
            Hook::PreReceive => self.before(&question, lock).await,
            Hook::Update => self.between().await,
            Hook::PostReceive => self.after(&question).await,
        };
        let heard = stream.write_all(&serde_json::to_vec(&answer).unwrap_or_default()).await;
        // A hook that is gone has refused.
        if heard.is_err() && question.hook == Hook::PreReceive {
            self.replace(Stage::Asked);
        }
    }

    /// Tells of a push that ended without its story, for as long as a database may be away: after that it would be
    /// told of as the server's.
    async fn settle(&self, push: &Push<'_>) {
        let mut pause = self.limits.pause;
        for _ in 0..self.limits.tries {
            match push::settle(&self.app, self.repository, Some(*push)).await {
                Ok(()) => return,
                Err(problem) => {
                    tracing::warn!(repository = %self.repository, %problem, "a push is not told of yet");
                }
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(self.limits.longest_pause);
        }
    }

    async fn before(&self, question: &Question, lock: &PushLock) -> Answer {
        if !matches!(self.replace(Stage::Asked), Stage::Begun) {
            return Answer::no(vec!["This push was asked for before.".to_owned()]);
        }
        let asked = Asked { updates: question.updates.clone(), quarantine: question.quarantine.clone() };
        let decision = push::decide(&self.app, &self.caller, lock, asked);
        let Ok(decision) = tokio::time::timeout(self.limits.decision, decision).await else {
            return Answer::no(too_long(self.limits.decision));
        };
        match decision {
            Ok(accepted) => {
                self.replace(Stage::Accepted(accepted));
                self.decided.send_replace(true);
                Answer::yes()
            }
            Err(problem) => {
                if problem.code.status() >= 500 && problem.code != Code::RepositoryBusy {
                    let cause = problem.cause.as_deref().map(tracing::field::display);
                    tracing::error!(repository = %self.repository, %problem, cause, "a push");
                }
                Answer::no(push::lines(&problem))
            }
        }
    }

    /// Before a ref moves: everything that was brought is in its place since the first was about to.
    async fn between(&self) -> Answer {
        let accepted = match &*self.stage() {
            Stage::Accepted(accepted) => accepted.clone(),
            Stage::Begun | Stage::Asked | Stage::Moved(..) | Stage::Told => return Answer::not_allowed(),
        };
        match self.kept.get_or_try_init(|| push::keep(&self.app, &accepted)).await {
            Ok(()) => Answer::yes(),
            Err(problem) => {
                tracing::error!(repository = %self.repository, %problem, "a push is not kept");
                Answer::no(push::lines(&problem))
            }
        }
    }

    /// git goes on to its end whatever is answered here.
    async fn after(&self, question: &Question) -> Answer {
        let moved: Vec<_> = question.updates.iter().filter_map(|line| RefUpdate::parse(line).ok()).collect();
        let Stage::Accepted(accepted) = self.take() else {
            return Answer::not_allowed();
        };
        self.replace(Stage::Moved(accepted.clone(), moved.clone()));
        match push::record(&self.app, &accepted, &moved).await {
            Ok(Recorded::Done) => drop(self.replace(Stage::Told)),
            Ok(Recorded::Behind) => {
                tracing::info!(repository = %self.repository, "a push is told of at its end");
            }
            Err(problem) => {
                tracing::warn!(repository = %self.repository, %problem, "a push is told of at its end");
            }
        }
        Answer::yes()
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replace(&self, stage: Stage) -> Stage {
        std::mem::replace(&mut *self.stage(), stage)
    }

    /// Leaves a stage in which no hook is answered.
    fn take(&self) -> Stage {
        self.replace(Stage::Asked)
    }
}

#[cfg(test)]
mod tests;
