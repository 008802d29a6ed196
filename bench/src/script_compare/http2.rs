//! Requests in what a client sent over HTTP/2.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use h2::server::{Builder, SendResponse};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::traffic::Request;

/// What a client sends first.
pub(super) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const FRAME_HEAD_BYTES: usize = 9;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const CONTINUATION: u8 = 9;
const SETTINGS_ACKNOWLEDGED: [u8; FRAME_HEAD_BYTES] = [0, 0, 0, SETTINGS, 1, 0, 0, 0, 0];
/// No window is too small: the client was held back by the windows of the real server.
const LARGEST_WINDOW: u32 = (1 << 31) - 1;
const LARGEST_FRAME: u32 = (1 << 24) - 1;
const MOST_HEADER_BYTES: u32 = 16 << 20;

/// The requests of one connection, in the order of their streams. A server that answers nothing
/// reads them from what was recorded; when even it cannot, the bytes are kept as they are.
pub(super) fn requests(bytes: &[u8]) -> Vec<Request> {
    let content = requests_only(bytes);
    read(&content).unwrap_or_else(|| vec![Request::unreadable(bytes)])
}

/// The preface and the frames that carry requests. Everything else answers frames of a server that
/// is not here.
fn requests_only(bytes: &[u8]) -> Vec<u8> {
    let mut content = PREFACE.to_vec();
    let mut has_settings = false;
    let mut rest = bytes.strip_prefix(PREFACE).unwrap_or_default();
    while let Some((frame, after)) = next_frame(rest) {
        rest = after;
        match frame[3] {
            DATA | HEADERS | CONTINUATION => content.extend_from_slice(frame),
            SETTINGS if !has_settings => {
                has_settings = true;
                content.extend_from_slice(frame);
                content.extend_from_slice(&SETTINGS_ACKNOWLEDGED);
            }
            _ => {}
        }
    }
    content
}

/// The first whole frame, and what follows it.
fn next_frame(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let &[high, middle, low, ..] = bytes else {
        return None;
    };
    let length = u32::from_be_bytes([0, high, middle, low]);
    bytes.split_at_checked(FRAME_HEAD_BYTES + usize::try_from(length).ok()?)
}

/// A request whose body is still being read, with the answer that it must not get.
struct Open {
    request: Request,
    body: h2::RecvStream,
    _answer: SendResponse<bytes::Bytes>,
}

/// All bytes are there, so that nothing needs to be waited for: what is pending now stays so.
fn read(bytes: &[u8]) -> Option<Vec<Request>> {
    let mut context = Context::from_waker(Waker::noop());
    let mut handshake = Builder::new()
        .initial_window_size(LARGEST_WINDOW)
        .initial_connection_window_size(LARGEST_WINDOW)
        .max_frame_size(LARGEST_FRAME)
        .max_header_list_size(MOST_HEADER_BYTES)
        .handshake::<_, bytes::Bytes>(Replay(bytes));
    let Poll::Ready(Ok(mut connection)) = Pin::new(&mut handshake).poll(&mut context) else {
        return None;
    };
    let mut open: Vec<Open> = Vec::new();
    loop {
        let mut moved = false;
        while let Poll::Ready(accepted) = connection.poll_accept(&mut context) {
            let (head, answer) = accepted?.ok()?;
            let (head, body) = head.into_parts();
            open.push(Open {
                request: request(&head),
                body,
                _answer: answer,
            });
            moved = true;
        }
        for one in &mut open {
            while let Poll::Ready(Some(Ok(data))) = one.body.poll_data(&mut context) {
                // The window is only given back so that the next bytes fit; all streams are alive.
                let _ = one.body.flow_control().release_capacity(data.len());
                one.request.body.extend_from_slice(&data);
                moved = true;
            }
        }
        if !moved {
            return Some(open.into_iter().map(|one| one.request).collect());
        }
    }
}

