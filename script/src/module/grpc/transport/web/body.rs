//! From the bytes of a body to its frames.

use std::io::{self, Write};

use bytes::{Bytes, BytesMut};
use flate2::write::MultiGzDecoder;
use http::{
    HeaderMap, HeaderValue,
    header::{CONTENT_ENCODING, CONTENT_TYPE},
};

use super::{content_type, text::TextDecoder};
use crate::module::grpc::{
    status::Status,
    transport::framing::{COMPRESSED, Frames},
};

/// The flag of a frame that holds trailers.
pub(super) const TRAILER: u8 = 0x80;
/// Compressed bytes that are inflated at once: they become at most some thousand times as many.
const INFLATED_AT_ONCE: usize = 512;

/// Takes flags and contents of frames.
pub(super) type TakeFrame<'a> = &'a mut dyn FnMut(u8, Bytes) -> Result<(), Status>;

/// Undoes what the answer's headers name, a layer at a time.
pub(super) struct Body {
    /// Compression of the whole body, which gateways may add.
    inflater: Option<MultiGzDecoder<Vec<u8>>>,
    text: Option<TextDecoder>,
    frames: Frames,
}

impl Body {
    /// For a body with these headers, and frames of at most so many bytes.
    ///
    /// # Errors
    /// When it is not gRPC-Web or compressed in an unknown way.
    pub(super) fn new(headers: &HeaderMap, most: usize) -> Result<Self, Status> {
        let value = |name| headers.get(name).map(HeaderValue::as_bytes);
        let is_text = content_type::is_text(value(CONTENT_TYPE).unwrap_or_default())?;
        let encoding = value(CONTENT_ENCODING).unwrap_or_default();
        let is_gzip = match encoding.to_ascii_lowercase().as_slice() {
            b"" | b"identity" => false,
            b"gzip" => true,
            _ => {
                return Err(Status::internal(format!(
                    "body has content-encoding {:?}; only gzip is supported",
                    String::from_utf8_lossy(encoding)
                )));
            }
        };
        Ok(Self {
            inflater: is_gzip.then(|| MultiGzDecoder::new(Vec::new())),
            text: is_text.then(TextDecoder::default),
            frames: Frames::new(most, judge),
        })
    }

    /// Takes a piece of the body.
    pub(super) fn push(&mut self, piece: Bytes, take: TakeFrame<'_>) -> Result<(), Status> {
        if self.inflater.is_none() {
            return self.push_inflated(piece, take);
        }
        for part in piece.chunks(INFLATED_AT_ONCE) {
            let inflated = self.inflate(|inflater| {
                inflater.write_all(part)?;
                inflater.flush()
            })?;
            self.push_inflated(inflated, take)?;
        }
        Ok(())
    }

    /// Demands that the body is complete.
    pub(super) fn finish(&mut self, take: TakeFrame<'_>) -> Result<(), Status> {
        if self.inflater.is_some() {
            let inflated = self.inflate(MultiGzDecoder::try_finish)?;
            self.push_inflated(inflated, take)?;
        }
        if let Some(text) = &mut self.text {
            let mut decoded = BytesMut::new();
            text.finish(&mut decoded)?;
            self.frames.push(decoded.freeze(), take)?;
        }
        self.frames.finish()
    }

    fn inflate(
        &mut self,
        step: impl FnOnce(&mut MultiGzDecoder<Vec<u8>>) -> io::Result<()>,
    ) -> Result<Bytes, Status> {
        let Some(inflater) = &mut self.inflater else {
            return Ok(Bytes::new());
        };
        step(inflater).map_err(|error| Status::internal(format!("inflate body: {error}")))?;
        Ok(std::mem::take(inflater.get_mut()).into())
    }

    fn push_inflated(&mut self, piece: Bytes, take: TakeFrame<'_>) -> Result<(), Status> {
        let Some(text) = &mut self.text else {
            return self.frames.push(piece, take);
        };
        let mut decoded = BytesMut::new();
        let result = text.push(&piece, &mut decoded);
        self.frames.push(decoded.freeze(), take)?;
        result
    }

    /// Bytes that are held for frames to come.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.frames.capacity()
    }
}

fn judge(flags: u8) -> Result<(), Status> {
    if flags & !(COMPRESSED | TRAILER) == 0 {
        return Ok(());
    }
    Err(Status::internal(format!(
        "frame flags 0x{flags:02x} have reserved bits set; is the body gRPC-Web?"
    )))
}
