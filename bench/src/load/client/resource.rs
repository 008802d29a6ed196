//! One REST resource or query by GET, and a virtual user's own cache for it.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{
    HeaderMap, StatusCode,
    header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH},
};

use crate::load::{
    failure::OperationError,
    wire::{HttpAnswer, HttpConnection, HttpRequest},
};

/// Something that is asked for again and again. With a cache it is used, as a browser does, without
/// asking while its `max-age` lasts, and asked for with its `ETag` afterwards.
#[derive(Debug)]
pub(super) struct Resource {
    request: HttpRequest,
    cache: Option<Cache>,
}

#[derive(Debug, Default)]
struct Cache {
    kept: Option<Kept>,
}

#[derive(Debug)]
struct Kept {
    body: Bytes,
    fresh_until: Option<Instant>,
    /// The request with the tag, if there is one.
    conditional: Option<HttpRequest>,
}

impl Resource {
    /// Fetched every time.
    pub(super) fn new(request: HttpRequest) -> Self {
        Self {
            request,
            cache: None,
        }
    }

    /// Fetched when the cache does not have it.
    pub(super) fn cached(request: HttpRequest) -> Self {
        Self {
            request,
            cache: Some(Cache::default()),
        }
    }

    /// The request that fetches it.
    pub(super) fn request(&self) -> &HttpRequest {
        &self.request
    }

    /// The answer, from the cache or over the connection.
    pub(super) async fn get(
        &mut self,
        connection: &mut HttpConnection,
    ) -> Result<HttpAnswer, OperationError> {
        let Some(cache) = &mut self.cache else {
            return connection.exchange(&self.request).await;
        };
        if let Some(kept) = cache.kept.as_ref().filter(|kept| kept.is_fresh()) {
            // Nothing was waited for, so others would not get their turn.
            tokio::task::yield_now().await;
            return Ok(kept.answer());
        }
        let conditional = cache
            .kept
            .as_ref()
            .and_then(|kept| kept.conditional.as_ref());
        let answer = connection
            .exchange(conditional.unwrap_or(&self.request))
            .await?;
        match &mut cache.kept {
            Some(kept) if answer.status == StatusCode::NOT_MODIFIED => {
                kept.fresh_until = fresh_until(&answer.headers);
                Ok(kept.answer())
            }
            kept => {
                *kept = Kept::of(&self.request, &answer);
                Ok(answer)
            }
        }
    }
}

impl Kept {
    /// What there is to keep of an answer.
    fn of(request: &HttpRequest, answer: &HttpAnswer) -> Option<Self> {
        let tag = answer.headers.get(ETAG);
        let fresh_until = fresh_until(&answer.headers);
        let is_kept = answer.status == StatusCode::OK && (tag.is_some() || fresh_until.is_some());
        is_kept.then(|| Self {
            body: answer.body.clone(),
            fresh_until,
            conditional: tag.map(|tag| request.clone().with_header(IF_NONE_MATCH, tag.clone())),
        })
    }

    fn is_fresh(&self) -> bool {
        self.fresh_until.is_some_and(|until| Instant::now() < until)
    }

    fn answer(&self) -> HttpAnswer {
        HttpAnswer {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: self.body.clone(),
        }
    }
}

/// When the answer's `max-age` ends; `None` where it has none that lasts.
fn fresh_until(headers: &HeaderMap) -> Option<Instant> {
    let directives = headers.get(CACHE_CONTROL)?.to_str().ok()?;
    let seconds = directives
        .split(',')
        .find_map(|directive| directive.trim().strip_prefix("max-age="))?;
    let lifetime = Duration::from_secs(seconds.parse().ok()?);
    Instant::now()
        .checked_add(lifetime)
        .filter(|_| !lifetime.is_zero())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use http::{HeaderName, HeaderValue, Uri};

    use super::*;

    const HOST: HeaderValue = HeaderValue::from_static("localhost:5300");

    fn kept(headers: &[(HeaderName, &'static str)], status: u16) -> Option<Kept> {
        let request = HttpRequest::get(&HOST, Uri::from_static("/api/books/1"));
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
        let answer = HttpAnswer {
            status: StatusCode::from_u16(status).unwrap(),
            headers: headers.collect(),
            body: Bytes::from_static(b"{}"),
        };
        Kept::of(&request, &answer)
    }

    #[test]
    fn an_answer_is_kept_by_its_tag_or_its_age() {
        let tagged = kept(&[(ETAG, "\"1\""), (CACHE_CONTROL, "no-cache")], 200).unwrap();
        assert!(!tagged.is_fresh());
        assert!(tagged.conditional.is_some());
        let aged = kept(&[(CACHE_CONTROL, "private, max-age=60")], 200).unwrap();
        assert!(aged.is_fresh());
        assert!(aged.conditional.is_none());
        assert_eq!(aged.answer().body, "{}");
    }

    #[test]
    fn nothing_is_kept_without_either_or_of_a_failure() {
        assert!(kept(&[], 200).is_none());
        assert!(kept(&[(CACHE_CONTROL, "max-age=0")], 200).is_none());
        assert!(kept(&[(CACHE_CONTROL, "max-age=soon")], 200).is_none());
        assert!(kept(&[(ETAG, "\"1\""), (CACHE_CONTROL, "max-age=60")], 404).is_none());
    }
}
