//! Addresses in variables: where a script is told to send its requests.

use std::{
    io,
    net::{IpAddr, SocketAddr, ToSocketAddrs as _},
};

const PLAIN: &str = "http://";
const ENCRYPTED: &str = "https://";

/// What a variable's value is to the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// The address of a server whose traffic can be seen.
    Address(Endpoint),
    /// The address of a server whose traffic is encrypted.
    Encrypted,
    /// Anything else.
    Other,
}

/// A server as a variable names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Endpoint {
    /// Empty, or `http://`.
    scheme: &'static str,
    host: String,
    port: u16,
    /// What follows the port.
    path: String,
}

impl Value {
    /// What `value` means: `http://HOST[:PORT][/…]`, the same with `https`, or `HOST:PORT`.
    pub(super) fn of(value: &str) -> Self {
        if value.starts_with(ENCRYPTED) {
            return Self::Encrypted;
        }
        let endpoint = match value.strip_prefix(PLAIN) {
            Some(rest) => with_scheme(rest),
            None => bare(value),
        };
        endpoint.map_or(Self::Other, Self::Address)
    }
}

impl Endpoint {
    /// Where the server listens.
    ///
    /// # Errors
    /// The host has no address.
    pub(super) fn resolve(&self) -> io::Result<SocketAddr> {
        let host = self.host.trim_matches(['[', ']']);
        (host, self.port)
            .to_socket_addrs()?
            .next()
            .ok_or_else(|| io::Error::other("the name has no address"))
    }

    /// The variable's value that leads to `relay` instead.
    pub(super) fn through(&self, relay: SocketAddr) -> String {
        format!("{}{relay}{}", self.scheme, self.path)
    }
}

fn with_scheme(rest: &str) -> Option<Endpoint> {
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let (host, port) = match host_and_port(authority) {
        Some(both) => both,
        None => (authority, 80),
    };
    let names_a_host = !host.is_empty() && !host.contains('@');
    names_a_host.then(|| Endpoint {
        scheme: PLAIN,
        host: host.to_owned(),
        port,
        path: path.to_owned(),
    })
}

/// `HOST:PORT`; a time such as `12:30` has no host.
fn bare(value: &str) -> Option<Endpoint> {
    let (host, port) = host_and_port(value)?;
    let is_ip = host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    let is_name = host.contains(|letter: char| letter.is_ascii_alphabetic())
        && (host.chars()).all(|letter| letter.is_ascii_alphanumeric() || ".-_".contains(letter));
    (is_ip || is_name).then(|| Endpoint {
        scheme: "",
        host: host.to_owned(),
        port,
        path: String::new(),
    })
}

fn host_and_port(authority: &str) -> Option<(&str, u16)> {
    let (host, port) = authority.rsplit_once(':')?;
    Some((host, port.parse().ok()?))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn addresses_lead_to_the_relay_with_the_rest_as_it_was() {
        let relay = "127.0.0.1:99".parse().unwrap();
        for (value, through) in [
            ("http://localhost:5300", "http://127.0.0.1:99"),
            ("http://shop.example/api?x=1", "http://127.0.0.1:99/api?x=1"),
            ("http://[::1]:5300/api/", "http://127.0.0.1:99/api/"),
            ("127.0.0.1:5301", "127.0.0.1:99"),
            ("localhost:5301", "127.0.0.1:99"),
            ("[::1]:5301", "127.0.0.1:99"),
        ] {
            let Value::Address(endpoint) = Value::of(value) else {
                panic!("{value} is an address");
            };
            assert_eq!(endpoint.through(relay), through, "{value}");
        }
    }

    #[test]
    fn what_only_looks_like_an_address_is_left_alone() {
        for value in [
            "",
            "2",
            "12:30",
            "30s",
            "http://",
            "http://me@host:1",
            "a b:1",
            "p(95):x",
            "{\"a\":1}",
            "/path/to:1",
            "host:99999",
        ] {
            assert_eq!(Value::of(value), Value::Other, "{value}");
        }
        assert_eq!(Value::of("https://shop.example"), Value::Encrypted);
    }

    #[test]
    fn a_host_without_port_listens_on_80() {
        let Value::Address(endpoint) = Value::of("http://127.0.0.1/x") else {
            panic!("an address");
        };
        assert_eq!(endpoint.resolve().unwrap(), "127.0.0.1:80".parse().unwrap());
    }
}
