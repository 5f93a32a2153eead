//! What git says, carried on in a task of its own: its time goes on while the client stands still, and once a push is
//! decided over, others wait for its git to end, which does not wait for the client.

use bytes::{Bytes, BytesMut};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::broken::Broken;
use crate::conversation::Conversation;

/// How many pieces wait for the client.
const PIECES: usize = 1;
/// How much is kept for it once its push is decided over: more than git says of a thousand refs with the longest names.
const MOST: usize = 1 << 20;

/// What the client has not heard yet. Dropping it, as happens when the client hangs up, ends the conversation.
pub(crate) struct Carried(Receiver<Result<Bytes, Broken>>);

impl Carried {
    /// Goes on with a conversation of which the client has heard the beginning.
    pub(crate) fn begin(talk: Conversation) -> Self {
        let (to, said) = channel(PIECES);
        tokio::spawn(carry(talk, to));
        Self(said)
    }

    /// The next bytes; `None` at the end.
    pub(crate) async fn go_on(&mut self) -> Result<Option<Bytes>, Broken> {
        self.0.recv().await.transpose()
    }
}

async fn carry(mut talk: Conversation, to: Sender<Result<Bytes, Broken>>) {
    let (mut kept, mut end) = (BytesMut::new(), Ok(()));
    loop {
        let said = tokio::select! {
            biased;
            () = to.closed() => return,
            said = talk.go_on() => said,
        };
        match said {
            Ok(Some(said)) => kept.extend_from_slice(&said),
            Ok(None) => break,
            Err(broken) => {
                end = Err(broken);
                break;
            }
        }
        let fits = kept.len() < MOST;
        tokio::select! {
            biased;
            decided = talk.is_decided(fits) => if let Err(broken) = decided {
                end = Err(broken);
                break;
            },
            place = to.reserve() => match place {
                Ok(place) => place.send(Ok(kept.split().freeze())),
                Err(_) => return,
            },
        }
    }
    // What is left to hear keeps nobody waiting.
    drop(talk);
    if !kept.is_empty() && to.send(Ok(kept.freeze())).await.is_err() {
        return;
    }
    if let Err(broken) = end {
        let _ = to.send(Err(broken)).await;
    }
}
