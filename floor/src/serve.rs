//! The accept loop and the two bare servers.

use hyper::{
    server::conn::{http1, http2},
    service::service_fn,
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::{TcpListener, TcpStream};

use crate::{FloorError, Memory, Protocol};

/// Serves every connection from `memory` until accepting fails. A request that cannot be answered ends
/// its connection (HTTP/1.1) or its stream (HTTP/2), with the reason on standard error.
///
/// # Errors
/// When the listening socket fails.
pub async fn serve(
    listener: TcpListener,
    protocol: Protocol,
    memory: &'static Memory,
) -> Result<(), FloorError> {
    loop {
        let (stream, _) = listener.accept().await?;
        // A connection that breaks concerns its client alone, also one that is gone already.
        if stream.set_nodelay(true).is_err() {
            continue;
        }
        tokio::spawn(serve_connection(stream, protocol, memory));
    }
}

async fn serve_connection(
    stream: TcpStream,
    protocol: Protocol,
    memory: &'static Memory,
) -> Result<(), hyper::Error> {
    let stream = TokioIo::new(stream);
    let service = service_fn(async |request| memory.answer(request).await.inspect_err(report));
    match protocol {
        Protocol::Http1 => {
            http1::Builder::new()
                .serve_connection(stream, service)
                .await
        }
        Protocol::H2c => {
            http2::Builder::new(TokioExecutor::new())
                .serve_connection(stream, service)
                .await
        }
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the floor server has no log; standard error is its one voice"
)]
fn report(error: &FloorError) {
    if !matches!(error, FloorError::Read(_)) {
        eprintln!("floor: {error}");
    }
}
