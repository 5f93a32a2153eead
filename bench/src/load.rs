//! The load generator: one thread, keep-alive connections, one request at a time on each, every answer looked at.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::clock::now;
use crate::failure::Failure;
use crate::wire;

/// What is asked, and of whom.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The port on the loopback address.
    pub(crate) port: u16,
    /// The request as it goes over the wire.
    pub(crate) request: Arc<Vec<u8>>,
    /// What every answer must hold.
    pub(crate) expects: Arc<str>,
}

/// How many calls were answered, and in how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fired {
    pub(crate) calls: u64,
    pub(crate) seconds: f64,
}

/// Calls on `connections` at once for `length`. One answer that is not good is a failure: then nothing was measured.
pub(crate) fn fire(target: &Target, connections: usize, length: Duration) -> Result<Fired, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::while_doing("start the load generator"))?;
    runtime.block_on(async {
        let mut open = Vec::new();
        for _ in 0..connections {
            open.push(Connection::open(target).await?);
        }
        let begun = now();
        let end = begun + length;
        let mut running: JoinSet<Result<u64, Failure>> = JoinSet::new();
        for connection in open {
            running.spawn(connection.call_until(end));
        }
        let mut calls = 0;
        while let Some(done) = running.join_next().await {
            calls += done.map_err(Failure::while_doing("call"))??;
        }
        Ok(Fired { calls, seconds: begun.elapsed().as_secs_f64() })
    })
}

/// One call on a connection of its own.
pub(crate) async fn once(target: &Target) -> Result<(), Failure> {
    Connection::open(target).await?.call().await
}

/// An answer, whatever its status.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The status.
    pub(crate) status: u16,
    /// Status line and headers, as they came.
    pub(crate) head: String,
    /// The body.
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The value of a header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}

/// A keep-alive connection on which one request follows another.
pub(crate) struct Asking(Connection);

impl Asking {
    /// Connects to a server on the loopback address.
    pub(crate) async fn open(port: u16) -> Result<Self, Failure> {
        let target = Target { port, request: Arc::default(), expects: "".into() };
        Connection::open(&target).await.map(Self)
    }

    /// Sends a request as it goes over the wire; the answer whatever its status.
    pub(crate) async fn ask(&mut self, request: String) -> Result<Answer, Failure> {
        self.0.target.request = Arc::new(request.into_bytes());
        let frame = self.0.round().await?;
        let head = String::from_utf8_lossy(&self.0.buffer[..frame.body]).trim_end().to_owned();
        Ok(Answer { status: frame.status, head, body: self.0.buffer[frame.body..frame.end].to_vec() })
    }
}

struct Connection {
    stream: TcpStream,
    target: Target,
    buffer: Vec<u8>,
}

impl Connection {
    async fn open(target: &Target) -> Result<Self, Failure> {
        let stream = TcpStream::connect(("127.0.0.1", target.port)).await;
        let stream = stream.map_err(Failure::while_doing("connect"))?;
        stream.set_nodelay(true).map_err(Failure::while_doing("connect"))?;
        Ok(Self { stream, target: target.clone(), buffer: Vec::with_capacity(16 * 1024) })
    }

    async fn call_until(mut self, end: Instant) -> Result<u64, Failure> {
        let mut calls = 0;
        while now() < end {
            self.call().await?;
            calls += 1;
        }
        Ok(calls)
    }

    /// One request, and its answer in the buffer.
    async fn round(&mut self) -> Result<wire::Frame, Failure> {
        let failed = |error: std::io::Error| Failure::new(format!("call: {error}"));
        self.stream.write_all(&self.target.request).await.map_err(failed)?;
        self.buffer.clear();
        loop {
            if self.stream.read_buf(&mut self.buffer).await.map_err(failed)? == 0 {
                return Err(Failure::new("the server closed the connection"));
            }
            let frame = wire::frame(&self.buffer).map_err(|_| self.refused("cannot be read"))?;
            if let Some(frame) = frame {
                return Ok(frame);
            }
        }
    }

    async fn call(&mut self) -> Result<(), Failure> {
        let frame = self.round().await?;
        let body = &self.buffer[frame.body..frame.end];
        let good = frame.status == 200
            && wire::find(body, self.target.expects.as_bytes()).is_some()
            && wire::find(body, b"\"isError\":true").is_none();
        if good { Ok(()) } else { Err(self.refused("is not the one expected")) }
    }

    fn refused(&self, what: &str) -> Failure {
        Failure::new(format!("an answer {what}: {}", String::from_utf8_lossy(&self.buffer)))
    }
}
