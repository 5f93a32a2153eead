//! An https server of a test, with a certificate of its own root.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::tls;

/// The head of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Method, path and headers as they came, without the empty line.
    pub head: String,
    /// What came after it, as long as `Content-Length` says.
    pub body: Vec<u8>,
}

impl Request {
    /// The path.
    pub fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }

    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().filter_map(|line| line.split_once(':'));
        fields.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}

/// What is written back, byte for byte, and how slowly.
#[derive(Clone, Debug)]
pub struct Answer {
    bytes: Vec<u8>,
    /// How many bytes at once, and the pause after them.
    drip: Option<(usize, Duration)>,
    delay: Duration,
}

impl Answer {
    /// A document of JSON with status 200.
    pub fn json(body: impl AsRef<str>) -> Self {
        Self::json_with("", body)
    }

    /// The same with more headers, each ended by a line break of HTTP.
    pub fn json_with(headers: &str, body: impl AsRef<str>) -> Self {
        Self::http(
            "200 OK",
            &format!("content-type: application/json\r\n{headers}"),
            body.as_ref().as_bytes(),
        )
    }

    /// Any answer with its length.
    pub fn http(status: &str, headers: &str, body: &[u8]) -> Self {
        let length = body.len();
        Self::raw(&format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n"), body)
    }

    /// An answer whose head says what the test wants.
    pub fn raw(head: &str, body: &[u8]) -> Self {
        Self { bytes: [head.as_bytes(), body].concat(), drip: None, delay: Duration::ZERO }
    }

    /// The same, so many bytes at once with a pause between them.
    #[must_use]
    pub fn dripping(self, bytes: usize, pause: Duration) -> Self {
        Self { drip: Some((bytes, pause)), ..self }
    }

    /// The same, after a while.
    #[must_use]
    pub fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }
}

/// A running server; it ends with this value.
#[derive(Debug)]
pub struct Site {
    address: SocketAddr,
    root: Vec<u8>,
    requests: Arc<Mutex<Vec<Request>>>,
    connections: Arc<AtomicUsize>,
    serving: tokio::task::JoinHandle<()>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Site {
    /// Starts one for `name`.
    pub async fn start(name: &str, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        tls::install();
        let (root, acceptor) = certified(name);
        let listener = ready(TcpListener::bind(("127.0.0.1", 0)).await, "a port is free");
        let address = ready(listener.local_addr(), "it has an address");
        let (requests, connections) = (Arc::<Mutex<Vec<Request>>>::default(), Arc::<AtomicUsize>::default());
        let (kept, counted, answer) = (Arc::clone(&requests), Arc::clone(&connections), Arc::new(answer));
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                let (acceptor, kept, answer) = (acceptor.clone(), Arc::clone(&kept), Arc::clone(&answer));
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let Some(request) = head(&mut stream).await else { return };
                    let answer = answer(&request);
                    kept.lock().unwrap_or_else(PoisonError::into_inner).push(request);
                    // The client may hang up on an answer that it does not want.
                    let _ = write(&mut stream, &answer).await;
                });
            }
        });
        Self { address, root, requests, connections, serving }
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its root certificate (DER).
    pub fn root(&self) -> &[u8] {
        &self.root
    }

    /// Every request that came.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many connections were opened, also those that ended before a request.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn head(stream: &mut (impl tokio::io::AsyncRead + Unpin)) -> Option<Request> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(stream.read_u8().await.ok()?);
    }
    let mut request =
        Request { head: String::from_utf8_lossy(&bytes).trim_end().to_owned(), body: Vec::new() };
    if let Some(length) = request.header("content-length").and_then(|length| length.parse().ok()) {
        request.body.resize(length, 0);
        stream.read_exact(&mut request.body).await.ok()?;
    }
    Some(request)
}

async fn write(stream: &mut (impl tokio::io::AsyncWrite + Unpin), answer: &Answer) -> std::io::Result<()> {
    tokio::time::sleep(answer.delay).await;
    let (size, pause) = answer.drip.unwrap_or((answer.bytes.len().max(1), Duration::ZERO));
    for chunk in answer.bytes.chunks(size) {
        stream.write_all(chunk).await?;
        stream.flush().await?;
        tokio::time::sleep(pause).await;
    }
    stream.shutdown().await
}

fn certified(name: &str) -> (Vec<u8>, TlsAcceptor) {
    let issuer = issuer();
    let key = ready(KeyPair::generate(), "a key is made");
    let leaf = ready(CertificateParams::new([name.to_owned()]), "the name fits into a certificate");
    let leaf = ready(leaf.signed_by(&key, &issuer), "a certificate is made");
    let secret = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config =
        ServerConfig::builder().with_no_client_auth().with_single_cert(vec![leaf.der().clone()], secret);
    (issuer.der().to_vec(), TlsAcceptor::from(Arc::new(ready(config, "the certificate fits its key"))))
}

fn issuer() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = ready(CertificateParams::new([]), "a root has no name");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = ready(KeyPair::generate(), "a key is made");
    ready(CertifiedIssuer::self_signed(params, key), "a root is made")
}

/// The root certificate of an issuer that signs nothing.
pub(super) fn nobody() -> Vec<u8> {
    issuer().der().to_vec()
}

fn ready<T, E: std::fmt::Display>(result: Result<T, E>, what: &str) -> T {
    result.unwrap_or_else(|error| panic!("{what}: {error}"))
}