fn request(head: &http::request::Parts) -> Request {
    let mut headers: Vec<(String, String)> = (head.headers.iter())
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.as_str().to_owned(), value)
        })
        .collect();
    headers.extend((head.uri.scheme_str()).map(|scheme| (":scheme".to_owned(), scheme.to_owned())));
    headers.extend(
        (head.uri.authority()).map(|host| (":authority".to_owned(), host.as_str().to_owned())),
    );
    headers.sort();
    let target = head.uri.path_and_query();
    Request {
        to: String::new(),
        method: head.method.to_string(),
        target: target.map_or_else(String::new, ToString::to_string),
        headers,
        body: Vec::new(),
        form: "HTTP/2".to_owned(),
    }
}

/// A connection of which the client's half is recorded and the other is thrown away. It never ends,
/// for the end of a connection is an error to the requests on it.
struct Replay<'a>(&'a [u8]);

impl AsyncRead for Replay<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.0.is_empty() {
            return Poll::Pending;
        }
        let length = self.0.len().min(buffer.remaining());
        let (now, later) = self.0.split_at(length);
        buffer.put_slice(now);
        self.0 = later;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Replay<'_> {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use tokio::io::AsyncReadExt as _;

    use super::*;

    /// What h2's own client sends for two requests with these bodies.
    async fn recorded(bodies: [Vec<u8>; 2]) -> Vec<u8> {
        let (client, server) = tokio::io::duplex(1 << 20);
        let (sender, connection) = h2::client::handshake(client).await.unwrap();
        let driver = tokio::spawn(connection);
        let mut sender = sender.ready().await.unwrap();
        let mut answers = Vec::new();
        for body in bodies {
            let head = http::Request::post("http://shop/Service/Method")
                .header("te", "trailers")
                .body(())
                .unwrap();
            let (answer, mut stream) = sender.send_request(head, false).unwrap();
            stream.send_data(body.into(), true).unwrap();
            answers.push(answer);
        }
        let mut bytes = Vec::new();
        let (mut reading, _writing) = tokio::io::split(server);
        while ended_streams(&bytes) < 2 {
            let count = reading.read_buf(&mut bytes).await.unwrap();
            assert!(count > 0);
        }
        driver.abort();
        bytes
    }

    /// Bodies that are there to their ends.
    fn ended_streams(bytes: &[u8]) -> usize {
        let mut rest = bytes.strip_prefix(PREFACE).unwrap_or_default();
        let mut ended = 0;
        while let Some((frame, after)) = next_frame(rest) {
            ended += usize::from(frame[3] == DATA && frame[4] & 1 == 1);
            rest = after;
        }
        ended
    }

    #[test]
    fn requests_are_read_from_what_a_client_sent() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let bodies = [vec![7; 40_000], b"short".to_vec()];
        let mut bytes = runtime.block_on(recorded(bodies.clone()));
        // Acknowledges two settings, as a client does whose server changes its mind.
        for _ in 0..2 {
            bytes.extend_from_slice(&SETTINGS_ACKNOWLEDGED);
        }
        let found = requests(&bytes);
        assert_eq!(found.len(), 2);
        for (request, body) in found.iter().zip(bodies) {
            assert_eq!(request.method, "POST");
            assert_eq!(request.target, "/Service/Method");
            let names: Vec<&str> = request.headers.iter().map(|(name, _)| &**name).collect();
            assert_eq!(names, [":authority", ":scheme", "te"]);
            assert_eq!(request.body, body);
        }
    }

    #[test]
    fn what_is_cut_short_or_no_http2_is_kept() {
        let half = [PREFACE, &[0, 0, 50, HEADERS, 4]].concat();
        assert_eq!(requests(&half), []);
        let mut nonsense = PREFACE.to_vec();
        nonsense.extend([0, 0, 1, HEADERS, 4, 0, 0, 0, 1, 0xff]);
        assert_eq!(requests(&nonsense), [Request::unreadable(&nonsense)]);
    }
}
