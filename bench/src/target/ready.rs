//! The two lines by which the server says where it listens.

use std::net::SocketAddr;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Port {
    /// Where its address begins.
    pub(super) scheme: &'static str,
    /// What the line says in brackets.
    pub(super) protocol: &'static str,
}

impl Port {
    /// The first line and the second.
    pub(super) fn both(is_encrypted: bool) -> [Self; 2] {
        let (scheme, http2) = if is_encrypted {
            ("https", "h2")
        } else {
            ("http", "h2c")
        };
        ["HTTP/1.1", http2].map(|protocol| Self { scheme, protocol })
    }

    /// The address in `listening on http://ADDRESS (PROTOCOL: …)`.
    pub(super) fn address_in(self, line: &str) -> Option<SocketAddr> {
        let (address, rest) = line
            .strip_prefix("listening on ")?
            .strip_prefix(self.scheme)?
            .strip_prefix("://")?
            .split_once(" (")?;
        rest.strip_prefix(self.protocol)?
            .starts_with(':')
            .then(|| address.parse().ok())
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lines_give_their_address() {
        let [http, h2c] = Port::both(false);
        let line = "listening on http://127.0.0.1:5300 (HTTP/1.1: REST, GraphQL, gRPC-Web)";
        assert_eq!(http.address_in(line), "127.0.0.1:5300".parse().ok());
        let line = "listening on http://[::1]:5301 (h2c: gRPC, gRPC-Web)";
        assert_eq!(h2c.address_in(line), "[::1]:5301".parse().ok());
        let [https, h2] = Port::both(true);
        let line = "listening on https://127.0.0.1:5300 (HTTP/1.1: REST, GraphQL, gRPC-Web)";
        assert_eq!(https.address_in(line), "127.0.0.1:5300".parse().ok());
        let line = "listening on https://[::1]:5301 (h2: gRPC, gRPC-Web)";
        assert_eq!(h2.address_in(line), "[::1]:5301".parse().ok());
    }

    #[test]
    fn another_protocol_or_a_broken_address_is_refused() {
        let [http, _] = Port::both(false);
        for line in [
            "listening on http://127.0.0.1:5301 (h2c: gRPC, gRPC-Web)",
            "listening on https://127.0.0.1:5300 (HTTP/1.1: REST)",
            "listening on http://127.0.0.1 (HTTP/1.1: REST)",
            "listening on http://127.0.0.1:99999 (HTTP/1.1: REST)",
            "listening on http://127.0.0.1:5300",
            "Hello",
            "",
        ] {
            assert_eq!(http.address_in(line), None, "{line}");
        }
    }
}
