//! The body of an answer that is a stream of server-sent events
//! (<https://html.spec.whatwg.org/multipage/server-sent-events.html>), whoever makes them.
//!
//! Events that are ready go out together, as tonic and a WebSocket do it: a chunk for each would
//! measure the chunks. Nothing is taken from the source before the connection asks for more.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use axum::{body::Body, response::Response};
use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use http::{
    HeaderValue,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use http_body::Frame;

/// The media type.
pub const EVENT_STREAM: &str = "text/event-stream";
/// A chunk is sent when it has so many bytes; tonic's threshold.
const CHUNK_BYTES: usize = 32 * 1024;

/// Writes one item as one or several events.
pub type WriteEvent<T> = fn(&T, &mut BytesMut);

/// The answer that sends the items of `source` as events, and `end` after the last.
pub fn answer<S>(source: S, write: WriteEvent<S::Item>, end: &'static str) -> Response
where
    S: Stream + Send + Unpin + 'static,
    S::Item: 'static,
{
    let mut response = Response::new(Body::new(EventBody {
        source: Some(source),
        write,
        end,
        buffer: BytesMut::new(),
    }));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(EVENT_STREAM));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

struct EventBody<S: Stream> {
    /// `None` after the last item.
    source: Option<S>,
    write: WriteEvent<S::Item>,
    end: &'static str,
    buffer: BytesMut,
}

impl<S: Stream + Unpin> http_body::Body for EventBody<S> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = &mut *self;
        while let Some(source) = &mut this.source
            && this.buffer.len() < CHUNK_BYTES
        {
            match Pin::new(source).poll_next(cx) {
                Poll::Ready(Some(item)) => (this.write)(&item, &mut this.buffer),
                Poll::Ready(None) => {
                    this.source = None;
                    this.buffer.extend_from_slice(this.end.as_bytes());
                }
                Poll::Pending if this.buffer.is_empty() => return Poll::Pending,
                Poll::Pending => break,
            }
        }
        if this.buffer.is_empty() {
            return Poll::Ready(None);
        }
        Poll::Ready(Some(Ok(Frame::data(this.buffer.split().freeze()))))
    }

    fn is_end_stream(&self) -> bool {
        self.source.is_none() && self.buffer.is_empty()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use futures_util::{StreamExt as _, stream};
    use http_body_util::BodyExt as _;

    use super::*;

    fn write(number: &u128, buffer: &mut BytesMut) {
        buffer.extend_from_slice(format!("data: {number}\n\n").as_bytes());
    }

    #[tokio::test]
    async fn ready_events_go_out_together_and_the_end_after_the_last() {
        let response = answer(stream::iter([1, 2]), write, "event: complete\n\n");
        assert_eq!(response.headers()[CONTENT_TYPE], EVENT_STREAM);
        let mut body = response.into_body();
        let chunk = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!(chunk, "data: 1\n\ndata: 2\n\nevent: complete\n\n");
        assert!(body.frame().await.is_none());
    }

    #[tokio::test]
    async fn what_is_there_goes_out_before_a_wait() {
        let source = stream::iter([1]).chain(stream::pending());
        let mut body = answer(source, write, "").into_body();
        let chunk = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!(chunk, "data: 1\n\n");
    }

    #[tokio::test]
    async fn an_endless_source_is_taken_from_a_chunk_at_a_time() {
        let mut body = answer(stream::repeat(1), write, "").into_body();
        for _ in 0..3 {
            let chunk = body.frame().await.unwrap().unwrap().into_data().unwrap();
            assert!((CHUNK_BYTES..CHUNK_BYTES + 100).contains(&chunk.len()));
        }
    }
}
