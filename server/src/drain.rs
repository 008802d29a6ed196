//! What becomes of an HTTP/1.1 request body that is not read to its end, because the request was
//! refused before.
//!
//! hyper closes such a connection at once. A client that is still sending then gets a reset, and
//! often never sees the answer (hyper issues 2384 and 3078). HTTP asks servers to go on reading for
//! a while (RFC 9112, section 9.6); HTTP/2 has a way of its own and needs nothing of this.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http::{Request, header::EXPECT};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::{runtime::Handle, time::timeout};

/// How long the rest of a body is awaited (the default of nginx's `lingering_timeout`).
const PATIENCE: Duration = Duration::from_secs(5);

/// A body whose rest is read and thrown away when it is dropped early. The connection then serves
/// the next request.
#[derive(Debug)]
pub struct DrainedBody {
    /// `None` when nothing is left to read.
    incoming: Option<Incoming>,
    /// The client sends nothing before it is told to, which reading would do.
    awaits_continue: bool,
}

/// `request` with such a body.
pub fn drained(request: Request<Incoming>) -> Request<DrainedBody> {
    let (head, incoming) = request.into_parts();
    let incoming = Some(incoming).filter(|body| !body.is_end_stream());
    let body = DrainedBody {
        awaits_continue: incoming.is_some() && head.headers.contains_key(EXPECT),
        incoming,
    };
    Request::from_parts(head, body)
}

impl Body for DrainedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(incoming) = &mut self.incoming else {
            return Poll::Ready(None);
        };
        let frame = Pin::new(incoming).poll_frame(cx);
        self.awaits_continue = false;
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.incoming = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for DrainedBody {
    fn drop(&mut self) {
        if self.is_end_stream() || self.awaits_continue {
            return;
        }
        if let (Some(incoming), Ok(runtime)) = (self.incoming.take(), Handle::try_current()) {
            runtime.spawn(drain(incoming));
        }
    }
}

/// Reads until the end, an error, or the end of patience.
async fn drain(mut body: impl Body + Unpin) {
    // What remains after that is the client's loss: dropping the body closes the connection.
    let _ = timeout(PATIENCE, async {
        while let Some(Ok(_)) = body.frame().await {}
    })
    .await;
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::stream;
    use http_body_util::StreamBody;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_never_ends_is_not_awaited_for_ever() {
        let body = StreamBody::new(stream::pending::<Result<Frame<Bytes>, Infallible>>());
        drain(body).await;
    }
}
