//! Why an exchange failed.

use std::io;

/// Why there is no whole answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExchangeError {
    /// The connection ended before the first byte of the answer.
    #[error("EOF: the server closed the connection")]
    Closed,
    /// The connection ended within the answer.
    #[error("unexpected EOF: the server closed the connection in the middle of its answer")]
    CutShort,
    /// The socket failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The head of the answer is no HTTP.
    #[error("malformed HTTP response: {0}")]
    Malformed(#[from] httparse::Error),
    /// A status below 100.
    #[error("malformed HTTP response: there is no status {0}")]
    Status(u16),
    /// The head does not end.
    #[error("malformed HTTP response: its head has more than {limit} bytes")]
    HeadTooLarge {
        /// Most bytes.
        limit: usize,
    },
    /// A length that is none, or two of them.
    #[error("malformed HTTP response: content-length {0:?} is no one length")]
    ContentLength(String),
    /// HTTP/1.0 has no transfer encodings.
    #[error("malformed HTTP response: an HTTP/1.0 answer has a transfer-encoding")]
    TransferEncoding,
    /// A body in chunks is no such.
    #[error("malformed chunked body: {0}")]
    Chunk(ChunkError),
}

/// What is wrong with a body in chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ChunkError {
    /// Something else where a size must begin or go on.
    #[error("byte {0:#04x} in the size of a chunk")]
    Size(u8),
    /// A size beyond 64 bits.
    #[error("the size of a chunk is larger than any memory")]
    TooLarge,
    /// A line or a chunk does not end with CR LF.
    #[error("byte {0:#04x} where CR LF must be")]
    LineEnd(u8),
    /// Too much beside the data.
    #[error("its extensions and trailers have more than {limit} bytes")]
    TooMuchBeside {
        /// Most bytes.
        limit: usize,
    },
}

impl ExchangeError {
    /// Whether it is what a client sees when the server has closed an idle connection.
    pub(crate) fn is_closed(&self) -> bool {
        // TLS has the last for a connection that ends without a word.
        use io::ErrorKind::{
            BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof,
        };
        match self {
            Self::Closed => true,
            Self::Io(error) => matches!(
                error.kind(),
                BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof
            ),
            _ => false,
        }
    }
}

impl From<ChunkError> for ExchangeError {
    fn from(error: ChunkError) -> Self {
        Self::Chunk(error)
    }
}
