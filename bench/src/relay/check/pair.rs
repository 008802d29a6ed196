//! Both ends of a connection through a relay.

use std::{
    io,
    net::{Ipv4Addr, TcpListener, TcpStream},
};

use crate::relay::{Link, Relay, RelayOptions};

/// A client and a server in this process, with a relay between them.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) client: TcpStream,
    pub(super) server: TcpStream,
    pub(super) relay: Relay,
}

impl Pair {
    /// Connects them over links upwards and downwards.
    pub(super) fn over([up, down]: [Link; 2]) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let options = RelayOptions {
            up,
            down,
            ..RelayOptions::new(listener.local_addr()?, up)
        };
        let relay = Relay::start(&options).map_err(io::Error::other)?;
        let client = TcpStream::connect(relay.address())?;
        let (server, _) = listener.accept()?;
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        Ok(Self {
            client,
            server,
            relay,
        })
    }
}
