//! From names to addresses, handed in: the system's own way, and in tests a scripted one.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;

/// The addresses of a name, when they come.
pub type Lookup<'a> = Pin<Box<dyn Future<Output = std::io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Tells where names of strangers lead, and how to get there.
pub trait Resolver: Send + Sync + 'static {
    /// Every address of a name, at this moment. It is asked once for a request.
    fn lookup<'a>(&'a self, name: &'a str) -> Lookup<'a>;

    /// Where to connect for an address that was checked: there. A test leads it to a server of its own.
    fn route(&self, checked: SocketAddr) -> SocketAddr {
        checked
    }

    /// Root certificates (DER) to trust instead of the system's; none means the system's.
    fn roots(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }
}

/// Asks the system, as every other program does: `/etc/hosts`, then the DNS.
#[derive(Clone, Copy, Debug)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn lookup<'a>(&'a self, name: &'a str) -> Lookup<'a> {
        Box::pin(async move {
            let mut addresses: Vec<IpAddr> =
                tokio::net::lookup_host((name, 443)).await?.map(|found| found.ip()).collect();
            addresses.dedup();
            Ok(addresses)
        })
    }
}
