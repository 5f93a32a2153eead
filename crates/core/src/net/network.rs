//! The network of an address: what one host has to itself, and by which strangers are counted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An address of IPv4, or the 64 bits of IPv6 in which one host may take any address it likes (RFC 4291 §2.5.1,
/// RFC 8981).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl Network {
    /// The network that an address is in.
    pub const fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(v4) => IpAddr::V4(v4),
            IpAddr::V6(v6) => {
                let [a, b, c, d, ..] = v6.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        })
    }

    /// Where bytes come from whose address nobody told.
    pub const UNKNOWN: Self = Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        Network::of(text.parse().unwrap())
    }

    #[test]
    fn addresses_of_one_host_are_one_network_and_its_neighbours_are_others() {
        assert_eq!(network("2001:db8:0:1::1"), network("2001:db8:0:1:ffff:ffff:ffff:ffff"));
        assert_ne!(network("2001:db8:0:1::1"), network("2001:db8:0:2::1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
    }
}
