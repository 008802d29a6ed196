//! An orderly end of HTTP/1.1 connections each of which may become a WebSocket, which hyper-util's graceful
//! shutdown does not watch.

use std::{future::Future, pin::pin};

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

impl Connections {
    /// The connection, which ends after the request in flight once the end was asked for.
    pub fn watch<I, S, B>(
        &self,
        connection: UpgradeableConnection<I, S>,
    ) -> impl Future<Output = Result<(), hyper::Error>> + use<I, S, B>
    where
        I: Read + Write + Unpin + Send + 'static,
        S: HttpService<Incoming, ResBody = B>,
        S::Error: Into<BoxError>,
        B: hyper::body::Body + 'static,
        B::Error: Into<BoxError>,
    {
        let mut stop = self.stop.subscribe();
        async move {
            let mut connection = pin!(connection);
            tokio::select! {
                biased;
                ended = connection.as_mut() => return ended,
                // That nobody can ask any more is a reason to end as well.
                _ = stop.wait_for(|stop| *stop) => {}
            }
            connection.as_mut().graceful_shutdown();
            // `stop` is held until then, so that whoever asked waits for this connection.
            connection.await
        }
    }

    /// Asks all for the end and waits for it.
    pub async fn shutdown(self) {
        self.stop.send_replace(true);
        self.stop.closed().await;
    }
}
