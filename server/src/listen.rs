//! The one accept path of all styles: sockets with `TCP_NODELAY`, plain or behind a handshake, hyper's
//! HTTP/1.1 server on one port and its HTTP/2 server on the other, and an orderly end.

use std::{convert::Infallible, future::Future, io, net::SocketAddr, time::Duration};

use axum::Router;
use http::Request;
use hyper::{
    body::Incoming,
    server::conn::{http1, http2},
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::graceful::{GracefulShutdown, Watcher},
    service::TowerToHyperService,
};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};
use tower::ServiceExt;

use crate::{
    App, BuildFacts, ServeError, ServerConfig, app_with_expenses,
    drain::{DrainedBody, drained},
    expenses::ExpenseStore,
    head_timer::HeadTimer,
    hop,
    http1_connection::{Connections, Seat},
    tls::{Acceptors, Handshakes},
    work,
};

/// Connections that wait to be accepted; more than any plausible number of virtual users.
const BACKLOG: i32 = 1_024;
/// How long an HTTP/1.1 client may take for the head of its request. hyper counts from the end of
/// the previous answer, so this is also how long an idle connection is kept (nginx's default).
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);
/// Rest after a failed accept: without it a process that is out of file descriptors would spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Where a server listens; the ports are the real ones even when port 0 was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// HTTP/1.1: REST, GraphQL and gRPC-Web.
    pub http1: SocketAddr,
    /// HTTP/2, with prior knowledge where it is cleartext: gRPC and gRPC-Web.
    pub h2c: SocketAddr,
}

/// A server that listens on both ports. Connections wait in the backlog until [`Server::run`].
#[derive(Debug)]
pub struct Server {
    ports: Ports,
    tls: Option<Acceptors>,
    app: App,
    expenses: Option<ExpenseStore>,
    grace: Duration,
}

/// The sockets that both ports are bound to.
#[derive(Debug)]
struct Ports {
    http1: TcpListener,
    h2c: TcpListener,
    addresses: Addresses,
}

impl Ports {
    fn listen(config: &ServerConfig) -> Result<Self, ServeError> {
        if config.http_port == config.h2c_port && config.http_port != 0 {
            return Err(ServeError::SamePort {
                port: config.http_port,
            });
        }
        let (http1, http1_address) = listen(config, config.http_port, "--http-port")?;
        let (h2c, h2c_address) = listen(config, config.h2c_port, "--h2c-port")?;
        Ok(Self {
            http1,
            h2c,
            addresses: Addresses {
                http1: http1_address,
                h2c: h2c_address,
            },
        })
    }
}

impl Server {
    /// Listens on both ports. Needs a tokio runtime with I/O and time.
    ///
    /// # Errors
    /// [`ServeError`] about a port, the address, the certificate or the database; nothing listens then.
    pub async fn bind(config: &ServerConfig, build: BuildFacts) -> Result<Self, ServeError> {
        config.check_tls()?;
        let expenses = config.open_expenses().await?;
        let ports = Ports::listen(config)?;
        // With its real port, which GraphQL may have to call.
        let config = ServerConfig {
            h2c_port: ports.addresses.h2c.port(),
            ..config.clone()
        };
        let store = expenses.as_ref().map(|expenses| expenses.store.clone());
        let mut app = app_with_expenses(&config, build, expenses);
        if config.grpc_web_hop.is_on() {
            app.http1 = hop::in_front_of(app.http1, ports.addresses.h2c);
        }
        if config.relayed_work.is_on() {
            app = work::serve(app, ports.addresses, &config.rpc());
        }
        Ok(Self {
            expenses: store,
            ..Self::of(ports, app, &config)?
        })
    }

    /// As [`Server::bind`], with other routes than the product's own or more of them.
    ///
    /// # Errors
    /// As [`Server::bind`].
    #[expect(
        clippy::unused_async,
        reason = "registering a socket needs a running runtime"
    )]
    pub async fn bind_app(config: &ServerConfig, app: App) -> Result<Self, ServeError> {
        Self::of(Ports::listen(config)?, app, config)
    }

    fn of(ports: Ports, app: App, config: &ServerConfig) -> Result<Self, ServeError> {
        Ok(Self {
            ports,
            tls: config.tls.acceptors()?,
            app,
            expenses: None,
            grace: config.grace(),
        })
    }

    /// Whether both ports speak TLS.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }

    /// Where it listens.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        self.ports.addresses
    }

    /// Serves until `shutdown` completes, then stops accepting and lets requests in flight finish
    /// within the configured grace. Connections that are still busy after it are left to the
    /// runtime, which closes them when it is dropped.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let http1_connections = Connections::default();
        let connections = GracefulShutdown::new();
        let accept_all = async {
            let http1 = accept_each(&self.ports.http1, |stream| {
                let (router, seat) = (self.app.http1.clone(), http1_connections.seat());
                match &self.tls {
                    None => spawn(serve_http1(stream, router, seat)),
                    Some(tls) => spawn(serve_https1(tls.http1.clone(), stream, router, seat)),
                }
            });
            let h2c = accept_each(&self.ports.h2c, |stream| {
                let (router, watcher) = (self.app.h2c.clone(), connections.watcher());
                match &self.tls {
                    None => spawn(serve_h2(stream, router, watcher)),
                    Some(tls) => {
                        let seat = http1_connections.seat();
                        spawn(serve_https2(
                            tls.http2.clone(),
                            stream,
                            router,
                            (seat, watcher),
                        ));
                    }
                }
            });
            tokio::join!(http1, h2c).0
        };
        tokio::select! {
            never = accept_all => match never {},
            () = shutdown => {}
        }
        drop(self.ports);
        finish(http1_connections, connections, self.grace).await;
        if let Some(expenses) = self.expenses {
            expenses.close().await;
        }
    }
}

