//! How bodies are compressed.

use std::io::{Read, Write};

use brotli_decompressor::Decompressor;
use bytes::Bytes;
use flate2::{
    Compression,
    read::{MultiGzDecoder, ZlibDecoder},
    write::{GzEncoder, ZlibEncoder},
};
use ruzstd::{
    decoding::StreamingDecoder,
    encoding::{CompressionLevel, compress_to_vec},
};
use thiserror::Error;

/// A content encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentEncoding {
    Gzip,
    /// DEFLATE in the format of zlib.
    Deflate,
    Zstd,
    Brotli,
}

/// Why a script's `compression` cannot be had.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(super) enum CompressionError {
    #[error("unknown algorithm {0:?}; give gzip, deflate, zstd or several of them with commas")]
    Unknown(String),
    #[error(
        "br is not built into this runner, which only reads it; give gzip, deflate or zstd, or run \
         the script with k6"
    )]
    Brotli,
}

/// Bytes of the buffer that brotli reads from.
const BROTLI_BUFFER: usize = 4 << 10;

impl ContentEncoding {
    /// The one of a name, whatever its case.
    pub(super) fn of(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "zstd" => Some(Self::Zstd),
            "br" => Some(Self::Brotli),
            _ => None,
        }
    }

    /// Those of a script's list, in the order in which they are to be applied.
    ///
    /// # Errors
    /// When one of them is none, or cannot be written.
    pub(super) fn list(text: &str) -> Result<Vec<Self>, CompressionError> {
        let names = text.split(',').map(str::trim);
        names
            .map(|name| match Self::of(name) {
                Some(Self::Brotli) => Err(CompressionError::Brotli),
                // An alias of answers only.
                Some(encoding) if encoding.name().eq_ignore_ascii_case(name) => Ok(encoding),
                _ => Err(CompressionError::Unknown(name.to_owned())),
            })
            .collect()
    }

    /// As headers have it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Zstd => "zstd",
            Self::Brotli => "br",
        }
    }

    /// A body in this encoding.
    ///
    /// # Errors
    /// When it cannot be written.
    // Compressing in zstd takes 200 KB of stack, which must be no part of every request.
    #[inline(never)]
    pub(super) fn encode(self, body: &[u8]) -> Result<Bytes, CompressionError> {
        // Writing to memory does not fail.
        let written = match self {
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(body).and_then(|()| encoder.finish())
            }
            Self::Deflate => {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(body).and_then(|()| encoder.finish())
            }
            Self::Zstd => Ok(compress_to_vec(body, CompressionLevel::Fastest)),
            Self::Brotli => return Err(CompressionError::Brotli),
        };
        Ok(written.unwrap_or_default().into())
    }

    /// A body without this encoding.
    ///
    /// # Errors
    /// Why it cannot be read.
    #[inline(never)]
    pub(super) fn decode(self, body: &[u8]) -> Result<Bytes, String> {
        let mut decoded = Vec::new();
        let read = match self {
            Self::Gzip => MultiGzDecoder::new(body).read_to_end(&mut decoded),
            Self::Deflate => ZlibDecoder::new(body).read_to_end(&mut decoded),
            Self::Brotli => Decompressor::new(body, BROTLI_BUFFER).read_to_end(&mut decoded),
            Self::Zstd => return frames(body).map(Bytes::from),
        };
        match read {
            Ok(_) => Ok(decoded.into()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// What is in the frames of zstd.
fn frames(mut rest: &[u8]) -> Result<Vec<u8>, String> {
    let mut decoded = Vec::new();
    while !rest.is_empty() {
        let mut frame = StreamingDecoder::new(&mut rest).map_err(|error| error.to_string())?;
        let read = frame.read_to_end(&mut decoded);
        read.map_err(|error| error.to_string())?;
    }
    Ok(decoded)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"hello hello hello hello hello hello";

    #[test]
    fn what_is_written_is_read() {
        let text = TEXT.repeat(20);
        for encoding in [
            ContentEncoding::Gzip,
            ContentEncoding::Deflate,
            ContentEncoding::Zstd,
        ] {
            let written = encoding.encode(&text).unwrap();
            assert!(written.len() < text.len(), "{encoding:?}");
            assert_eq!(encoding.decode(&written).unwrap(), text, "{encoding:?}");
            let twice = [&*written, &*written].concat();
            if encoding != ContentEncoding::Deflate {
                assert_eq!(encoding.decode(&twice).unwrap(), text.repeat(2));
            }
            for length in 1..written.len() - 1 {
                assert!(
                    encoding.decode(&written[..length]).is_err(),
                    "{encoding:?} {length}"
                );
            }
        }
    }

    #[test]
    fn what_other_encoders_write_is_read() {
        let brotli = [
            0x1b, 0x22, 0x00, 0xf8, 0x8d, 0x94, 0x6e, 0xde, 0x44, 0x55, 0x86, 0x96, 0x6c, 0x20,
            0x6f, 0x41, 0x4f, 0x1c, 0xe0, 0x71,
        ];
        let zstd = [
            0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x68, 0x65, 0x00, 0x00, 0x30, 0x68, 0x65, 0x6c, 0x6c,
            0x6f, 0x20, 0x01, 0x00, 0xb9, 0x4b, 0x11, 0x2b, 0xe1, 0x68, 0xe7,
        ];
        assert_eq!(ContentEncoding::Brotli.decode(&brotli).unwrap(), TEXT);
        assert_eq!(ContentEncoding::Zstd.decode(&zstd).unwrap(), TEXT);
        assert!(ContentEncoding::Brotli.decode(&brotli[..9]).is_err());
        assert!(ContentEncoding::Brotli.encode(TEXT).is_err());
    }

    #[test]
    fn lists_are_read_and_what_is_none_is_named() {
        let list = ContentEncoding::list("gzip, Deflate,zstd").unwrap();
        let names: Vec<_> = list.into_iter().map(ContentEncoding::name).collect();
        assert_eq!(names, ["gzip", "deflate", "zstd"]);
        for wrong in ["george", "", "x-gzip", "gzip,"] {
            let error = ContentEncoding::list(wrong).unwrap_err();
            let name = wrong.trim_start_matches("gzip,");
            assert_eq!(error, CompressionError::Unknown(name.to_owned()));
        }
        assert_eq!(
            ContentEncoding::list("gzip, br"),
            Err(CompressionError::Brotli)
        );
    }
}
