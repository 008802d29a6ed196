//! An orderly end of HTTP/1.1 connections each of which may become a WebSocket, which hyper-util's graceful
//! shutdown does not watch.

use std::pin::pin;

use hyper::{
    body::Incoming,
    rt::{Read, Write},
    server::conn::http1::UpgradeableConnection,
    service::HttpService,
};
use tokio::sync::watch;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Tells every connection to end, and waits until all have.
#[derive(Debug, Default)]
pub struct Connections {
    stop: watch::Sender<bool>,
}

/// A connection's place among those that are told to end, taken before there is anything to end.
#[derive(Debug)]
pub struct Seat {
    stop: watch::Receiver<bool>,
}

impl Connections {
    /// A place for a connection, which is waited for until it is given up.
    pub fn seat(&self) -> Seat {
        Seat {
            stop: self.stop.subscribe(),
        }
    }

    /// Asks all for the end and waits for it.
    pub async fn shutdown(self) {
        self.stop.send_replace(true);
        self.stop.closed().await;
    }
}

impl Seat {
    /// Waits until the end is asked for.
    pub async fn end_asked(&mut self) {
        // That nobody can ask any more is a reason to end as well.
        let _ = self.stop.wait_for(|stop| *stop).await;
    }

    /// The connection, which ends after the request in flight once the end was asked for.
    pub async fn watch<I, S, B>(
        mut self,
        connection: UpgradeableConnection<I, S>,
    ) -> Result<(), hyper::Error>
    where
        I: Read + Write + Unpin + Send + 'static,
        S: HttpService<Incoming, ResBody = B>,
        S::Error: Into<BoxError>,
        B: hyper::body::Body + 'static,
        B::Error: Into<BoxError>,
    {
        let mut connection = pin!(connection);
        tokio::select! {
            biased;
            ended = connection.as_mut() => return ended,
            () = self.end_asked() => {}
        }
        connection.as_mut().graceful_shutdown();
        // The seat is kept until then, so that whoever asked waits for this connection.
        connection.await
    }
}
