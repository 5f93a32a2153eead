//! Where a URL of a stranger leads, checked before anything is sent: public addresses alone, all of them.

use std::net::SocketAddr;

use countersign_core::net::https_url::{Host, HttpsUrl, UrlRefusal};
use countersign_core::net::public::is_public;

use crate::resolver::Resolver;

/// A place that may be connected to: these addresses and no other ones, since a name can lead elsewhere a moment later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    host: String,
    port: u16,
    addresses: Vec<SocketAddr>,
}

impl Checked {
    /// The host as the URL names it, for the certificate and the header `Host`.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Every address of the host at the moment of the check, with the port; at least one, and all public. A program
    /// that is given them must be kept from looking the name up once more, and from following redirects.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }
}

/// Why a stranger's URL brought nothing. No sentence holds an address: what lies behind a name is not the asker's.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// Not a URL that is read here.
    #[error("the URL cannot be used: {0}")]
    Url(#[from] UrlRefusal),
    /// The name has no address.
    #[error("{host} cannot be found")]
    NotFound {
        /// The host.
        host: String,
        /// What the system said, if it did.
        #[source]
        cause: Option<std::io::Error>,
    },
    /// An address of it is not public.
    #[error("{host} is not on the public internet")]
    NotPublic {
        /// The host.
        host: String,
    },
    /// The client could not be made.
    #[error("the HTTP client cannot start")]
    Client(#[source] reqwest::Error),
    /// No connection, no certificate that holds, or an answer that breaks off.
    #[error("{host} cannot be reached over https")]
    Unreachable {
        /// The host.
        host: String,
        /// Why.
        #[source]
        cause: reqwest::Error,
    },
    /// Too slow as a whole.
    #[error("{host} did not answer in time")]
    TimedOut {
        /// The host.
        host: String,
    },
    /// It leads elsewhere, where nobody checked.
    #[error("{host} redirects, which is not followed")]
    Redirected {
        /// The host.
        host: String,
    },
    /// Another status than 200.
    #[error("{host} answered with status {status}")]
    Status {
        /// The host.
        host: String,
        /// The status.
        status: u16,
    },
    /// Compressed, though nobody asked for it.
    #[error("{host} answered in an encoding that was not asked for")]
    Encoded {
        /// The host.
        host: String,
    },
    /// More than is read.
    #[error("{host} answered with more than {limit} bytes")]
    TooLarge {
        /// The host.
        host: String,
        /// The most that is read.
        limit: usize,
    },
}

/// Looks where a URL leads, once. Refused when one of the addresses is not public: which of several is taken is not
/// ours to say, and a name with both kinds is made to deceive.
pub async fn check(url: &HttpsUrl, resolver: &dyn Resolver) -> Result<Checked, GuardError> {
    let (host, port) = (url.host_text(), url.port());
    let found = match url.host() {
        Host::Address(address) => vec![*address],
        Host::Name(name) => resolver
            .lookup(name)
            .await
            .map_err(|cause| GuardError::NotFound { host: host.clone(), cause: Some(cause) })?,
    };
    if found.is_empty() {
        return Err(GuardError::NotFound { host, cause: None });
    }
    if !found.iter().all(|address| is_public(*address)) {
        return Err(GuardError::NotPublic { host });
    }
    let addresses = found.into_iter().map(|address| SocketAddr::new(address, port)).collect();
    Ok(Checked { host, port, addresses })
}
