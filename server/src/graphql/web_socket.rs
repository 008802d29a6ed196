//! The subprotocol `graphql-transport-ws`
//! (<https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md>) over a WebSocket.

use std::{borrow::Cow, future::ready, sync::Arc, time::Duration};

use async_graphql::{
    Data, Executor, Request, Response as Executed, ServerError,
    http::{WebSocket as Conversation, WebSocketProtocols, WsMessage},
};
use axum::{
    extract::{
        FromRequestParts as _, Request as HttpRequest,
        ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade},
    },
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream, stream::BoxStream};
use http::{HeaderMap, header::UPGRADE};
use tokio::time::timeout;

use super::{
    engine::{Answer, Engine, Method},
    envelope::Envelope,
    negotiation::MediaType,
    refusal::Refusal,
    reply,
};

/// The subprotocol's name.
pub const PROTOCOL: &str = "graphql-transport-ws";
/// How long a client may take for its first message.
const INIT_TIMEOUT: Duration = Duration::from_secs(10);
/// Close code for a client that took longer, by the protocol.
const INIT_TIMED_OUT: u16 = 4408;

/// A longer reason does not fit into a control frame (RFC 6455, section 5.5).
const LONGEST_REASON_BYTES: usize = 123;

/// Whether the request asks for a WebSocket.
pub fn is_asked_for(headers: &HeaderMap) -> bool {
    headers
        .get(UPGRADE)
        .is_some_and(|upgrade| upgrade.as_bytes().eq_ignore_ascii_case(b"websocket"))
}

/// Opens the WebSocket, over which `engine` answers until either side closes it.
pub async fn open<S: Executor>(
    request: HttpRequest,
    engine: Arc<Engine<S>>,
    max_message_bytes: usize,
) -> Response {
    let (mut head, _) = request.into_parts();
    let upgrade = match WebSocketUpgrade::from_request_parts(&mut head, &()).await {
        Ok(upgrade) => upgrade.protocols([PROTOCOL]),
        Err(rejection) => return rejection.into_response(),
    };
    if upgrade.selected_protocol().is_none() {
        return reply::refusal(&Refusal::Subprotocol, MediaType::GraphqlResponse);
    }
    upgrade
        .max_message_size(max_message_bytes)
        .on_upgrade(async move |socket| converse(socket, Answering { engine }).await)
}

/// Every message that is ready is written before the socket is flushed; a client that does not read
/// stops the subscription at the next message.
async fn converse<S: Executor>(mut socket: WebSocket, answering: Answering<S>) {
    let Ok(first) = timeout(INIT_TIMEOUT, socket.next()).await else {
        let reason = CloseFrame {
            code: INIT_TIMED_OUT,
            reason: "no connection_init came".into(),
        };
        // The client may be gone.
        let _ = socket.send(Message::Close(Some(reason))).await;
        return;
    };
    let (sink, rest) = socket.split();
    let asked = stream::iter(first)
        .chain(rest)
        .take_while(|message| ready(message.is_ok()))
        .filter_map(|message| ready(message.ok().and_then(content)));
    let answers = Conversation::new(answering, asked, WebSocketProtocols::GraphQLWS);
    // It fails when the client is gone, and then there is nobody to tell.
    let _ = answers
        .map(|message| Ok(framed(message)))
        .forward(sink)
        .await;
}

/// The GraphQL message in a WebSocket message, if it is one.
fn content(message: Message) -> Option<Bytes> {
    match message {
        Message::Text(text) => Some(text.into()),
        Message::Binary(bytes) => Some(bytes),
        Message::Ping(_) | Message::Pong(_) | Message::Close(_) => None,
    }
}

fn framed(message: WsMessage) -> Message {
    match message {
        WsMessage::Text(text) => Message::Text(text.into()),
        WsMessage::Close(code, mut reason) => {
            reason.truncate(reason.floor_char_boundary(LONGEST_REASON_BYTES));
            Message::Close(Some(CloseFrame {
                code,
                reason: reason.into(),
            }))
        }
    }
}

/// The engine, with its limits, as async-graphql's conversation asks it.
struct Answering<S> {
    engine: Arc<Engine<S>>,
}

impl<S> Clone for Answering<S> {
    fn clone(&self) -> Self {
        Self {
            engine: Arc::clone(&self.engine),
        }
    }
}

impl<S: Executor> Executor for Answering<S> {
    async fn execute(&self, request: Request) -> Executed {
        answered(self.engine.answer(envelope_of(request), Method::Post).await)
    }

    fn execute_stream(
        &self,
        request: Request,
        _: Option<Arc<Data>>,
    ) -> BoxStream<'static, Executed> {
        let engine = Arc::clone(&self.engine);
        let begun = async move {
            match engine.subscribe(envelope_of(request)).await {
                Ok(answers) => answers,
                Err(answer) => stream::iter([answered(answer)]).boxed(),
            }
        };
        begun.flatten_stream().boxed()
    }
}

fn envelope_of(request: Request) -> Envelope<'static> {
    let extensions = request
        .extensions
        .0
        .into_iter()
        .filter_map(|(name, value)| {
            let value = value.into_json().ok()?;
            Some((name, value))
        });
    let extensions: serde_json::Map<_, _> = extensions.collect();
    Envelope {
        query: Some(request.query)
            .filter(|query| !query.is_empty())
            .map(Cow::Owned),
        operation_name: request.operation_name,
        variables: request.variables,
        document_id: None,
        extensions: Some(extensions).filter(|extensions| !extensions.is_empty()),
    }
}

fn answered(answer: Answer) -> Executed {
    match answer {
        Answer::Executed(response) => response,
        Answer::Invalid(errors) => Executed::from_errors(errors),
        Answer::Refused(refusal) => Executed::from_errors(vec![ServerError::from(&refusal)]),
    }
}
