//! A connected client's way to its server.

use std::{cell::Cell, rc::Rc, sync::Arc};

use http::{HeaderValue, uri::Authority};
use tokio::time::timeout;

use super::{
    params::ConnectParams,
    protocol::Protocol,
    samples::CallMetrics,
    status::Status,
    transport::{Endpoint, Http2, Transport, Web, WebSettings},
};
use crate::{
    engine::Vu,
    tls::{Alpn, Connector, Connectors, OwnError},
};

/// A connection, and what calls need to know of it.
pub(super) struct Channel {
    pub(super) transport: Rc<dyn Transport>,
    pub(super) protocol: Protocol,
    pub(super) metrics: CallMetrics,
    /// As the script wrote it, with the base path of gRPC-Web.
    pub(super) address: Rc<str>,
    /// Most bytes of a message that is sent; 0 for any number.
    pub(super) most_sent: usize,
    /// Where messages are encoded.
    pub(super) buffer: Cell<Vec<u8>>,
}

/// Why no connection can be made.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConnectError {
    #[error(
        "cannot connect to {0:?}: give host and port without a scheme, for example 127.0.0.1:5301"
    )]
    Address(String),
    #[error(
        "invalid grpc.connect() parameters: authority {0:?} cannot be used; give host and port"
    )]
    Authority(String),
    #[error("options.userAgent {0:?} cannot be used in a header")]
    UserAgent(String),
    #[error("cannot connect to {0} with TLS: {1}")]
    Tls(String, OwnError),
    #[error("context deadline exceeded: no connection to {0} in time")]
    TimedOut(String),
    #[error("{}", .0.message)]
    Failed(Status),
}

/// How TLS begins.
fn connector(
    vu: &Vu,
    authority: &Authority,
    params: &ConnectParams,
) -> Result<Connector, OwnError> {
    let connectors = vu.test().shared::<Connectors>();
    let settings = vu.options().tls();
    let alpn = params.web.as_ref().map_or(Alpn::Http2, WebSettings::alpn);
    if params.tls.is_empty() {
        Ok(connectors.connector(settings, authority.host(), alpn)?)
    } else {
        connectors.with_own(settings, &params.tls, alpn)
    }
}

impl Channel {
    /// A channel to an address; nothing is sent yet.
    pub(super) fn new(
        vu: &Vu,
        address: &str,
        params: &ConnectParams,
        metrics: CallMetrics,
    ) -> Result<Self, ConnectError> {
        let port = address
            .rsplit_once(':')
            .map(|(_, port)| port.parse::<u16>());
        let is_address = matches!(port, Some(Ok(_)));
        let own = is_address
            .then(|| Authority::try_from(address).ok())
            .flatten();
        let own = own.ok_or_else(|| ConnectError::Address(address.to_owned()))?;
        let authority = match &params.authority {
            None => own,
            Some(text) => Authority::try_from(text.as_str())
                .map_err(|_| ConnectError::Authority(text.clone()))?,
        };
        let user_agent = vu.options().user_agent();
        let tls = if params.plaintext {
            None
        } else {
            let connector = connector(vu, &authority, params);
            Some(connector.map_err(|error| ConnectError::Tls(address.to_owned(), error))?)
        };
        let endpoint = Endpoint {
            address: address.to_owned(),
            authority,
            user_agent: HeaderValue::try_from(user_agent)
                .map_err(|_| ConnectError::UserAgent(user_agent.to_owned()))?,
            most_received: params.most_received,
            traffic: Arc::clone(vu.traffic()),
            tls,
        };
        let (transport, base_path): (Rc<dyn Transport>, _) = match &params.web {
            None => (Rc::new(Http2::new(endpoint)), ""),
            Some(settings) => (
                Rc::new(Web::new(endpoint, settings.clone())),
                settings.base_path.as_str(),
            ),
        };
        Ok(Self {
            transport,
            protocol: params.protocol(),
            metrics,
            address: format!("{address}{base_path}").into(),
            most_sent: params.most_sent,
            buffer: Cell::default(),
        })
    }

    /// Opens the connection.
    pub(super) async fn open(&self, params: &ConnectParams) -> Result<(), ConnectError> {
        match timeout(params.timeout, self.transport.connect()).await {
            Ok(opened) => opened.map_err(ConnectError::Failed),
            Err(_) => Err(ConnectError::TimedOut(self.address.to_string())),
        }
    }
}
