//! What the client sends, carried to git in a task of its own, within limits.

use std::time::Duration;

use bytes::BytesMut;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::ChildStdin;
use tokio::task::JoinHandle;

use crate::body::Sent;
use crate::broken::Broken;
use crate::conversation::CHUNK;
use crate::preamble::Preamble;

/// The task that carries the request to git; it ends with the conversation.
pub(crate) struct Hearing(JoinHandle<Heard>);

/// How it ended. What broke it off stands here before git's input ends, so that a git that ends for want of more is
/// never taken for the cause.
type Heard = Result<(), (Broken, ChildStdin)>;

/// How much is heard, and how.
#[derive(Debug)]
pub(crate) struct Bounds {
    /// How many bytes at most.
    pub(crate) most: u64,
    /// How long nothing may come.
    pub(crate) idle: Duration,
    /// Follows what a push begins with.
    pub(crate) preamble: Option<Preamble>,
}

impl Hearing {
    /// Begins to carry what the client sends.
    pub(crate) fn begin(sent: Sent, input: ChildStdin, bounds: Bounds) -> Self {
        Self(tokio::spawn(hear(sent, input, bounds)))
    }

    /// Ready when the request is over; never, when there is none.
    pub(crate) async fn done(hearing: &mut Option<Self>) -> Result<(), Broken> {
        match hearing {
            Some(hearing) => joined((&mut hearing.0).await),
            None => std::future::pending().await,
        }
    }

    /// git has ended. Broken, when that was because of what it heard.
    pub(crate) async fn end(mut self) -> Result<(), Broken> {
        if self.0.is_finished() { joined((&mut self.0).await) } else { Ok(()) }
    }
}

impl Drop for Hearing {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn joined(joined: Result<Heard, tokio::task::JoinError>) -> Result<(), Broken> {
    match joined {
        Ok(heard) => heard.map_err(|(broken, _input)| broken),
        Err(error) => Err(Broken::Body(std::io::Error::other(error))),
    }
}

async fn hear(sent: Sent, mut input: ChildStdin, bounds: Bounds) -> Heard {
    match carry(sent, &mut input, bounds).await {
        Ok(()) => Ok(()),
        Err(broken) => Err((broken, input)),
    }
}

async fn carry(sent: Sent, input: &mut ChildStdin, mut bounds: Bounds) -> Result<(), Broken> {
    let mut sent = sent.take(bounds.most + 1);
    let mut chunk = BytesMut::with_capacity(CHUNK);
    loop {
        chunk.clear();
        // What git is slow to take is not the client's idleness: only then is the client waited for.
        let read = tokio::time::timeout(bounds.idle, sent.read_buf(&mut chunk)).await;
        if read.map_err(|_| Broken::Idle)?.map_err(Broken::Body)? == 0 {
            break;
        }
        if sent.limit() == 0 {
            return Err(Broken::TooMuch);
        }
        if let Some(preamble) = &mut bounds.preamble {
            preamble.follow(&chunk).map_err(Broken::from)?;
        }
        if input.write_all(&chunk).await.is_err() {
            // git wants to hear no more; its status says why.
            return Ok(());
        }
    }
    let _ = input.shutdown().await;
    Ok(())
}
