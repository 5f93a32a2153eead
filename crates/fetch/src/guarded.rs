//! Gets a stranger's document: https to the checked address alone, no redirect, no proxy, bounded in time and size.

use std::net::SocketAddr;
use std::time::Duration;

use countersign_core::net::freshness::CacheHeaders;
use countersign_core::net::https_url::HttpsUrl;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{
    ACCEPT, AGE, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, DATE, EXPIRES, HeaderName,
};
use reqwest::redirect::Policy;

use crate::guard::{Checked, GuardError, check};
use crate::resolver::Resolver;
use crate::tls;

/// How much is waited for, and how much is read.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of a body.
    pub bytes: usize,
    /// For everything together: the name, the connection, the last byte.
    pub patience: Duration,
}

/// A document as it came, with status 200.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Its bytes.
    pub body: Vec<u8>,
    /// `Content-Type` without parameters, in lower case; empty when there is none.
    pub media_type: String,
    /// What it says of how long it holds.
    pub caching: CacheHeaders,
}

/// Gets the document at `url`. Nothing of ours goes with the request but `accept`.
pub async fn get(
    url: &HttpsUrl,
    accept: &'static str,
    resolver: &dyn Resolver,
    limits: Limits,
) -> Result<Fetched, GuardError> {
    let whole = async {
        let checked = check(url, resolver).await?;
        let client = client(&checked, resolver)?;
        read(&client, url, accept, limits.bytes).await
    };
    match tokio::time::timeout(limits.patience, whole).await {
        Ok(result) => result,
        Err(_) => Err(GuardError::TimedOut { host: url.host_text() }),
    }
}

/// A client for this one place: whatever name it is asked for, it connects to the addresses that were checked.
fn client(checked: &Checked, resolver: &dyn Resolver) -> Result<reqwest::Client, GuardError> {
    tls::install();
    let fixed = Fixed(checked.addresses().iter().map(|address| resolver.route(*address)).collect());
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("countersign/", env!("CARGO_PKG_VERSION")))
        .https_only(true)
        .redirect(Policy::none())
        .no_proxy()
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        .referer(false)
        .pool_max_idle_per_host(0)
        .dns_resolver(fixed);
    let roots = resolver.roots();
    if !roots.is_empty() {
        let roots = roots.iter().map(|der| reqwest::Certificate::from_der(der));
        builder = builder.tls_certs_only(roots.collect::<Result<Vec<_>, _>>().map_err(GuardError::Client)?);
    }
    builder.build().map_err(GuardError::Client)
}

/// Gives the checked addresses, so that no name is looked up a second time.
struct Fixed(Vec<SocketAddr>);

impl Resolve for Fixed {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses: Addrs = Box::new(self.0.clone().into_iter());
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

async fn read(
    client: &reqwest::Client,
    url: &HttpsUrl,
    accept: &'static str,
    limit: usize,
) -> Result<Fetched, GuardError> {
    let host = || url.host_text();
    let failed = |cause| GuardError::Unreachable { host: host(), cause };
    let mut answer = client.get(url.as_str()).header(ACCEPT, accept).send().await.map_err(failed)?;
    let status = answer.status();
    if status.is_redirection() {
        return Err(GuardError::Redirected { host: host() });
    }
    if status.as_u16() != 200 {
        return Err(GuardError::Status { host: host(), status: status.as_u16() });
    }
    let header = |name: HeaderName| {
        let values = answer.headers().get_all(name).into_iter().filter_map(|value| value.to_str().ok());
        values.collect::<Vec<_>>().join(",")
    };
    let encoding = header(CONTENT_ENCODING);
    if !encoding.is_empty() && !encoding.eq_ignore_ascii_case("identity") {
        return Err(GuardError::Encoded { host: host() });
    }
    let media_type = header(CONTENT_TYPE).split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let caching = CacheHeaders {
        cache_control: header(CACHE_CONTROL),
        age: header(AGE),
        expires: header(EXPIRES),
        date: header(DATE),
    };
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(failed)? {
        if body.len() + chunk.len() > limit {
            return Err(GuardError::TooLarge { host: host(), limit });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Fetched { body, media_type, caching })
}
