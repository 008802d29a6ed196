//! Asks a server what it is: `GET /about`.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use super::TargetError;
use crate::record::ServerFacts;

/// Far more than a server says of itself.
const LONGEST_ANSWER: usize = 64 * 1024;

/// Asks once. The request is HTTP/1.0, so that the answer ends with the connection and comes in one
/// piece without chunks.
pub(super) fn ask(address: SocketAddr, patience: Duration) -> Result<ServerFacts, TargetError> {
    let answer =
        exchange(address, patience).map_err(|source| TargetError::NoAnswer { address, source })?;
    facts_in(&answer).map_err(|reason| TargetError::NotABookstore {
        address,
        found: String::from_utf8_lossy(&answer).chars().take(120).collect(),
        reason,
    })
}

fn exchange(address: SocketAddr, patience: Duration) -> io::Result<Vec<u8>> {
    let deadline = Instant::now() + patience;
    let mut stream = TcpStream::connect_timeout(&address, patience)?;
    stream.set_write_timeout(Some(patience))?;
    write!(
        stream,
        "GET /about HTTP/1.0\r\nHost: {address}\r\nAccept: application/json\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    let mut piece = [0; 4096];
    loop {
        // A socket's own time-out starts anew with every piece.
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(no_answer_in(patience));
        }
        stream.set_read_timeout(Some(left))?;
        let read = match stream.read(&mut piece) {
            Ok(0) => return Ok(answer),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if is_timeout(&error) => return Err(no_answer_in(patience)),
            Err(error) => return Err(error),
        };
        answer.extend_from_slice(&piece[..read]);
        if answer.len() > LONGEST_ANSWER {
            return Ok(answer);
        }
    }
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

/// The facts in a whole HTTP answer, or what is wrong with it.
fn facts_in(answer: &[u8]) -> Result<ServerFacts, String> {
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
    serde_json::from_slice(&answer[head_length + end.len()..]).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn only_a_full_description_with_status_200_is_taken() {
        let wrong = |answer: &str| facts_in(answer.as_bytes()).unwrap_err();
        assert_eq!(wrong("SSH-2.0-x"), "no HTTP head");
        assert_eq!(wrong("HTTP/1.1 404 Not Found\r\n\r\n{}"), "status 404");
        assert!(wrong("HTTP/1.1 200 OK\r\n\r\n{}").contains("missing field `version`"));
        assert!(wrong("HTTP/1.1 200 OK\r\n\r\n<html>").contains("expected value"));
    }
}
