//! Bodies that the server has compressed.

use std::io::Read;

use bytes::Bytes;
use flate2::read::{GzDecoder, ZlibDecoder};
use http::{HeaderMap, header::CONTENT_ENCODING};

use super::failure::Failure;

/// The body without its content encodings.
pub(super) fn decoded(headers: &HeaderMap, body: Bytes) -> Result<Bytes, Failure> {
    let Some(encodings) = headers.get(CONTENT_ENCODING).filter(|_| !body.is_empty()) else {
        return Ok(body);
    };
    let encodings = encodings.to_str().unwrap_or_default();
    // They were applied from left to right.
    encodings
        .split(',')
        .rev()
        .try_fold(body, |body, encoding| decode(encoding.trim(), body))
}

fn decode(encoding: &str, body: Bytes) -> Result<Bytes, Failure> {
    let failure = |why: String| Failure::new(1701, format!("error decompressing: {why}"));
    let mut decoded = Vec::new();
    let result = match encoding.to_ascii_lowercase().as_str() {
        "" | "identity" => return Ok(body),
        "gzip" | "x-gzip" => GzDecoder::new(&*body).read_to_end(&mut decoded),
        "deflate" => ZlibDecoder::new(&*body).read_to_end(&mut decoded),
        other => {
            return Err(failure(format!(
                "the content encoding {other} is not built into this runner; run the script with k6"
            )));
        }
    };
    match result {
        Ok(_) => Ok(decoded.into()),
        Err(error) => Err(failure(error.to_string())),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};
    use http::HeaderValue;

    use super::*;

    #[test]
    fn gzip_is_decoded_and_damage_is_told() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(b"hello").unwrap();
        let body = Bytes::from(encoder.finish().unwrap());
        let headers = HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static("gzip"))]);
        assert_eq!(decoded(&headers, body.clone()).unwrap(), "hello");
        let error = decoded(&headers, body.slice(..6)).unwrap_err();
        assert_eq!(error.code, 1701);
    }
}
