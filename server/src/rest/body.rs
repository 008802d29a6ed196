//! Reading a request body: checks of type and size, then the bytes.
//!
//! axum's `Json` makes owned values and tracks the path to an error; orders are parsed borrowed
//! from these bytes instead, and serde names the line and column of an error anyway.

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, header};
use http_body::Body as _;
use http_body_util::BodyExt;

use super::RestError;

/// A refused body is still read up to this many bytes: a connection that is closed over unread
/// bytes is reset, and the client would lose the answer that explains why.
const DISCARD_BYTES: usize = 8 << 20;

/// The bytes of a JSON body.
///
/// # Errors
/// The content type is not JSON, the body is larger than `limit` bytes, or it breaks off.
pub async fn json_bytes(
    headers: &HeaderMap,
    mut body: Body,
    limit: usize,
) -> Result<Bytes, RestError> {
    let refusal = if let Err(refusal) = check_content_type(headers) {
        refusal
    } else if declared_bytes(&body) > limit as u64 {
        RestError::BodyTooLarge { limit }
    } else {
        match collect(&mut body, limit).await {
            Err(refusal @ RestError::BodyTooLarge { .. }) => refusal,
            outcome => return outcome,
        }
    };
    // A client that waits for permission to send has sent nothing; polling would give it.
    if !headers.contains_key(header::EXPECT) {
        discard(&mut body).await;
    }
    Err(refusal)
}

/// `application/json` and `application/…+json`, whatever the parameters.
fn check_content_type(headers: &HeaderMap) -> Result<(), RestError> {
    let sent = headers.get(header::CONTENT_TYPE);
    if sent.is_some_and(|value| is_json(value.as_bytes())) {
        return Ok(());
    }
    Err(RestError::NotJson {
        sent: sent.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()),
    })
}

fn is_json(media_type: &[u8]) -> bool {
    let essence = media_type
        .split(|&byte| byte == b';')
        .next()
        .unwrap_or_default()
        .trim_ascii();
    if essence.eq_ignore_ascii_case(b"application/json") {
        return true;
    }
    let Some((kind, subtype)) = essence.split_first_chunk::<12>() else {
        return false;
    };
    kind.eq_ignore_ascii_case(b"application/")
        && subtype
            .split_last_chunk::<5>()
            .is_some_and(|(name, suffix)| !name.is_empty() && suffix.eq_ignore_ascii_case(b"+json"))
}

fn declared_bytes(body: &Body) -> u64 {
    body.size_hint().lower()
}

/// A body that came in one piece, as nearly all do, is not copied.
async fn collect(body: &mut Body, limit: usize) -> Result<Bytes, RestError> {
    let Some(first) = next_data(body).await? else {
        return Ok(Bytes::new());
    };
    if body.is_end_stream() && first.len() <= limit {
        return Ok(first);
    }
    let mut all = BytesMut::from(first);
    while all.len() <= limit {
        match next_data(body).await? {
            Some(piece) => all.extend_from_slice(&piece),
            None => return Ok(all.freeze()),
        }
    }
    Err(RestError::BodyTooLarge { limit })
}

/// The next piece; trailers are passed over.
async fn next_data(body: &mut Body) -> Result<Option<Bytes>, RestError> {
    while let Some(frame) = body.frame().await {
        if let Ok(piece) = frame.map_err(RestError::BrokenBody)?.into_data() {
            return Ok(Some(piece));
        }
    }
    Ok(None)
}

async fn discard(body: &mut Body) {
    let mut discarded = 0;
    while discarded < DISCARD_BYTES
        && let Some(Ok(frame)) = body.frame().await
    {
        discarded += frame.data_ref().map_or(0, Bytes::len);
    }
}

#[cfg(test)]
mod tests {
    use super::is_json;

    #[test]
    fn json_is_recognised_with_suffix_parameters_and_any_case() {
        for media_type in [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/vnd.bookstore.order+json ;v=1",
        ] {
            assert!(is_json(media_type.as_bytes()), "{media_type}");
        }
    }

    #[test]
    fn other_types_are_not_json() {
        for media_type in [
            "",
            "text/plain",
            "text/json",
            "application/jsonx",
            "application/+json",
        ] {
            assert!(!is_json(media_type.as_bytes()), "{media_type}");
        }
    }
}
