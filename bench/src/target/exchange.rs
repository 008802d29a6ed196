//! One request and its whole answer, without a client library: the wrapper asks a server very little.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use rustls::{ClientConnection, StreamOwned};

use super::Site;

/// Far more than a server says of itself.
const LONGEST_ANSWER: usize = 64 * 1024;

/// Sends `GET path`, or `POST path` with some JSON, and gives the body of an answer with status 200. The
/// request is HTTP/1.0, so that the answer ends with the connection and comes in one piece without
/// chunks.
pub(super) struct Exchange<'a> {
    pub(super) site: &'a Site,
    pub(super) path: &'a str,
    pub(super) json: Option<&'a str>,
    pub(super) patience: Duration,
}

impl Exchange<'_> {
    /// The whole answer.
    pub(super) fn answer(&self) -> io::Result<Vec<u8>> {
        let deadline = Instant::now() + self.patience;
        let stream = TcpStream::connect_timeout(&self.site.address, self.patience)?;
        stream.set_write_timeout(Some(self.patience))?;
        let stream = Timed {
            stream,
            deadline,
            patience: self.patience,
        };
        let Some(trust) = &self.site.trust else {
            return self.ask(stream);
        };
        let name = self.site.address.ip().into();
        let session = ClientConnection::new(trust.speaking(b"http/1.1"), name);
        self.ask(StreamOwned::new(session.map_err(io::Error::other)?, stream))
    }

    fn ask(&self, mut stream: impl Read + Write) -> io::Result<Vec<u8>> {
        stream.write_all(self.request().as_bytes())?;
        let mut answer = Vec::new();
        // One byte more shows that the answer is too long.
        let longest = LONGEST_ANSWER as u64 + 1;
        stream.take(longest).read_to_end(&mut answer)?;
        Ok(answer)
    }

    fn request(&self) -> String {
        let (path, address) = (self.path, self.site.address);
        let method = if self.json.is_some() { "POST" } else { "GET" };
        let head = format!("{method} {path} HTTP/1.0\r\nHost: {address}\r\n");
        match self.json {
            None => format!("{head}\r\n"),
            Some(json) => format!(
                "{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{json}",
                json.len()
            ),
        }
    }
}

/// A socket that is read until a moment and no longer.
struct Timed {
    stream: TcpStream,
    deadline: Instant,
    patience: Duration,
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A socket's own time-out starts anew with every piece.
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(no_answer_in(self.patience));
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer).map_err(|error| {
            if is_timeout(&error) {
                no_answer_in(self.patience)
            } else {
                error
            }
        })
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// The body of a whole answer with status 200, or what is wrong with it.
pub(super) fn body(answer: &[u8]) -> Result<&[u8], String> {
    if answer.len() > LONGEST_ANSWER {
        return Err(format!("longer than {LONGEST_ANSWER} bytes"));
    }
    let end = b"\r\n\r\n";
    let head_length = answer
        .windows(end.len())
        .position(|window| window == end)
        .ok_or_else(|| "no HTTP head".to_owned())?;
    let head = String::from_utf8_lossy(&answer[..head_length]);
    let status = head.lines().next().and_then(|line| line.split(' ').nth(1));
    if status != Some("200") {
        return Err(format!("status {}", status.unwrap_or("missing")));
    }
    Ok(&answer[head_length + end.len()..])
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

fn no_answer_in(patience: Duration) -> io::Error {
    let seconds = patience.as_secs_f64();
    io::Error::new(
        io::ErrorKind::TimedOut,
        format!("no complete answer within {seconds} s"),
    )
}
