//! Requests written by hand, for what no git would send.

use std::io::Write as _;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::served::{Served, basic};

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }

    /// The body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Opens a connection and sends this much.
pub(crate) async fn open(served: &Served, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    stream
}

/// Reads a whole answer of a connection that the server closes.
pub(crate) async fn read(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // A connection that breaks off ends the answer as well.
    let _ = stream.read_to_end(&mut bytes).await;
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head, body: bytes.get(end + 4..).unwrap_or_default().to_vec() }
}

/// A request with these headers and this body, on a connection of its own.
pub(crate) async fn request(served: &Served, line: &str, headers: &[&str], body: &[u8]) -> Answer {
    read(open(served, &whole(line, headers, body)).await).await
}

/// The bytes of a request.
pub(crate) fn whole(line: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write!(bytes, "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n").unwrap();
    for header in headers {
        write!(bytes, "{header}\r\n").unwrap();
    }
    write!(bytes, "Content-Length: {}\r\n\r\n", body.len()).unwrap();
    bytes.extend_from_slice(body);
    bytes
}

/// A `GET` of the refs for a fetch.
pub(crate) async fn refs(served: &Served, headers: &[&str]) -> Answer {
    let line = format!("GET {}/info/refs?service=git-upload-pack", served.route());
    request(served, &line, headers, b"").await
}

/// The line and headers of a fetch with a good token.
pub(crate) fn fetch(served: &Served) -> (String, [String; 3]) {
    let line = format!("POST {}/git-upload-pack", served.route());
    let kind = "Content-Type: application/x-git-upload-pack-request".to_owned();
    (line, [basic(&served.token), kind, "Git-Protocol: version=2".to_owned()])
}

/// Lines in the framing of gitprotocol-common; `None` is a flush.
pub(crate) fn framed(lines: &[Option<&str>]) -> Vec<u8> {
    let frame = |line: Option<&str>| match line {
        Some("delim") => "0001".to_owned(),
        Some(line) => format!("{:04x}{line}\n", line.len() + 5),
        None => "0000".to_owned(),
    };
    lines.iter().copied().map(frame).collect::<String>().into_bytes()
}

/// A request in version 2 for everything that leads to `oid`.
pub(crate) fn want(oid: &str) -> Vec<u8> {
    let want = format!("want {oid}");
    framed(&[Some("command=fetch"), Some("delim"), Some("ofs-delta"), Some(&want), Some("done"), None])
}
