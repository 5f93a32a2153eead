//! What the client sends, carried to git in a task of its own, within limits.

use bytes::BytesMut;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::ChildStdin;
use tokio::task::JoinHandle;

use crate::body::Sent;
use crate::conversation::{Broken, CHUNK};
use crate::preamble::Preamble;

/// The task that carries the request to git; it ends with the conversation.
pub(crate) struct Hearing(JoinHandle<Result<(), Broken>>);

impl Hearing {
    /// Begins to carry at most `most` bytes; `preamble` follows what a push begins with.
    pub(crate) fn begin(sent: Sent, input: ChildStdin, (most, preamble): (u64, Option<Preamble>)) -> Self {
        Self(tokio::spawn(hear(sent, input, (most, preamble))))
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

fn joined(joined: Result<Result<(), Broken>, tokio::task::JoinError>) -> Result<(), Broken> {
    joined.unwrap_or_else(|error| Err(Broken::Body(std::io::Error::other(error))))
}

async fn hear(
    sent: Sent,
    mut input: ChildStdin,
    (most, mut preamble): (u64, Option<Preamble>),
) -> Result<(), Broken> {
    let mut sent = sent.take(most + 1);
    let mut chunk = BytesMut::with_capacity(CHUNK);
    loop {
        chunk.clear();
        if sent.read_buf(&mut chunk).await.map_err(Broken::Body)? == 0 {
            break;
        }
        if sent.limit() == 0 || preamble.as_mut().is_some_and(|preamble| !preamble.takes(&chunk)) {
            return Err(Broken::TooMuch);
        }
        if input.write_all(&chunk).await.is_err() {
            // git wants to hear no more; its status says why.
            return Ok(());
        }
    }
    let _ = input.shutdown().await;
    Ok(())
}
