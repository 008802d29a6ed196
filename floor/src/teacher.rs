//! The real server, asked once for each answer.

use http::Request;
use http_body_util::Full;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;

use crate::{Answer, FloorError, Protocol, RecordedRequest};

/// Where answers are learned from.
#[derive(Clone, Debug)]
pub struct Teacher {
    address: String,
    protocol: Protocol,
}

impl Teacher {
    /// The server at `url` (`http://HOST:PORT`), spoken to in `protocol`.
    ///
    /// # Errors
    /// [`FloorError::TeacherAddress`] for any other shape.
    pub fn new(url: &str, protocol: Protocol) -> Result<Self, FloorError> {
        let malformed = || FloorError::TeacherAddress(url.to_owned());
        let address = url.strip_prefix("http://").ok_or_else(malformed)?;
        let address = address.strip_suffix('/').unwrap_or(address);
        let (host, port) = address.rsplit_once(':').ok_or_else(malformed)?;
        if host.is_empty() || host.contains('/') || port.parse::<u16>().is_err() {
            return Err(malformed());
        }
        Ok(Self {
            address: address.to_owned(),
            protocol,
        })
    }

    /// Sends one request on a connection of its own and reads the answer to its end.
    ///
    /// # Errors
    /// When the connection cannot be made or breaks.
    pub async fn ask(&self, request: &RecordedRequest) -> Result<Answer, FloorError> {
        let stream =
            TcpStream::connect(&self.address)
                .await
                .map_err(|source| FloorError::Connect {
                    address: self.address.clone(),
                    source,
                })?;
        self.exchange(TokioIo::new(stream), request)
            .await
            .map_err(|source| FloorError::Ask {
                address: self.address.clone(),
                target: request.target().to_owned(),
                source,
            })
    }

    async fn exchange(
        &self,
        stream: TokioIo<TcpStream>,
        recorded: &RecordedRequest,
    ) -> Result<Answer, hyper::Error> {
        let mut request = Request::new(Full::new(recorded.body.clone()));
        *request.method_mut() = recorded.method.clone();
        *request.uri_mut() = recorded.uri.clone();
        *request.headers_mut() = recorded.headers.clone();
        let response = match self.protocol {
            Protocol::Http1 => {
                let (mut sender, connection) = http1::handshake(stream).await?;
                tokio::spawn(connection);
                sender.send_request(request).await?
            }
            Protocol::H2c => {
                let (mut sender, connection) =
                    http2::handshake(TokioExecutor::new(), stream).await?;
                tokio::spawn(connection);
                sender.send_request(request).await?
            }
        };
        Answer::read(response).await
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn only_a_plain_http_address_is_a_teacher() {
        let teacher = Teacher::new("http://127.0.0.1:5300/", Protocol::Http1).unwrap();
        assert_eq!(teacher.address, "127.0.0.1:5300");
        for wrong in [
            "127.0.0.1:5300",
            "https://a:1",
            "http://a",
            "http://:1",
            "http://a:x",
            "http://a/b:1",
        ] {
            let error = Teacher::new(wrong, Protocol::Http1).unwrap_err();
            assert!(error.to_string().contains(wrong), "{error}");
        }
    }
}
