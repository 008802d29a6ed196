//! Where a server speaks HTTP/1.1, and whether in TLS.

use std::{fmt, net::SocketAddr};

use crate::trust::Trust;

/// The HTTP/1.1 port of a server.
#[derive(Clone, Debug)]
pub struct Site {
    /// Where it listens.
    pub address: SocketAddr,
    /// The certificate to trust, where it speaks TLS.
    pub trust: Option<Trust>,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.trust.is_some() {
            "https"
        } else {
            "http"
        };
        write!(f, "{scheme}://{}", self.address)
    }
}
