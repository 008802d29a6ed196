//! Compressed messages.

use std::io::{Read, Write};

use bytes::Bytes;
use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};

use crate::module::grpc::status::Status;

/// As `grpc-encoding` names it.
pub(super) const GZIP: &str = "gzip";

/// The content of a compressed frame. `most` counts inflated bytes, so that a short frame cannot
/// fill the memory. An empty frame is an empty message whatever the encoding.
pub(super) fn inflate(
    content: &[u8],
    encoding: Option<&[u8]>,
    most: usize,
) -> Result<Bytes, Status> {
    match encoding.unwrap_or_default() {
        b"" | b"identity" => {
            return Err(Status::internal(
                "frame is marked as compressed but the answer names no grpc-encoding",
            ));
        }
        b"gzip" => {}
        other => {
            return Err(Status::internal(format!(
                "answer uses grpc-encoding {:?}; only gzip is supported",
                String::from_utf8_lossy(other)
            )));
        }
    }
    if content.is_empty() {
        return Ok(Bytes::new());
    }
    let mut inflated = Vec::new();
    let one_too_many = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    MultiGzDecoder::new(content)
        .take(one_too_many)
        .read_to_end(&mut inflated)
        .map_err(|error| Status::internal(format!("inflate message: {error}")))?;
    if inflated.len() > most {
        return Err(Status::resource_exhausted(format!(
            "inflated message is larger than the receive limit of {most} bytes"
        )));
    }
    Ok(inflated.into())
}

/// The gzip form of a message.
pub(super) fn deflate(message: &[u8]) -> Result<Vec<u8>, Status> {
    let failed = |error: std::io::Error| Status::internal(format!("compress message: {error}"));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(message).map_err(failed)?;
    encoder.finish().map_err(failed)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_limit_counts_inflated_bytes() {
        let compressed = deflate(&[0; 1000]).unwrap();
        assert!(compressed.len() < 100);
        let inflate = |most| inflate(&compressed, Some(b"gzip"), most);
        assert_eq!(inflate(1000).unwrap().len(), 1000);
        assert_eq!(inflate(999).unwrap_err().code, 8);
    }

    #[test]
    fn other_encodings_are_named() {
        let failed = |encoding| inflate(b"x", encoding, 9).unwrap_err();
        assert!(failed(Some(b"br")).message.contains("\"br\""));
        assert!(failed(None).message.contains("no grpc-encoding"));
        assert!(failed(Some(b"gzip")).message.contains("inflate"));
    }
}
