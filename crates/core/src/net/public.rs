//! Which IP addresses are public: the special-purpose registries of IANA (RFC 6890, RFC 8190) as a table.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks of IPv4 that are nobody's public host: address, length of the prefix, and who set it aside.
const SPECIAL_V4: &[(Ipv4Addr, u32, &str)] = &[
    (Ipv4Addr::UNSPECIFIED, 8, "this network, RFC 791 §3.2"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "private, RFC 1918"),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "behind a carrier's NAT, RFC 6598"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "loopback, RFC 1122 §3.2.1.3"),
    (Ipv4Addr::new(168, 63, 129, 16), 32, "the host agent of a cloud, reachable from its own machines alone"),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "link-local, and the metadata of clouds, RFC 3927"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "private, RFC 1918"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "protocol assignments, RFC 6890 §2.1"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "documentation, RFC 5737"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "relays of 6to4, RFC 7526"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "private, RFC 1918"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "benchmarks, RFC 2544"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "documentation, RFC 5737"),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "documentation, RFC 5737"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "multicast, RFC 5771"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "reserved, and broadcast, RFC 1112 §4 and RFC 8190"),
];

/// Networks inside 2000::/3 that are nobody's public host. Everything outside of it is none either: loopback, the
/// mapped and compatible forms of IPv4, NAT64 (RFC 6052, RFC 8215), discard (RFC 6666), unique local (RFC 4193),
/// link-local, site-local and multicast (RFC 4291), segments of routing (RFC 9602).
const SPECIAL_V6: &[(Ipv6Addr, u32, &str)] = &[
    (
        Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0),
        23,
        "protocol assignments with Teredo, benchmarks and ORCHID, RFC 2928",
    ),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "documentation, RFC 3849"),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, "6to4, which holds an address of IPv4, RFC 3056"),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "documentation, RFC 9637"),
];

/// What is handed out as global unicast (RFC 4291 §2.4, the registry of IANA).
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Whether an address may be a host of the public internet. Forms that carry an address of IPv4 inside (mapped, 6to4,
/// NAT64, Teredo) are none, whatever they carry: what they lead to depends on a translator that is not ours.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => !SPECIAL_V4.iter().any(|&(net, length, _)| holds_v4(net, length, v4)),
        IpAddr::V6(v6) => {
            holds_v6(GLOBAL_V6.0, GLOBAL_V6.1, v6)
                && !SPECIAL_V6.iter().any(|&(net, length, _)| holds_v6(net, length, v6))
        }
    }
}

const fn holds_v4(net: Ipv4Addr, length: u32, address: Ipv4Addr) -> bool {
    (net.to_bits() ^ address.to_bits()) >> (32 - length) == 0
}

const fn holds_v6(net: Ipv6Addr, length: u32, address: Ipv6Addr) -> bool {
    (net.to_bits() ^ address.to_bits()) >> (128 - length) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().unwrap_or_else(|_| panic!("{text} is no address")))
    }

    #[test]
    fn no_special_address_is_public_from_its_first_to_its_last() {
        for text in [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "168.63.129.16",
            "169.254.0.0",
            "169.254.169.254",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.0",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.0",
            "192.168.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.255",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.255",
        ] {
            assert!(!public(text), "{text}");
        }
    }

    #[test]
    fn no_special_address_of_ipv6_is_public_nor_one_that_carries_another() {
        for text in [
            "::",
            "::1",
            "::127.0.0.1",
            "::10.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:0:10.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b::8.8.8.8",
            "64:ff9b:1::1",
            "100::1",
            "100:0:0:1::1",
            "2001::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:1ff::",
            "2001:db8::1",
            "2002:a00:1::1",
            "2002:808:808::1",
            "3fff::1",
            "3fff:fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
            "ffff::1",
        ] {
            assert!(!public(text), "{text}");
        }
    }

    #[test]
    fn the_neighbours_of_special_networks_are_public() {
        for text in [
            "1.0.0.0",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "168.63.129.15",
            "168.63.129.17",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "198.51.99.255",
            "203.0.112.255",
            "203.0.114.0",
            "223.255.255.255",
            "2000::1",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2001:db7::1",
            "2001:db9::1",
            "2003::1",
            "2606:4700::1111",
            "3ffe::1",
            "3fff:1000::1",
        ] {
            assert!(public(text), "{text}");
        }
    }
}
