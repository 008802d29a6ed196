//! One WebSocket with the subprotocol `graphql-transport-ws`, over which one subscription is made after
//! the other.

use std::rc::Rc;

use futures_util::{SinkExt as _, StreamExt as _};
use http::{
    HeaderValue,
    header::{SEC_WEBSOCKET_PROTOCOL, USER_AGENT},
};
use measure::Closing;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::timeout;
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{
        Error, Message, Utf8Bytes, client::IntoClientRequest as _, protocol::WebSocketConfig,
    },
};

use super::{
    endpoint::{CLOSE_LIMIT, Endpoint, Protocol},
    stream::Stream,
};
use crate::load::{
    client::AGENT,
    failure::{Fault, OperationError},
};

const PROTOCOL: HeaderValue = HeaderValue::from_static("graphql-transport-ws");
/// The id of every subscription; there is one at a time.
const ID: &str = "1";
/// More than any answer takes.
const LONGEST_MESSAGE_BYTES: usize = 1 << 20;

/// A WebSocket that is opened when needed and kept.
#[derive(Debug)]
pub(in crate::load) struct WebSocketConnection {
    endpoint: Rc<Endpoint>,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    socket: WebSocketStream<Stream>,
    closing: Closing,
}

/// What the client says.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Said<P> {
    ConnectionInit,
    Subscribe { id: &'static str, payload: P },
}

/// What the server says.
#[derive(Deserialize)]
struct Heard<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(borrow, default)]
    payload: Option<&'a RawValue>,
}

impl WebSocketConnection {
    pub(in crate::load) fn new(endpoint: &Rc<Endpoint>) -> Self {
        Self {
            endpoint: Rc::clone(endpoint),
            open: None,
        }
    }

    /// Connects, upgrades and begins the conversation, unless that is done.
    pub(in crate::load) async fn open(&mut self) -> Result<(), OperationError> {
        if self.open.is_some() {
            return Ok(());
        }
        let endpoint = &self.endpoint;
        let broken = |error: Error| endpoint.broken(error.to_string());
        let (stream, closing) = endpoint.connect(Protocol::Http1).await?;
        let mut request = format!("ws://{}/graphql", endpoint.authority)
            .into_client_request()
            .map_err(broken)?;
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, AGENT);
        headers.insert(SEC_WEBSOCKET_PROTOCOL, PROTOCOL);
        let limits = WebSocketConfig::default().max_message_size(Some(LONGEST_MESSAGE_BYTES));
        let (mut socket, _) = client_async_with_config(request, stream, Some(limits))
            .await
            .map_err(broken)?;
        let init = said(&Said::<()>::ConnectionInit);
        socket.send(Message::Text(init)).await.map_err(broken)?;
        let first = heard(endpoint, &mut socket).await?;
        let is_begun = parse(&first).is_ok_and(|first| first.kind == "connection_ack");
        if !is_begun {
            return Err(endpoint.broken(format!("connection_init was answered with {first}")));
        }
        self.open = Some(Open { socket, closing });
        Ok(())
    }

    /// Subscribes with `payload` and hands each answer to `take`, until the subscription is complete. The
    /// first fault that `take` or the server finds is the outcome.
    pub(in crate::load) async fn subscribe(
        &mut self,
        payload: impl Serialize,
        mut take: impl FnMut(&str) -> Result<(), Fault>,
    ) -> Result<Result<(), Fault>, OperationError> {
        self.open().await?;
        let endpoint = &self.endpoint;
        let Some(Open { socket, .. }) = &mut self.open else {
            return Err(endpoint.broken("it was closed"));
        };
        let subscribe = said(&Said::Subscribe { id: ID, payload });
        endpoint.tally.request(subscribe.len());
        let sent = socket.send(Message::Text(subscribe)).await;
        sent.map_err(|error| endpoint.broken(error.to_string()))?;
        let mut outcome = Ok(());
        loop {
            let text = heard(endpoint, socket).await?;
            endpoint.tally.body_received(text.len());
            let message = match parse(&text) {
                Ok(message) => message,
                Err(fault) => return Err(endpoint.broken(fault.to_string())),
            };
            let payload = message.payload.map_or("", RawValue::get);
            match message.kind {
                "next" if outcome.is_ok() => outcome = take(payload),
                "next" => {}
                "complete" => return Ok(outcome),
                "error" => return Ok(outcome.and(Err(Fault::GraphQl(payload.to_owned())))),
                other => return Err(endpoint.broken(format!("it says {other:?}"))),
            }
        }
    }

    /// Drops a connection in an unknown state.
    pub(in crate::load) fn reset(&mut self) {
        self.open = None;
    }

    /// Ends the connection in order.
    pub(in crate::load) async fn close(&mut self) {
        if let Some(Open {
            mut socket,
            closing,
        }) = self.open.take()
        {
            // A server that does not answer the farewell is left alone.
            let _ = timeout(CLOSE_LIMIT, async {
                if socket.close(None).await.is_ok() {
                    while let Some(Ok(_)) = socket.next().await {}
                }
            })
            .await;
            drop(socket);
            closing.close(CLOSE_LIMIT).await;
        }
    }
}

fn said<P: Serialize>(message: &Said<P>) -> Utf8Bytes {
    serde_json::to_string(message)
        .expect("a document and its variables have nothing that JSON cannot hold")
        .into()
}

fn parse(text: &str) -> Result<Heard<'_>, Fault> {
    let what = "a message of graphql-transport-ws";
    serde_json::from_str(text).map_err(|source| Fault::json(what, source, text.as_bytes()))
}

/// The next text; what belongs to the WebSocket itself is passed over.
async fn heard(
    endpoint: &Endpoint,
    socket: &mut WebSocketStream<Stream>,
) -> Result<Utf8Bytes, OperationError> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => return Ok(text),
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
            Some(Ok(Message::Binary(_))) => {
                return Err(endpoint.broken("it sends binary messages"));
            }
            Some(Ok(Message::Close(Some(frame)))) => {
                return Err(endpoint.broken(format!(
                    "it was closed with {}: {}",
                    u16::from(frame.code),
                    frame.reason
                )));
            }
            Some(Ok(Message::Close(None))) | None => {
                return Err(endpoint.broken("it was closed before the answer was complete"));
            }
            Some(Err(error)) => return Err(endpoint.broken(error.to_string())),
        }
    }
}
