//! Answers as server-sent events, in the "distinct connections" mode of the protocol graphql-sse
//! (<https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md>): one request, one stream.

use async_graphql::Response as Executed;
use axum::response::Response;
use bytes::{BufMut as _, BytesMut};
use futures_util::{Stream, StreamExt as _, stream};

use super::{engine::Answer, negotiation::MediaType, reply};
use crate::event_stream;

const END: &str = "event: complete\ndata:\n\n";

/// The answers of a subscription, or the refusal of it as an ordinary answer.
pub fn answers<S>(outcome: Result<S, Answer>) -> Response
where
    S: Stream<Item = Executed> + Send + Unpin + 'static,
{
    match outcome {
        Ok(answers) => event_stream::answer(answers, write, END),
        Err(Answer::Executed(answer)) => {
            event_stream::answer(stream::iter([answer]).boxed(), write, END)
        }
        Err(refused) => reply::answer(&refused, MediaType::GraphqlResponse),
    }
}

fn write(answer: &Executed, buffer: &mut BytesMut) {
    buffer.extend_from_slice(b"event: next\ndata: ");
    reply::write_executed(answer, buffer.writer());
    buffer.extend_from_slice(b"\n\n");
}
