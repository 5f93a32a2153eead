//! One git, what the client sends to it, and what it says: carried both ways at the same time, within limits.

use std::pin::Pin;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::{Bytes, BytesMut};
use countersign_core::id::ResourceId;
use countersign_git::GitHost;
use countersign_git::complaint::keep_beginning;
use countersign_git::process::GitCommand;
use countersign_git::running::Running;
use futures_util::stream;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use tokio::io::AsyncReadExt as _;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::Sleep;

use crate::answer;
use crate::body::Sent;
use crate::broken::{Broken, Service};
use crate::carried::Carried;
use crate::desk::Desk;
use crate::hearing::{Bounds, Hearing};
use crate::places::Slot;
use crate::preamble::Preamble;
use crate::watch::Watch;

/// How long the git of a push may take to end after its input did.
const LAST_WORD: Duration = Duration::from_secs(2);
/// How much of git's answer is read at once.
pub(crate) const CHUNK: usize = 64 << 10;

/// A git under way for a client. Dropping it, as happens when the client hangs up, ends git and everything that
/// it started, and gives its place to the next one; that of a push first hears the end of its input.
pub(crate) struct Conversation {
    running: Option<Running>,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    complaints: JoinHandle<String>,
    hearing: Option<Hearing>,
    end: Pin<Box<Sleep>>,
    service: Service,
    desk: Option<Desk>,
    watch: Option<Watch>,
    slot: Option<Slot>,
}

impl Conversation {
    /// Starts git. It has a place and some time.
    pub(crate) fn start(command: GitCommand<'_>, slot: Slot, time: Duration) -> Result<Self, Response> {
        let failed = |reason: &str| {
            tracing::error!(reason, "git could not be started");
            answer::plain(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Git could not be started here. Tell the operator.",
            )
        };
        let mut running = command.start().map_err(|error| failed(&error.to_string()))?;
        let (input, output, errors) = running.take_streams();
        let output = output.ok_or_else(|| failed("it has no output"))?;
        // Read to its end in any case: a git that cannot complain stands still.
        let complaints = tokio::spawn(keep_beginning(errors));
        let end = Box::pin(tokio::time::sleep(time));
        Ok(Self {
            running: Some(running),
            input,
            output: Some(output),
            complaints,
            hearing: None,
            end,
            service: Service::Fetch,
            desk: None,
            watch: None,
            slot: Some(slot),
        })
    }

    /// It is about a push to `repository`, whose hooks ask at this desk; what it brings may take `room` bytes of the
    /// disk.
    pub(crate) fn for_push(
        mut self,
        desk: Desk,
        (host, repository): (&GitHost, ResourceId),
        room: u64,
    ) -> Self {
        self.service = Service::Push;
        self.desk = Some(desk);
        let git = self.running.as_ref().and_then(Running::id);
        self.watch = git.map(|git| Watch::begin(host, (repository, git), room));
        self
    }

    /// Lets git hear what the client sends, at most `most` bytes and never nothing for as long as `idle`, while it
    /// already talks.
    pub(crate) fn hear(mut self, sent: Sent, most: u64, idle: Duration) -> Self {
        let preamble = matches!(self.service, Service::Push).then(Preamble::new);
        let hear = |input| Hearing::begin(sent, input, Bounds { most, idle, preamble });
        self.hearing = self.input.take().map(hear);
        self
    }

    /// What git says, after `first`, as an answer. Its status waits for the first bytes: a git that fails before
    /// it said anything becomes a sentence.
    pub(crate) async fn answer(mut self, kind: &'static str, first: &'static [u8]) -> Response {
        // Without anything to hear, its input ends here.
        drop(self.input.take());
        let said = match self.next().await {
            Ok(said) => said,
            Err(broken) => return broken.answer(self.service),
        };
        let begun = Bytes::from([Bytes::from_static(first), said.clone().unwrap_or_default()].concat());
        let rest = said.map(|_| Carried::begin(self));
        let all = stream::try_unfold((Some(begun), rest), |(begun, rest)| async move {
            match (begun, rest) {
                (Some(begun), rest) => Ok(Some((begun, (None, rest)))),
                (None, None) => Ok(None),
                (None, Some(mut rest)) => {
                    let said = rest.go_on().await?;
                    Ok::<_, Broken>(said.map(|said| (said, (None, Some(rest)))))
                }
            }
        });
        let mut response = Response::new(Body::from_stream(all));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        answer::never_kept(response.headers_mut());
        response
    }

