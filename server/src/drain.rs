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

use http::{Request, header::EXPECT};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use tokio::{runtime::Handle, time::timeout};

/// How long the rest of a body is awaited (the default of nginx's `lingering_timeout`).
const PATIENCE: Duration = Duration::from_secs(5);

/// A body whose rest is read and thrown away when it is dropped early. The connection then serves
/// the next request.
#[derive(Debug)]
pub struct DrainedBody<B: Body + Send + Unpin + 'static> {
    /// `None` when nothing is left to read.
    incoming: Option<B>,
    /// The client waits to be told to send (`Expect: 100-continue`). Refused, it sends nothing, and
    /// what it sends next would be mistaken for the body; the connection closes instead.
    awaits_continue: bool,
}

/// `request` with such a body.
pub fn drained<B: Body + Send + Unpin>(request: Request<B>) -> Request<DrainedBody<B>> {
    let (head, incoming) = request.into_parts();
    let incoming = Some(incoming).filter(|body| !body.is_end_stream());
    let body = DrainedBody {
        awaits_continue: incoming.is_some() && head.headers.contains_key(EXPECT),
        incoming,
    };
    Request::from_parts(head, body)
}

impl<B: Body + Send + Unpin> Body for DrainedBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
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

impl<B: Body + Send + Unpin + 'static> Drop for DrainedBody<B> {
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
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::{
        convert::Infallible,
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use bytes::Bytes;
    use futures_util::{StreamExt as _, stream};
    use http_body_util::StreamBody;
    use tokio::task::yield_now;

    use super::*;

    const PIECES: usize = 3;

    /// A body of [`PIECES`] pieces, and how many of them were read.
    fn body() -> (
        impl Body<Data = Bytes, Error = Infallible> + Unpin,
        Arc<AtomicUsize>,
    ) {
        let read = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&read);
        let pieces = stream::iter(0..PIECES).map(move |_| {
            counter.fetch_add(1, Ordering::Relaxed);
            Ok(Frame::data(Bytes::from_static(b"piece")))
        });
        (StreamBody::new(pieces), read)
    }

    #[tokio::test]
    async fn what_is_not_read_is_read_on_dropping() {
        let (body, read) = body();
        let mut request = drained(Request::new(body));
        request.body_mut().frame().await.unwrap().unwrap();
        assert_eq!(read.load(Ordering::Relaxed), 1);
        drop(request);
        yield_now().await;
        assert_eq!(read.load(Ordering::Relaxed), PIECES);
    }

    #[tokio::test]
    async fn a_client_that_waits_is_left_alone_until_it_was_told_to_send() {
        let waiting = |body| {
            let request = Request::builder().header(EXPECT, "100-continue");
            drained(request.body(body).unwrap())
        };
        let (untouched, read) = body();
        drop(waiting(untouched));
        yield_now().await;
        assert_eq!(read.load(Ordering::Relaxed), 0);

        let (begun, read) = body();
        let mut request = waiting(begun);
        request.body_mut().frame().await.unwrap().unwrap();
        drop(request);
        yield_now().await;
        assert_eq!(read.load(Ordering::Relaxed), PIECES);
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_never_ends_is_not_awaited_for_ever() {
        let body = StreamBody::new(stream::pending::<Result<Frame<Bytes>, Infallible>>());
        drain(body).await;
    }
}
