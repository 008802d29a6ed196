//! The address of a target.

use std::{io, net::SocketAddr, rc::Rc, sync::Arc, time::Duration};

use measure::{Closing, CountingStream, Traffic};

use crate::load::{LoadError, failure::OperationError, tally::Tally};

/// Longest wait for the peer to close its side of a connection at the end.
pub(super) const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// Where a worker's connections lead and where they are counted.
#[derive(Debug)]
pub(in crate::load) struct Endpoint {
    /// Host and port as the user wrote them; the `Host` of every request.
    pub authority: String,
    /// What it resolves to.
    pub addresses: Vec<SocketAddr>,
    /// Counts what the sockets carry.
    pub traffic: Arc<Traffic>,
    /// Counts requests and bodies.
    pub tally: Rc<Tally>,
}

impl Endpoint {
    pub(super) async fn connect(&self) -> Result<(CountingStream, Closing), OperationError> {
        CountingStream::connect(&self.addresses, &self.traffic)
            .await
            .map_err(|source| OperationError::Connect {
                address: self.authority.clone(),
                source,
            })
    }

    pub(super) fn broken(&self, reason: impl Into<String>) -> OperationError {
        OperationError::Broken {
            address: self.authority.clone(),
            reason: reason.into(),
        }
    }
}

/// All addresses of a host and port; port 80 where none is given.
pub(in crate::load) async fn resolve(authority: &str) -> Result<Vec<SocketAddr>, LoadError> {
    let failed = |source| LoadError::Resolve {
        address: authority.to_owned(),
        source,
    };
    let has_port = authority
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let with_port = if has_port {
        authority.to_owned()
    } else {
        format!("{authority}:80")
    };
    let found: Vec<SocketAddr> = tokio::net::lookup_host(with_port)
        .await
        .map_err(failed)?
        .collect();
    if found.is_empty() {
        return Err(failed(io::ErrorKind::NotFound.into()));
    }
    Ok(found)
}
