//! The body of an answer.

use bytes::{Buf, Bytes, BytesMut};

use super::{chunked::Chunked, error::ExchangeError};

/// How a body ends, and how much of it is to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// After so many more bytes.
    Length(u64),
    /// With a chunk of no bytes.
    Chunked(Chunked),
    /// When the server closes the connection.
    UntilClose,
}

impl Body {
    pub(super) fn chunked() -> Self {
        Self::Chunked(Chunked::default())
    }

    /// The whole body, where it is there and has no frames of its own.
    pub(super) fn whole(&mut self, input: &mut BytesMut) -> Option<Bytes> {
        let Self::Length(remaining) = self else {
            return None;
        };
        let length = usize::try_from(*remaining).ok()?;
        let body = input.get(..length).map(Bytes::copy_from_slice)?;
        input.advance(length);
        *remaining = 0;
        Some(body)
    }

    /// Moves what is there of the body; true when it is complete.
    pub(super) fn decode(
        &mut self,
        input: &mut BytesMut,
        output: &mut BytesMut,
    ) -> Result<bool, ExchangeError> {
        match self {
            Self::Length(remaining) => {
                move_bytes(remaining, input, output);
                Ok(*remaining == 0)
            }
            Self::Chunked(chunked) => Ok(chunked.decode(input, output)?),
            Self::UntilClose => {
                output.extend_from_slice(input);
                input.clear();
                Ok(false)
            }
        }
    }

    /// Whether it is complete when the server has closed the connection.
    pub(super) fn end(&self) -> Result<(), ExchangeError> {
        match self {
            Self::UntilClose => Ok(()),
            Self::Length(_) | Self::Chunked(_) => Err(ExchangeError::CutShort),
        }
    }
}

/// Moves as much as is there and wanted.
pub(super) fn move_bytes(remaining: &mut u64, input: &mut BytesMut, output: &mut BytesMut) {
    let wanted = usize::try_from(*remaining).unwrap_or(usize::MAX);
    let there = wanted.min(input.len());
    output.extend_from_slice(&input[..there]);
    input.advance(there);
    *remaining -= there as u64;
}
