//! The hook's side: `countersign hook pre-receive` asks the server that started git, and git does what it says.
//!
//! Whatever goes wrong is a refusal: a server that is gone or silent lets nothing pass.

use std::collections::BTreeMap;
use std::io::Read;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;

pub use crate::question::Hook;
use crate::question::{Answer, MOST_BYTES, Question, SOCKET, TOKEN};

/// How long the server may think: longer than it ever does, so that whoever pushes hears its reason.
pub const PATIENCE: Duration = Duration::from_secs(150);

/// Asks the server what `hook` shall do, with what git wrote to it. `Err` holds the lines for whoever pushes; git
/// stops at it, where there is something to stop.
///
/// `environment` is that of the process, in which the server left the way to it.
pub async fn ask(
    hook: Hook,
    environment: &BTreeMap<String, String>,
    input: impl Read,
) -> Result<(), Vec<String>> {
    ask_within(hook, environment, input, PATIENCE).await
}

async fn ask_within(
    hook: Hook,
    environment: &BTreeMap<String, String>,
    input: impl Read,
    patience: Duration,
) -> Result<(), Vec<String>> {
    // git has written it before it waits, so that nothing is waited for here.
    let mut text = String::new();
    if input.take(MOST_BYTES).read_to_string(&mut text).is_err() {
        return Err(said("A ref that was pushed has a name that is no UTF-8, so nothing was changed."));
    }
    match tokio::time::timeout(patience, converse(hook, environment, &text)).await {
        Ok(Ok(answer)) if answer.accepted => Ok(()),
        Ok(Ok(answer)) => Err(answer.lines),
        Ok(Err(reason)) => Err(said(reason)),
        Err(_) => Err(said("The server did not answer in time, so nothing was changed.")),
    }
}

fn said(reason: &str) -> Vec<String> {
    vec![reason.to_owned(), "Push again; if it fails again, tell the operator.".to_owned()]
}

async fn converse(
    hook: Hook,
    environment: &BTreeMap<String, String>,
    text: &str,
) -> Result<Answer, &'static str> {
    const ALONE: &str = "This hook answers to a push over HTTP alone.";
    const GONE: &str = "The server that took this push is gone, so nothing was changed.";
    let question = Question {
        token: environment.get(TOKEN).ok_or(ALONE)?.clone(),
        hook,
        updates: text.lines().map(str::to_owned).collect(),
        quarantine: environment.get("GIT_QUARANTINE_PATH").map(Into::into),
    };
    let bytes = serde_json::to_vec(&question).map_err(|_| ALONE)?;
    let mut stream = connect(environment.get(SOCKET).ok_or(ALONE)?).map_err(|_| GONE)?;
    stream.write_all(&bytes).await.map_err(|_| GONE)?;
    stream.shutdown().await.map_err(|_| GONE)?;
    let mut bytes = Vec::new();
    stream.take(MOST_BYTES).read_to_end(&mut bytes).await.map_err(|_| GONE)?;
    serde_json::from_slice(&bytes).map_err(|_| GONE)
}

fn connect(name: &str) -> std::io::Result<UnixStream> {
    let stream = std::os::unix::net::UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?)?;
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(socket: &str) -> BTreeMap<String, String> {
        [(SOCKET, socket), (TOKEN, "t")].map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }

    async fn refused(socket: &str) -> String {
        let (environment, patience) = (environment(socket), Duration::from_millis(100));
        let lines = ask_within(Hook::PreReceive, &environment, &b""[..], patience).await;
        lines.unwrap_err().join("\n")
    }

    #[tokio::test]
    async fn a_server_that_is_gone_refuses() {
        assert!(refused("countersign-nobody-is-here").await.contains("is gone"));
    }

    #[tokio::test]
    async fn a_server_that_is_silent_refuses_after_a_while() {
        let name = format!("countersign-silent-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let _listener = std::os::unix::net::UnixListener::bind_addr(&address).unwrap();
        assert!(refused(&name).await.contains("did not answer in time"));
    }

    #[test]
    fn a_hook_waits_longer_than_the_server_decides() {
        let decides = crate::desk::QUESTION + crate::Limits::SHIPPED.decision;
        assert!(PATIENCE >= decides + Duration::from_secs(20));
    }

    #[tokio::test]
    async fn a_hook_that_nobody_started_for_a_push_refuses() {
        let lines = ask(Hook::PreReceive, &BTreeMap::new(), &b""[..]).await.unwrap_err();
        assert!(lines[0].contains("over HTTP alone"), "{lines:?}");
    }

    #[tokio::test]
    async fn a_name_that_is_no_text_refuses_before_anybody_is_asked() {
        let lines =
            ask(Hook::PreReceive, &environment("x"), &b"0 1 refs/heads/\xff\n"[..]).await.unwrap_err();
        assert!(lines[0].contains("no UTF-8"), "{lines:?}");
    }
}
