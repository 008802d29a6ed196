//! The address of a target.

use std::{fmt, io, net::SocketAddr, rc::Rc, sync::Arc, time::Duration};

use measure::{Closing, CountingStream, Traffic};
use rustls::pki_types::ServerName;
use tokio_rustls::TlsConnector;

use super::stream::Stream;
use crate::{
    load::{LoadError, failure::OperationError, tally::Tally},
    trust::{self, Trust},
};

/// Longest wait for the peer to close its side of a connection at the end.
pub(super) const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// Where a worker's connections lead and where they are counted.
#[derive(Debug)]
pub(in crate::load) struct Endpoint {
    /// Host and port as the user wrote them; the `Host` of every request.
    pub authority: String,
    /// What it resolves to.
    pub addresses: Vec<SocketAddr>,
    /// How connections are encrypted, if they are.
    pub encryption: Option<Encryption>,
    /// Counts what the sockets carry.
    pub traffic: Arc<Traffic>,
    /// Counts requests and bodies.
    pub tally: Rc<Tally>,
}

/// What is spoken over a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    Http1,
    Http2,
}

/// How connections to one server are encrypted.
#[derive(Clone)]
pub(in crate::load) struct Encryption {
    http1: TlsConnector,
    http2: TlsConnector,
    name: ServerName<'static>,
}

impl Endpoint {
    /// `http` or `https`.
    pub(in crate::load) fn scheme(&self) -> &'static str {
        if self.encryption.is_some() {
            "https"
        } else {
            "http"
        }
    }

    pub(super) async fn connect(
        &self,
        protocol: Protocol,
    ) -> Result<(Stream, Closing), OperationError> {
        let failed = |source| OperationError::Connect {
            address: self.authority.clone(),
            source,
        };
        let (stream, closing) = CountingStream::connect(&self.addresses, &self.traffic)
            .await
            .map_err(failed)?;
        let stream = match &self.encryption {
            None => Stream::Plain(stream),
            Some(encryption) => encryption
                .handshake(stream, protocol)
                .await
                .map_err(failed)?,
        };
        Ok((stream, closing))
    }

    pub(super) fn broken(&self, reason: impl Into<String>) -> OperationError {
        OperationError::Broken {
            address: self.authority.clone(),
            reason: reason.into(),
        }
    }
}

impl Protocol {
    /// As ALPN has it.
    fn name(self) -> &'static str {
        match self {
            Self::Http1 => "http/1.1",
            Self::Http2 => "h2",
        }
    }
}

impl Encryption {
    /// For a server whose certificate is trusted and has the host of `authority` among its names.
    pub(in crate::load) fn new(trust: &Trust, authority: &str) -> io::Result<Self> {
        let connector = |protocol: Protocol| trust.speaking(protocol.name().as_bytes()).into();
        Ok(Self {
            http1: connector(Protocol::Http1),
            http2: connector(Protocol::Http2),
            name: trust::name_in(authority)?,
        })
    }

    async fn handshake(&self, stream: CountingStream, protocol: Protocol) -> io::Result<Stream> {
        let connector = match protocol {
            Protocol::Http1 => &self.http1,
            Protocol::Http2 => &self.http2,
        };
        let stream = connector.connect(self.name.clone(), stream).await?;
        let (_, session) = stream.get_ref();
        if session.alpn_protocol() != Some(protocol.name().as_bytes()) {
            let problem = format!("the server does not agree to speak {}", protocol.name());
            return Err(io::Error::other(problem));
        }
        Ok(Stream::Encrypted(Box::new(stream)))
    }
}

impl fmt::Debug for Encryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encryption")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// All addresses of a host and port; where none is given, the port of the scheme.
pub(in crate::load) async fn resolve(
    authority: &str,
    is_encrypted: bool,
) -> Result<Vec<SocketAddr>, LoadError> {
    let failed = |source| LoadError::Resolve {
        address: authority.to_owned(),
        source,
    };
    let has_port = authority
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let with_port = match (has_port, is_encrypted) {
        (true, _) => authority.to_owned(),
        (false, false) => format!("{authority}:80"),
        (false, true) => format!("{authority}:443"),
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
