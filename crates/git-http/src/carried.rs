//! What git says, carried on in a task of its own: its time goes on while the client stands still, and once a push is
//! decided over, others wait for its git to end, which does not wait for the client.

use std::collections::VecDeque;

use bytes::Bytes;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;

use crate::broken::Broken;
use crate::conversation::Conversation;

/// How much is kept for a client once its push is decided over: more than git says of a thousand refs with the longest
/// names.
const MOST: usize = 1 << 20;

/// What the client has not heard yet. Dropping it, as happens when the client hangs up, ends the conversation.
pub(crate) struct Carried {
    said: Receiver<Bytes>,
    carrying: JoinHandle<Result<(), Broken>>,
}

impl Carried {
    /// Goes on with a conversation of which the client has heard the beginning.
    pub(crate) fn begin(talk: Conversation) -> Self {
        let (to, said) = channel(1);
        Self { said, carrying: tokio::spawn(carry(talk, to)) }
    }

    /// The next bytes; `None` at a good end.
    pub(crate) async fn go_on(&mut self) -> Result<Option<Bytes>, Broken> {
        match self.said.recv().await {
            Some(said) => Ok(Some(said)),
            None => (&mut self.carrying).await.unwrap_or(Err(Broken::TooLong)).map(|()| None),
        }
    }
}

async fn carry(mut talk: Conversation, to: Sender<Bytes>) -> Result<(), Broken> {
    let (mut kept, mut size) = (VecDeque::new(), 0);
    loop {
        let said = tokio::select! {
            biased;
            () = to.closed() => return Ok(()),
            said = talk.go_on() => said?,
        };
        let Some(said) = said else { break };
        size += said.len();
        kept.push_back(said);
        tokio::select! {
            biased;
            decided = talk.is_decided(size < MOST) => decided?,
            place = to.reserve() => match (place, kept.pop_front()) {
                (Ok(place), Some(said)) => {
                    size -= said.len();
                    place.send(said);
                }
                (Err(_), _) | (_, None) => return Ok(()),
            },
        }
    }
    // What is left to hear keeps nobody waiting.
    drop(talk);
    for said in kept {
        if to.send(said).await.is_err() {
            break;
        }
    }
    Ok(())
}
