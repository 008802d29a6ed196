//! Reads HTTP/1.1 as it was on the wire.

use crate::{recorder::Conversation, traffic::Traffic};

/// The requests and answers of some connections.
pub fn read(conversations: &[Conversation]) -> Traffic {
    let mut traffic = Traffic::default();
    for conversation in conversations {
        let mut rest = &*conversation.sent;
        while let Some((message, after)) = message(rest) {
            traffic.sent_body += message.body;
            traffic.add_request(message.head);
            rest = after;
        }
        let mut rest = &*conversation.received;
        while let Some((message, after)) = message(rest) {
            traffic.received_body += message.body;
            traffic.answers += 1;
            rest = after;
        }
    }
    traffic
}

struct Message {
    head: Vec<String>,
    /// Length of the body, without what chunks put around it.
    body: usize,
}

/// The first message and what follows it; `None` at the end.
fn message(bytes: &[u8]) -> Option<(Message, &[u8])> {
    if bytes.is_empty() {
        return None;
    }
    let (head, rest) = split(bytes, b"\r\n\r\n");
    let head: Vec<String> = std::str::from_utf8(head)
        .unwrap()
        .split("\r\n")
        .map(str::to_owned)
        .collect();
    let (body, rest) = if header(&head, "transfer-encoding").is_some() {
        chunks(rest)
    } else {
        let length = header(&head, "content-length").map_or(0, |length| length.parse().unwrap());
        (length, &rest[length..])
    };
    Some((Message { head, body }, rest))
}

fn header<'a>(head: &'a [String], name: &str) -> Option<&'a str> {
    head[1..].iter().find_map(|line| {
        let (found, value) = line.split_once(':').unwrap();
        found.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// Length of a body in chunks without trailers, and what follows it.
fn chunks(mut rest: &[u8]) -> (usize, &[u8]) {
    let mut body = 0;
    loop {
        let (size, content) = split(rest, b"\r\n");
        let size = usize::from_str_radix(std::str::from_utf8(size).unwrap(), 16).unwrap();
        body += size;
        rest = content[size..].strip_prefix(b"\r\n").unwrap();
        if size == 0 {
            return (body, rest);
        }
    }
}

fn split<'a>(bytes: &'a [u8], at: &[u8]) -> (&'a [u8], &'a [u8]) {
    let end = bytes
        .windows(at.len())
        .position(|window| window == at)
        .unwrap();
    (&bytes[..end], &bytes[end + at.len()..])
}

#[test]
fn messages_are_told_apart_and_chunks_are_no_part_of_a_body() {
    let sent = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nokGET /b HTTP/1.1\r\nHost: x\r\n\r\n";
    let received =
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n\
                     HTTP/1.1 404 Not Found\r\ncontent-length: 1\r\n\r\nx";
    let conversation = Conversation {
        sent: sent.to_vec(),
        received: received.to_vec(),
    };
    let traffic = read(&[conversation]);
    assert_eq!((traffic.requests, traffic.answers), (2, 2));
    assert_eq!((traffic.sent_body, traffic.received_body), (2, 5));
    let head = ["GET /b HTTP/1.1", "Host: x"].map(str::to_owned).to_vec();
    assert_eq!(traffic.heads.get(&head), Some(&1));
}
