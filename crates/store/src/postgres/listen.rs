//! Wake-ups between servers: NOTIFY in the writing transaction, heard by every server, the sender too, on one
//! connection of its own. What is missed while that connection is down is told as a gap.

use std::future::poll_fn;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_postgres::{AsyncMessage, Config, NoTls, Socket, tls::NoTlsStream};

use crate::error::{Error, Result};
use crate::tx::Tx;
use crate::wake::{Wake, Wakes};

/// The channel is the database's own; `NOTIFY_SQL` names it as well.
const LISTEN_SQL: &str = "LISTEN countersign_wake";
const NOTIFY_SQL: &str = "SELECT pg_notify('countersign_wake', $1)";
/// How long to wait before the first and, growing, at most before a further attempt to connect.
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

type Connection = tokio_postgres::Connection<Socket, NoTlsStream>;

/// Sends a wake-up with the transaction's commit.
pub(super) async fn tell(tx: &Tx<'_>, wake: &Wake) -> Result<()> {
    let text = format!("{} {}", wake.workspace, wake.topic);
    tx.exec(NOTIFY_SQL, &[&text]).await.map(|_| ())
}

/// The listening connection; it ends with the value.
#[derive(Debug)]
pub(super) struct Ear(JoinHandle<()>);

impl Ear {
    /// Connects; from its return on nothing is missed without a gap being told.
    pub(super) async fn open(mut config: Config, wakes: Wakes) -> Result<Self> {
        config.application_name("countersign-listen");
        let (ready, first) = oneshot::channel();
        let task = tokio::spawn(listen(config, wakes, ready));
        first.await.unwrap_or_else(|_| Err(broken()))?;
        Ok(Self(task))
    }

    pub(super) fn close(&self) {
        self.0.abort();
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        self.close();
    }
}

async fn listen(config: Config, wakes: Wakes, ready: oneshot::Sender<Result<()>>) {
    let mut ready = Some(ready);
    let mut pause = PAUSE;
    loop {
        let ended = hear(&config, &wakes, || match ready.take() {
            Some(first) => drop(first.send(Ok(()))),
            None => wakes.gap(),
        });
        let error = match ended.await {
            Ok(()) => {
                pause = PAUSE;
                broken()
            }
            Err(error) => error,
        };
        if let Some(first) = ready.take() {
            let _ = first.send(Err(error));
            return;
        }
        tracing::warn!(%error, "wake-ups are interrupted; connecting again");
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Hears until the connection ends; an error when it never came about.
async fn hear(config: &Config, wakes: &Wakes, ready: impl FnOnce()) -> Result<()> {
    let (client, connection) = config.connect(NoTls).await?;
    let mut heard = Box::pin(forward(connection, wakes));
    tokio::select! {
        listening = client.batch_execute(LISTEN_SQL) => listening?,
        () = &mut heard => return Err(broken()),
    }
    ready();
    heard.await;
    Ok(())
}

async fn forward(mut connection: Connection, wakes: &Wakes) {
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notification(note) = message {
            match note.payload().split_once(' ') {
                Some((workspace, topic)) => {
                    wakes.send(vec![Wake { workspace: workspace.to_owned(), topic: topic.to_owned() }]);
                }
                // Another version of this program may say it in another way.
                None => wakes.gap(),
            }
        }
    }
}

fn broken() -> Error {
    Error::Unavailable("the connection that hears wake-ups ended".to_owned())
}
