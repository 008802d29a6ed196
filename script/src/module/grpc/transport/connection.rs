//! The connection of a client.

use std::{
    rc::{Rc, Weak},
    time::{Duration, Instant},
};

use measure::Closing;
use tokio::time::{sleep, timeout};

use super::socket::Socket;
use crate::http2;

/// How often a connection without calls is looked at, to answer pings and see that it was closed.
const IDLE_LOOK: Duration = Duration::from_secs(5);
/// A connection without calls for so long is looked at before the next.
const STALE: Duration = Duration::from_millis(50);
/// Longest wait for the peer at the end.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// The protocol on the connection; calls keep it.
pub(super) type Link = http2::Connection<Socket>;
/// A call on it.
pub(super) type Exchange = http2::Exchange<Socket>;

/// An open connection.
pub(super) struct Connection {
    link: Rc<Link>,
    closing: Closing,
}

impl Connection {
    /// Begins the protocol on a connected socket.
    pub(super) async fn start(socket: Socket, closing: Closing) -> Self {
        let link = Link::new(socket);
        link.drive_once().await;
        tokio::task::spawn_local(look_when_idle(Rc::downgrade(&link)));
        Self { link, closing }
    }

    pub(super) fn link(&self) -> &Rc<Link> {
        &self.link
    }

    /// Ends in order, GOAWAY included.
    pub(super) async fn close(self) {
        // A server that takes nothing more is left alone.
        let _ = timeout(CLOSE_LIMIT, self.link.close()).await;
        self.closing.close(CLOSE_LIMIT).await;
    }
}

/// Whether the connection takes calls. One that was not used for a while is looked at first.
pub(super) async fn takes_calls(link: &Link, now: Instant) -> bool {
    if now.saturating_duration_since(link.used()) > STALE {
        link.drive_once().await;
    }
    link.takes_requests()
}

async fn look_when_idle(link: Weak<Link>) {
    loop {
        sleep(IDLE_LOOK).await;
        let Some(link) = link.upgrade() else {
            return;
        };
        if link.ended().is_some() {
            return;
        }
        if link.is_idle() {
            link.drive_once().await;
        }
    }
}
