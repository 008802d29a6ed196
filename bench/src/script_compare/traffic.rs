//! What one run sent, request by request.

use super::{http1, http2, relay::Recording};

/// Value of a header that is not compared: it tells the time, or the name of the program.
const NOT_COMPARED: &str = "(not compared)";

/// A request as it went over the wire.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Request {
    /// The variable that names the server.
    pub(super) to: String,
    /// The method; empty for bytes that are no request.
    pub(super) method: String,
    /// The path and query.
    pub(super) target: String,
    /// Names in lower case, in the alphabet's order; values as text.
    pub(super) headers: Vec<(String, String)>,
    /// The body, without framing.
    pub(super) body: Vec<u8>,
    /// What of the wire's form the rest does not tell: version, order and case of the headers'
    /// names, sizes of chunks.
    pub(super) form: String,
}

/// What one run sent through all relays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Traffic {
    /// Every request, connection by connection.
    pub(super) requests: Vec<Request>,
    /// Bytes that the client sent.
    pub(super) sent_bytes: u64,
    /// Bytes that it was answered with.
    pub(super) received_bytes: u64,
    /// Connections that it sent something over.
    pub(super) connections: usize,
    /// Bytes of `sent_bytes` that are values which are not compared; of HTTP/1.1 only.
    pub(super) not_compared_bytes: u64,
    /// Whether there is a connection in HTTP/2, where equal requests need not be equal bytes.
    pub(super) has_http2: bool,
    /// Whether more was sent than was kept.
    pub(super) is_cut: bool,
}

impl Traffic {
    /// Adds what went to the server of one variable.
    pub(super) fn add(&mut self, variable: &str, recording: &Recording) {
        self.is_cut |= recording.is_cut;
        for connection in &recording.connections {
            self.connections += 1;
            self.sent_bytes += connection.sent_bytes;
            self.received_bytes += connection.received_bytes;
            let is_http2 = connection.sent.starts_with(http2::PREFACE);
            self.has_http2 |= is_http2;
            let requests = if is_http2 {
                http2::requests(&connection.sent)
            } else {
                http1::requests(&connection.sent)
            };
            for mut request in requests {
                variable.clone_into(&mut request.to);
                let left_out = request.leave_out();
                // Header compression may have sent it once for all requests.
                self.not_compared_bytes += if is_http2 { 0 } else { left_out };
                self.requests.push(request);
            }
        }
    }
}

impl Request {
    /// Bytes that are no request, or only a part of one.
    pub(super) fn unreadable(bytes: &[u8]) -> Self {
        Self {
            to: String::new(),
            method: String::new(),
            target: String::new(),
            headers: Vec::new(),
            body: bytes.to_vec(),
            form: String::new(),
        }
    }

    /// How messages name it.
    pub(super) fn name(&self) -> String {
        let Self {
            to, method, target, ..
        } = self;
        if method.is_empty() {
            format!("bytes to {to} that are no request")
        } else {
            format!("{method} {target} to {to}")
        }
    }

    /// Puts a mark in the place of values that are not compared; returns how long they were.
    fn leave_out(&mut self) -> u64 {
        let mut bytes = 0;
        for (name, value) in &mut self.headers {
            let is_time = name == "grpc-timeout";
            if is_time || (name == "user-agent" && is_own_name(value)) {
                bytes += value.len() as u64;
                NOT_COMPARED.clone_into(value);
            }
        }
        bytes
    }
}

/// Whether a `User-Agent` is what the runner or k6 call themselves when the script sets none.
fn is_own_name(user_agent: &str) -> bool {
    ["bookstore-bench/", "Grafana k6/", "grpc-k6"]
        .iter()
        .any(|name| user_agent.starts_with(name))
        || user_agent.contains("grpc-go/")
}
