//! What the suite and the server under test tell each other on standard input and output: messages
//! with their length in front, as 4 bytes big-endian.

use std::io::{self, Read, Write};

use bookstore_server::ServeError;
use prost::Message as _;
use thiserror::Error;

use crate::suite::{HttpVersion, ServerCompatRequest, ServerCompatResponse};

/// Why the server under test does not start.
#[derive(Debug, Error)]
pub enum CompatError {
    /// Standard input is not what the suite sends.
    #[error(
        "no ServerCompatRequest on standard input: {0}; \
         start this program by `scripts/conformance server`"
    )]
    Request(#[source] io::Error),
    /// Standard output is gone.
    #[error("cannot tell the suite where the server listens: {0}")]
    Response(#[source] io::Error),
    /// The product serves without TLS only.
    #[error("the suite asks for TLS, which the server does not offer; declare supportsTls: false")]
    Tls,
    /// The product serves HTTP/1.1 and HTTP/2.
    #[error("the suite asks for {0:?}, which the server does not offer; declare versions 1 and 2")]
    HttpVersion(HttpVersion),
    /// No threads.
    #[error("cannot start the threads that serve: {0}")]
    Runtime(#[source] io::Error),
    /// The product's own error.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

/// The one request of the suite.
///
/// # Errors
/// [`CompatError::Request`].
pub fn read_request(input: &mut impl Read) -> Result<ServerCompatRequest, CompatError> {
    read_message(input).map_err(CompatError::Request)
}

fn read_message(input: &mut impl Read) -> io::Result<ServerCompatRequest> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length);
    let mut message = Vec::new();
    input.take(length.into()).read_to_end(&mut message)?;
    if message.len() != usize::try_from(length).unwrap_or(usize::MAX) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    ServerCompatRequest::decode(&*message).map_err(io::Error::other)
}

/// Tells the suite where the server listens.
///
/// # Errors
/// [`CompatError::Response`].
pub fn write_response(
    output: &mut impl Write,
    response: &ServerCompatResponse,
) -> Result<(), CompatError> {
    let message = response.encode_to_vec();
    u32::try_from(message.len())
        .map_err(io::Error::other)
        .and_then(|length| output.write_all(&length.to_be_bytes()))
        .and_then(|()| output.write_all(&message))
        .and_then(|()| output.flush())
        .map_err(CompatError::Response)
}
