//! The two lines by which the server says where it listens.

use std::net::SocketAddr;

/// What the first line says in brackets.
pub(super) const HTTP: &str = "HTTP/1.1";
/// What the second line says in brackets.
pub(super) const H2C: &str = "h2c";

/// The address in `listening on http://ADDRESS (PROTOCOL: …)`.
pub(super) fn listening_address(line: &str, protocol: &str) -> Option<SocketAddr> {
    let (address, rest) = line
        .strip_prefix("listening on http://")?
        .split_once(" (")?;
    rest.strip_prefix(protocol)?
        .starts_with(':')
        .then(|| address.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lines_give_their_address() {
        let http = "listening on http://127.0.0.1:5300 (HTTP/1.1: REST, GraphQL, gRPC-Web)";
        let h2c = "listening on http://[::1]:5301 (h2c: gRPC, gRPC-Web)";
        assert_eq!(listening_address(http, HTTP), "127.0.0.1:5300".parse().ok());
        assert_eq!(listening_address(h2c, H2C), "[::1]:5301".parse().ok());
    }

    #[test]
    fn another_protocol_or_a_broken_address_is_refused() {
        for line in [
            "listening on http://127.0.0.1:5301 (h2c: gRPC, gRPC-Web)",
            "listening on http://127.0.0.1 (HTTP/1.1: REST)",
            "listening on http://127.0.0.1:99999 (HTTP/1.1: REST)",
            "listening on http://127.0.0.1:5300",
            "Hello",
            "",
        ] {
            assert_eq!(listening_address(line, HTTP), None, "{line}");
        }
    }
}
