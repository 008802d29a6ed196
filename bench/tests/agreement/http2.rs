//! Reads HTTP/2 as it was on the wire. Frames are walked by hand; heads, which are compressed, are read
//! by the `h2` crate's server, to which the same bytes are sent again.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::{recorder::Conversation, traffic::Traffic};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEAD_OF_FRAME: usize = 9;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const END_STREAM: u8 = 1;
const PADDED: u8 = 8;

/// The requests and answers of some connections.
pub fn read(conversations: &[Conversation]) -> Traffic {
    let mut traffic = Traffic::default();
    for conversation in conversations {
        let sent = conversation.sent.strip_prefix(PREFACE).unwrap();
        traffic.sent_body += body(sent);
        traffic.received_body += body(&conversation.received);
        traffic.answers += frames(&conversation.received)
            .filter(|frame| frame.ends_stream())
            .count();
        let heads = heads(sent);
        assert_eq!(
            heads.len(),
            frames(sent).filter(|frame| frame.kind == HEADERS).count(),
            "every head was read"
        );
        for head in heads {
            traffic.add_request(head);
        }
    }
    traffic
}

struct Frame<'a> {
    kind: u8,
    flags: u8,
    /// The frame as it was sent.
    bytes: &'a [u8],
}

impl Frame<'_> {
    fn ends_stream(&self) -> bool {
        [DATA, HEADERS].contains(&self.kind) && self.flags & END_STREAM != 0
    }

    /// The frame; of data only that there were some, so that no window is used up.
    fn without_data(&self) -> Vec<u8> {
        if self.kind != DATA {
            return self.bytes.to_vec();
        }
        let mut empty = self.bytes[..HEAD_OF_FRAME].to_vec();
        empty[..3].fill(0);
        empty
    }
}

fn frames(mut rest: &[u8]) -> impl Iterator<Item = Frame<'_>> {
    std::iter::from_fn(move || {
        let &[high, middle, low, kind, flags, ..] = rest else {
            assert!(rest.is_empty(), "a frame was cut off");
            return None;
        };
        let length = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
        let (bytes, after) = rest.split_at(HEAD_OF_FRAME + length);
        rest = after;
        Some(Frame { kind, flags, bytes })
    })
}

fn body(bytes: &[u8]) -> usize {
    frames(bytes)
        .filter(|frame| frame.kind == DATA)
        .map(|frame| {
            assert_eq!(frame.flags & PADDED, 0, "nobody pads here");
            frame.bytes.len() - HEAD_OF_FRAME
        })
        .sum()
}

/// Every request's head: pseudo-headers first, then headers in the order in which they came.
fn heads(sent: &[u8]) -> Vec<Vec<String>> {
    let mut replayed = PREFACE.to_vec();
    replayed.extend(frames(sent).flat_map(|frame| frame.without_data()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (mut client, server) = tokio::io::duplex(replayed.len());
        client.write_all(&replayed).await.unwrap();
        let (mut answers, mut requests) = tokio::io::split(client);
        // Whatever the server says must go somewhere, and the client ends when its bytes are through.
        let listen = async {
            let mut nowhere = Vec::new();
            answers.read_to_end(&mut nowhere).await.unwrap();
        };
        let ask = async {
            requests.shutdown().await.unwrap();
            let mut connection = h2::server::handshake(server).await.unwrap();
            let mut heads = Vec::new();
            let mut kept_open = Vec::new();
            while let Some(Ok((request, respond))) = connection.accept().await {
                heads.push(head(&request));
                kept_open.push((request, respond));
            }
            heads
        };
        tokio::join!(ask, listen).0
    })
}

fn head<T>(request: &http::Request<T>) -> Vec<String> {
    let mut lines = vec![format!("{} {}", request.method(), request.uri())];
    let headers = request.headers().iter();
    lines.extend(headers.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())));
    lines
}