async fn finish(http1: Connections, h2c: GracefulShutdown, grace: Duration) {
    let all = async { tokio::join!(http1.shutdown(), h2c.shutdown()) };
    if timeout(grace, all).await.is_err() {
        tracing::warn!(
            "requests in flight did not finish within {} s and are cut off; \
             --shutdown-grace gives them longer",
            grace.as_secs()
        );
    }
}

fn listen(
    config: &ServerConfig,
    port: u16,
    flag: &'static str,
) -> Result<(TcpListener, SocketAddr), ServeError> {
    let address = SocketAddr::new(config.bind, port);
    let listener = bind(address).and_then(|listener| {
        let address = listener.local_addr()?;
        Ok((listener, address))
    });
    listener.map_err(|source| ServeError::listen(address, flag, source))
}

/// Never sets `SO_REUSEPORT`: with it a second server would silently take half of the connections.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(
        Domain::for_address(address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    // On Unix this only allows a port whose old connections linger; on Windows it would allow a
    // port that is in use.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// Hands every connection to `serve`; a failure to accept one never ends it.
async fn accept_each(listener: &TcpListener, serve: impl Fn(TcpStream)) -> Infallible {
    loop {
        match accept(listener).await {
            Ok(stream) => serve(stream),
            Err(error) if concerns_one_connection(&error) => {
                tracing::debug!("a connection was gone before it was accepted: {error}");
            }
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// The next connection, with small answers sent at once instead of after a delayed acknowledgement.
async fn accept(listener: &TcpListener) -> io::Result<TcpStream> {
    let (stream, _) = listener.accept().await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// `InvalidInput` is what setting an option answers on macOS when the peer is gone already.
fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::InvalidInput
    )
}

fn serve_http1(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
    seat: Seat,
) -> impl Future<Output = Result<(), hyper::Error>> + Send {
    let service = ServiceExt::<Request<DrainedBody<Incoming>>>::map_request(router, drained);
    let connection = http1::Builder::new()
        .timer(HeadTimer::default())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
        .with_upgrades();
    seat.watch(connection)
}

fn serve_h2(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
    watcher: Watcher,
) -> impl Future<Output = Result<(), hyper::Error>> + Send {
    let connection = http2::Builder::new(TokioExecutor::new())
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    watcher.watch(connection)
}

/// The handshake goes on beside the accepting of others.
async fn serve_https1(
    handshakes: Handshakes,
    stream: TcpStream,
    router: Router,
    mut seat: Seat,
) -> Result<(), hyper::Error> {
    match handshakes.accept(stream, &mut seat).await {
        Some(stream) => serve_http1(stream, router, seat).await,
        None => Ok(()),
    }
}

/// As [`serve_https1`]; the seat is for the time of the handshake.
async fn serve_https2(
    handshakes: Handshakes,
    stream: TcpStream,
    router: Router,
    (mut seat, watcher): (Seat, Watcher),
) -> Result<(), hyper::Error> {
    let stream = handshakes.accept(stream, &mut seat).await;
    drop(seat);
    match stream {
        Some(stream) => serve_h2(stream, router, watcher).await,
        None => Ok(()),
    }
}

/// A connection that breaks concerns its client alone.
fn spawn(connection: impl Future<Output = Result<(), hyper::Error>> + Send + 'static) {
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!("a connection ended: {error}");
        }
    });
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::net::Ipv4Addr;

    use super::*;

    #[tokio::test]
    async fn accepted_connections_send_small_answers_at_once() {
        let listener = bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap());
        let (client, accepted) = tokio::join!(client, accept(&listener));
        assert!(accepted.unwrap().nodelay().unwrap());
        assert!(
            !client.unwrap().nodelay().unwrap(),
            "the system's default is already on"
        );
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_port_is_not_shared() {
        let listener = bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
        assert!(!socket2::SockRef::from(&listener).reuse_port().unwrap());
    }

    #[test]
    fn running_out_of_descriptors_is_not_the_fault_of_one_connection() {
        let out_of_descriptors = io::Error::from_raw_os_error(libc::EMFILE);
        assert!(!concerns_one_connection(&out_of_descriptors));
        assert!(concerns_one_connection(
            &io::ErrorKind::ConnectionReset.into()
        ));
    }
}
