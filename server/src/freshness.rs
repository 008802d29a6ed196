//! HTTP caching of reads, for those who ask for it: `ETag`, `Cache-Control`, and 304.
//!
//! It is off unless `--cache-max-age` is given, because its headers are bytes of every answer. The tag
//! is a hash of the body, so an answer is made before it is known that it need not be sent: a 304 spares
//! bytes, and only an answer that the client still holds spares the server's work.

use std::{
    convert::Infallible,
    hash::{DefaultHasher, Hasher as _},
};

use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use futures_util::stream;
use http::{
    HeaderMap, HeaderValue, Method, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH},
};
use http_body_util::BodyExt as _;

/// How long an answer stays fresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freshness {
    /// Seconds; 0 lets clients keep an answer but makes them ask each time whether it still holds.
    pub max_age_s: u32,
}

impl Freshness {
    /// Gives a 200 its tag and its age, or makes it a 304 when the client holds the same. Other answers
    /// stay as they are.
    pub async fn apply(self, request: &HeaderMap, response: Response) -> Response {
        if response.status() != StatusCode::OK {
            return response;
        }
        let (mut head, body) = response.into_parts();
        let body = match body.collect().await {
            Ok(body) => body.to_bytes(),
            // An answer that is made in one piece does not get here.
            Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        };
        let tag = tag(&body);
        let is_kept = holds(request, &tag);
        head.headers.insert(CACHE_CONTROL, self.cache_control());
        head.headers.insert(ETAG, tag);
        if !is_kept {
            return Response::from_parts(head, Body::from(body));
        }
        head.status = StatusCode::NOT_MODIFIED;
        head.headers.remove(CONTENT_TYPE);
        // A body of known length would be given a Content-Length, which a 304 must not have unless it
        // is that of the 200 (RFC 9110, 8.6).
        let nothing = stream::empty::<Result<Bytes, Infallible>>();
        Response::from_parts(head, Body::from_stream(nothing))
    }

    fn cache_control(self) -> HeaderValue {
        match self.max_age_s {
            0 => HeaderValue::from_static("no-cache"),
            seconds => HeaderValue::try_from(format!("max-age={seconds}"))
                .expect("letters, digits and a sign are a header value"),
        }
    }
}

/// The layer of routes whose every 200 to a GET can be cached.
pub async fn of_reads(
    State(freshness): State<Freshness>,
    request: Request,
    next: Next,
) -> Response {
    if request.method() != Method::GET {
        return next.run(request).await;
    }
    let mut conditions = HeaderMap::new();
    for condition in request.headers().get_all(IF_NONE_MATCH) {
        conditions.append(IF_NONE_MATCH, condition.clone());
    }
    let response = next.run(request).await;
    freshness.apply(&conditions, response).await
}

/// 18 characters, the quotes included.
fn tag(body: &Bytes) -> HeaderValue {
    let mut hasher = DefaultHasher::new();
    hasher.write(body);
    HeaderValue::try_from(format!("\"{:016x}\"", hasher.finish()))
        .expect("quotes and hexadecimal digits are a header value")
}

/// Whether `If-None-Match` names this tag, or any; weak and strong are alike here (RFC 9110, 13.1.2).
fn holds(request: &HeaderMap, tag: &HeaderValue) -> bool {
    request
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().trim_start_matches("W/"))
        .any(|name| name == "*" || name.as_bytes() == tag.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_is_found_in_lists_weak_or_strong() {
        let tag = tag(&Bytes::from_static(b"body"));
        let text = tag.to_str().unwrap_or_default().to_owned();
        assert_eq!(text.len(), 18);
        for (value, expected) in [
            (text.clone(), true),
            (format!("W/{text}"), true),
            (format!("\"a\", {text}"), true),
            ("*".to_owned(), true),
            ("\"a\"".to_owned(), false),
            (text.replace('"', ""), false),
            (String::new(), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(
                IF_NONE_MATCH,
                HeaderValue::try_from(&value).unwrap_or(HeaderValue::from_static("")),
            );
            assert_eq!(holds(&headers, &tag), expected, "{value}");
        }
        assert!(!holds(&HeaderMap::new(), &tag));
    }
}
