//! A repository of a stranger, over https, at addresses that were checked and at no other one.

use std::net::IpAddr;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use countersign_core::gitnest::branch::BranchName;
use countersign_core::id::ResourceId;

use super::{Bounds, Check, Progress, Source};
use crate::error::{GitError, Result};
use crate::host::GitHost;

/// Where it is.
#[derive(Clone, Debug)]
pub struct Remote {
    /// The URL, as it was checked.
    pub url: String,
    /// Its host, as the URL has it.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The addresses to connect to, and no other: the name is not looked up again.
    pub addresses: Vec<IpAddr>,
    /// Root certificates (DER) to trust instead of the system's; none means the system's.
    pub roots: Vec<Vec<u8>>,
}

impl GitHost {
    /// Copies every branch and tag of `remote` within `bounds` and answers its default branch; `tell` hears how far it
    /// is. https alone, no redirect, no proxy, no password, no submodules; every object is checked as it comes.
    ///
    /// Imported before, it stays as it is. Like [`Self::create`], it leaves nothing half.
    pub async fn import_remote(
        &self,
        id: ResourceId,
        remote: &Remote,
        bounds: Bounds,
        tell: impl Fn(Progress) + Send + Sync,
    ) -> Result<BranchName> {
        let remote = remote.clone();
        self.import(id, bounds, tell, |quarantine| std::future::ready(source(&remote, quarantine))).await
    }
}

fn source(remote: &Remote, quarantine: &Path) -> Result<Source> {
    let addresses: Vec<String> = remote.addresses.iter().map(|address| literal(*address)).collect();
    let mut config = vec![
        "protocol.https.allow=always".to_owned(),
        format!("http.curloptResolve={}:{}:{}", remote.host, remote.port, addresses.join(",")),
        "http.followRedirects=false".to_owned(),
        "http.proxy=".to_owned(),
        "http.sslVerify=true".to_owned(),
        "http.maxRequests=1".to_owned(),
        "http.saveCookies=false".to_owned(),
        "credential.helper=".to_owned(),
        "transfer.bundleURI=false".to_owned(),
        "fetch.recurseSubmodules=false".to_owned(),
        // A server that sends nothing for a minute has gone.
        "http.lowSpeedLimit=1".to_owned(),
        "http.lowSpeedTime=60".to_owned(),
    ];
    let mut env = Vec::new();
    if !remote.roots.is_empty() {
        let file = quarantine.join("roots.pem");
        let text: String = remote.roots.iter().map(|der| pem(der)).collect();
        std::fs::write(&file, text).map_err(GitError::disk("write", &file))?;
        config.push(format!("http.sslCAInfo={}", file.display()));
        env.push(("GIT_SSL_CAINFO", file.into_os_string()));
    }
    Ok(Source {
        address: remote.url.clone(),
        config: config.into_iter().map(Into::into).collect(),
        env,
        check: Check::Everything,
    })
}

/// An address as libcurl's option wants it.
fn literal(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// RFC 7468 §5.
fn pem(der: &[u8]) -> String {
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", STANDARD.encode(der))
}