    /// The next bytes for a client that has heard some. A git that fails now says so in its own way, and the
    /// client knows by the protocol whether it has heard everything: nothing is taken back from it.
    pub(crate) async fn go_on(&mut self) -> Result<Option<Bytes>, Broken> {
        match self.next().await {
            Err(broken @ Broken::Git(_)) => {
                tracing::warn!(%broken, service = ?self.service, "a conversation with git ended badly");
                Ok(None)
            }
            Err(broken) => {
                tracing::warn!(%broken, service = ?self.service, "a conversation with git broke off");
                Err(broken)
            }
            said => said,
        }
    }

    /// Ready once its push may move refs, where what git says `fits`; broken, when it takes too long or too much until
    /// then.
    pub(crate) async fn is_decided(&mut self, fits: bool) -> Result<(), Broken> {
        let desk = self.desk.as_ref().filter(|_| fits);
        let decided = async {
            match desk {
                Some(desk) => desk.is_decided().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = decided => Ok(()),
            () = &mut self.end => Err(Broken::TooLong),
            () = Watch::over(&mut self.watch) => Err(Broken::Grown),
        }
    }

    /// The next bytes of git; `None` at a good end.
    async fn next(&mut self) -> Result<Option<Bytes>, Broken> {
        let mut said = BytesMut::with_capacity(CHUNK);
        loop {
            let Some(output) = &mut self.output else { return Ok(None) };
            tokio::select! {
                biased;
                () = &mut self.end => return Err(Broken::TooLong),
                heard = Hearing::done(&mut self.hearing) => {
                    self.hearing = None;
                    heard?;
                }
                () = Watch::over(&mut self.watch) => return Err(Broken::Grown),
                read = output.read_buf(&mut said) => match read {
                    Ok(0) => return self.close().await,
                    Ok(_) => return Ok(Some(said.freeze())),
                    Err(error) => return Err(Broken::Output(error)),
                },
            }
        }
    }

    /// git has said everything: how did it end?
    async fn close(&mut self) -> Result<Option<Bytes>, Broken> {
        let Some(running) = &mut self.running else { return Ok(None) };
        let ended = tokio::select! {
            () = &mut self.end => return Err(Broken::TooLong),
            () = Watch::over(&mut self.watch) => return Err(Broken::Grown),
            ended = running.wait() => ended.map_err(Broken::Output)?,
        };
        self.running = None;
        if ended.success() {
            return Ok(None);
        }
        // What git made of its input may be the fault of the input.
        if let Some(hearing) = self.hearing.take() {
            hearing.end().await?;
        }
        let complaint = (&mut self.complaints).await.unwrap_or_default();
        Err(Broken::Git(complaint))
    }
}

impl Drop for Conversation {
    /// The git of a push whose client is gone hears the end of its input first: then it takes its quarantine away,
    /// which it does not do on a signal. One that goes on for two seconds, or has grown too large, is killed, and what
    /// it leaves is removed. Its push is over once it has ended.
    fn drop(&mut self) {
        let (Service::Push, Some(running)) = (self.service, self.running.take()) else { return };
        let (hearing, input) = (self.hearing.take(), self.input.take());
        let (output, desk, slot) = (self.output.take(), self.desk.take(), self.slot.take());
        let watch = self.watch.take();
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            drop((hearing, input));
            let mut running = running;
            let ending = async {
                if let Some(mut output) = output {
                    let _ = tokio::io::copy(&mut output, &mut tokio::io::sink()).await;
                }
                let _ = running.wait().await;
            };
            let patience =
                if watch.as_ref().is_some_and(Watch::is_over) { Duration::ZERO } else { LAST_WORD };
            if tokio::time::timeout(patience, ending).await.is_err() {
                tracing::warn!("a push that is broken off is ended");
                let left = match watch {
                    Some(watch) => watch.end().await,
                    None => None,
                };
                running.end().await;
                if let Some(left) = left {
                    left.remove().await;
                }
            }
            drop((running, desk, slot));
        });
    }
}
