//! Bodies that the server has compressed.

use bytes::Bytes;
use http::{HeaderMap, header::CONTENT_ENCODING};

use super::{content_encoding::ContentEncoding, failure::Failure};

/// The body without its content encodings; as it came where one of them is unknown, for the script
/// may know it.
///
/// # Errors
/// When it is not what the header says.
pub(super) fn decoded(headers: &HeaderMap, body: Bytes) -> Result<Bytes, Failure> {
    if body.is_empty() {
        return Ok(body);
    }
    let names = headers.get_all(CONTENT_ENCODING).iter();
    let names = names.flat_map(|value| value.to_str().unwrap_or_default().split(','));
    let names = names
        .map(str::trim)
        .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"));
    let Some(encodings) = names.map(ContentEncoding::of).collect::<Option<Vec<_>>>() else {
        return Ok(body);
    };
    // They were applied from left to right.
    encodings
        .into_iter()
        .rev()
        .try_fold(body, |body, encoding| {
            let decoded = encoding.decode(&body);
            decoded.map_err(|why| {
                let name = encoding.name();
                Failure::new(1701, format!("error decompressing {name}: {why}"))
            })
        })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn headers(values: &[&'static str]) -> HeaderMap {
        let pairs = values.iter();
        pairs
            .map(|value| (CONTENT_ENCODING, HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn encodings_are_undone_from_the_last() {
        let inner = ContentEncoding::Deflate.encode(b"hello").unwrap();
        let body = ContentEncoding::Gzip.encode(&inner).unwrap();
        for values in [&["deflate, GZIP"][..], &["identity, deflate", "x-gzip"]] {
            assert_eq!(decoded(&headers(values), body.clone()).unwrap(), "hello");
        }
        let mixed_up = decoded(&headers(&["gzip, deflate"]), body).unwrap_err();
        assert_eq!(mixed_up.code, 1701);
    }

    #[test]
    fn damage_is_told_and_the_unknown_is_left_alone() {
        let body = ContentEncoding::Gzip.encode(b"hello").unwrap();
        let error = decoded(&headers(&["gzip"]), body.slice(..6)).unwrap_err();
        assert_eq!(error.code, 1701);
        let own = Bytes::from_static(b"own");
        assert_eq!(decoded(&headers(&["custom"]), own.clone()).unwrap(), own);
        assert_eq!(decoded(&headers(&["gzip"]), Bytes::new()).unwrap(), "");
    }
}
