//! An answer taken apart by the wire formats' own rules.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use http_body_util::{BodyExt as _, Collected};
use prost::Message;
use tonic::{Code, Status};

const TRAILERS: u8 = 0x80;

#[derive(Debug)]
pub struct Answer {
    pub http_status: StatusCode,
    pub headers: HeaderMap,
    /// As it came, base64 and all.
    pub body: Bytes,
    /// Flag and payload of every message.
    pub messages: Vec<(u8, Vec<u8>)>,
    /// Where the status was found.
    pub trailers: HeaderMap,
}

impl Answer {
    pub async fn read<B>(response: http::Response<B>) -> Self
    where
        B: http_body::Body,
        B::Error: std::fmt::Debug,
    {
        let (parts, body) = response.into_parts();
        let collected: Collected<B::Data> = body.collect().await.unwrap();
        let http_trailers = collected.trailers().cloned();
        let body = collected.to_bytes();
        let mut answer = Self {
            http_status: parts.status,
            trailers: http_trailers.unwrap_or_else(|| parts.headers.clone()),
            headers: parts.headers,
            body,
            messages: Vec::new(),
        };
        if answer.content_type().starts_with("application/grpc") {
            answer.take_apart();
        }
        answer
    }

    pub fn content_type(&self) -> &str {
        self.header("content-type")
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub fn status(&self) -> Status {
        Status::from_header_map(&self.trailers).expect("every gRPC answer has a status")
    }

    pub fn code(&self) -> Code {
        self.status().code()
    }

    /// The messages of a call that succeeded.
    pub fn decode<M: Message + Default>(&self) -> Vec<M> {
        assert_eq!(self.code(), Code::Ok, "{:?}", self.status());
        self.messages
            .iter()
            .map(|(flag, payload)| {
                assert_eq!(*flag, 0, "not compressed");
                M::decode(payload.as_slice()).unwrap()
            })
            .collect()
    }

    /// The one message of a unary call that succeeded.
    pub fn message<M: Message + Default>(&self) -> M {
        let mut messages = self.decode();
        assert_eq!(messages.len(), 1);
        messages.remove(0)
    }

    fn take_apart(&mut self) {
        let frames = if self.content_type().contains("-text") {
            decode_groups(&self.body)
        } else {
            self.body.to_vec()
        };
        let mut rest = frames.as_slice();
        while let [flag, a, b, c, d, tail @ ..] = rest {
            let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
            let (payload, tail) = tail.split_at(length);
            if *flag == TRAILERS {
                assert!(tail.is_empty(), "nothing follows the trailers");
                self.trailers = trailer_block(payload);
            } else {
                self.messages.push((*flag, payload.to_vec()));
            }
            rest = tail;
        }
        assert!(rest.is_empty(), "the answer ends with a whole frame");
    }
}

/// Base64 chunks one after the other, each with its own padding.
fn decode_groups(body: &[u8]) -> Vec<u8> {
    assert_eq!(body.len() % 4, 0);
    body.chunks(4)
        .flat_map(|group| STANDARD.decode(group).unwrap())
        .collect()
}

fn trailer_block(block: &[u8]) -> HeaderMap {
    let text = std::str::from_utf8(block).unwrap();
    assert!(text.ends_with("\r\n"));
    text.split_terminator("\r\n")
        .map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            assert_eq!(name, name.to_lowercase());
            (
                HeaderName::try_from(name).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            )
        })
        .collect()
}
