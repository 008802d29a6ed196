//! What opens connections with TLS.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use measure::CountingStream;
use rustls::{ClientConfig, pki_types::ServerName};
use tokio_rustls::TlsConnector;

use super::{
    failure::TlsError,
    identity::Identity,
    own::{OwnError, OwnTls},
    roots::Roots,
    settings::TlsSettings,
    stream::TlsStream,
};

/// What is offered to speak over TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Alpn {
    /// HTTP/2, or else HTTP/1.1.
    Any,
    /// HTTP/1.1 alone.
    Http1,
    /// HTTP/2 alone.
    Http2,
}

impl Alpn {
    fn protocols(self) -> &'static [&'static [u8]] {
        match self {
            Self::Any => &[b"h2", b"http/1.1"],
            Self::Http1 => &[b"http/1.1"],
            Self::Http2 => &[b"h2"],
        }
    }
}

/// What the virtual users of a test share: trusted certificates are read once, and what is offered is
/// put together once.
#[derive(Debug, Default)]
pub(crate) struct Connectors {
    roots: OnceLock<Arc<Roots>>,
    made: Mutex<HashMap<Key, Arc<ClientConfig>>>,
    /// Those with certificates of their own that were made lately.
    own: Mutex<Vec<(Alpn, OwnTls, Connector)>>,
}

/// Connectors with certificates of their own that are remembered.
const OWN: usize = 16;

/// What is offered, and the place of the certificate that is shown.
type Key = (Alpn, Option<usize>);

/// Opens connections to servers of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Connector {
    config: Arc<ClientConfig>,
    roots: Arc<Roots>,
}

impl Connectors {
    /// For servers as the options of the test have it.
    ///
    /// # Errors
    /// When the options cannot be used together.
    pub(crate) fn connector(
        &self,
        settings: &TlsSettings,
        host: &str,
        alpn: Alpn,
    ) -> Result<Connector, TlsError> {
        let roots = self.roots(settings);
        let auth = settings.auth_for(host);
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(config) = made.get(&(alpn, auth)) {
            return Ok(Connector {
                config: Arc::clone(config),
                roots,
            });
        }
        let identity = auth.and_then(|place| settings.auth.get(place));
        let identity = identity.map(|auth| &auth.identity);
        let connector = Connector::new(settings, roots, identity, alpn)?;
        made.insert((alpn, auth), Arc::clone(&connector.config));
        Ok(connector)
    }

    /// With certificates of a connection's own. Those of the options count no more, as in k6.
    ///
    /// # Errors
    /// When they cannot be read, or not be used together with the options.
    pub(crate) fn with_own(
        &self,
        settings: &TlsSettings,
        own: &OwnTls,
        alpn: Alpn,
    ) -> Result<Connector, OwnError> {
        let mut made = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |known: &&(Alpn, OwnTls, Connector)| known.0 == alpn && known.1 == *own;
        if let Some((.., connector)) = made.iter().find(same) {
            return Ok(connector.clone());
        }
        let roots = own.roots(self.roots(settings))?;
        let identity = own.identity()?;
        let connector = Connector::new(settings, roots, identity.as_ref(), alpn)?;
        if made.len() == OWN {
            made.remove(0);
        }
        made.push((alpn, own.clone(), connector.clone()));
        Ok(connector)
    }

    fn roots(&self, settings: &TlsSettings) -> Arc<Roots> {
        let load = || Arc::new(settings.roots.load());
        Arc::clone(self.roots.get_or_init(load))
    }
}

impl Connector {
    fn new(
        settings: &TlsSettings,
        roots: Arc<Roots>,
        identity: Option<&Identity>,
        alpn: Alpn,
    ) -> Result<Self, TlsError> {
        let store = Arc::clone(&roots.store);
        let config = settings.client(store, identity, alpn.protocols());
        Ok(Self {
            config: Arc::new(config.map_err(TlsError::Other)?),
            roots,
        })
    }

    /// Shakes hands over a connected socket with whom a certificate must be for.
    ///
    /// # Errors
    /// Why that went wrong.
    pub(crate) async fn connect(
        &self,
        host: &str,
        socket: CountingStream,
    ) -> Result<TlsStream, TlsError> {
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| TlsError::ServerName(host.to_owned()))?;
        let connector = TlsConnector::from(Arc::clone(&self.config));
        match connector.connect(name, socket).await {
            Ok(stream) => Ok(TlsStream::new(stream)),
            Err(error) => Err(TlsError::handshake(error, host, self.roots.lack.as_deref())),
        }
    }
}
