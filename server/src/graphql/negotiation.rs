//! Which media type the answer has, and whether the body's is one we read.

use http::{HeaderMap, HeaderValue, header};

use super::refusal::Refusal;
use crate::event_stream::EVENT_STREAM;

/// A media type that answers can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaType {
    /// `application/json`: status 200 for every well-formed GraphQL request.
    Json,
    /// `application/graphql-response+json`: the status tells request errors apart.
    GraphqlResponse,
}

impl MediaType {
    /// The answer's content-type.
    pub fn content_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Json => "application/json; charset=utf-8",
            Self::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
        })
    }
}

/// What the client would rather have; `application/json` when it does not say.
pub fn answer_type(headers: &HeaderMap) -> Result<MediaType, Refusal> {
    let Some(accept) = accept(headers) else {
        return Ok(MediaType::Json);
    };
    if accept == "*/*" || accept == "application/json" {
        return Ok(MediaType::Json);
    }
    let json = quality(&accept, "application", "json");
    let graphql = quality(&accept, "application", "graphql-response+json");
    match (json > 0.0, graphql > 0.0) {
        (false, false) => Err(Refusal::NotAcceptable { accept }),
        (false, true) => Ok(MediaType::GraphqlResponse),
        (true, false) => Ok(MediaType::Json),
        (true, true) if graphql > json => Ok(MediaType::GraphqlResponse),
        (true, true) if graphql < json => Ok(MediaType::Json),
        (true, true) => Ok(first_named(&accept)),
    }
}

/// Whether a browser asks: `text/html` is named, and no GraphQL media type is preferred to it.
pub fn wants_page(headers: &HeaderMap) -> bool {
    accept(headers).is_some_and(|accept| {
        let named = accept.split(',').any(|range| {
            range
                .split(';')
                .next()
                .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/html"))
        });
        let html = quality(&accept, "text", "html");
        named
            && html > 0.0
            && html >= quality(&accept, "application", "json")
            && html >= quality(&accept, "application", "graphql-response+json")
    })
}

/// Whether the answers are wanted as server-sent events: they are named, and nothing is preferred to them.
pub fn wants_events(headers: &HeaderMap) -> bool {
    accept(headers).is_some_and(|accept| {
        let events = quality(&accept, "text", "event-stream");
        accept.contains(EVENT_STREAM)
            && events > 0.0
            && events >= quality(&accept, "application", "json")
            && events >= quality(&accept, "application", "graphql-response+json")
    })
}

/// Whether the body is `application/json` in UTF-8.
pub fn check_content_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let sent = headers.get(header::CONTENT_TYPE);
    if sent.is_some_and(|value| value == "application/json" || is_utf8_json(value)) {
        return Ok(());
    }
    Err(Refusal::ContentType {
        sent: sent.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()),
    })
}

fn is_utf8_json(value: &HeaderValue) -> bool {
    let Ok(text) = value.to_str() else {
        return false;
    };
    let mut parts = text.split(';').map(str::trim);
    let is_json = parts
        .next()
        .is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"));
    is_json
        && parts
            .filter_map(|parameter| parameter.split_once('='))
            .filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
            .all(|(_, charset)| {
                let charset = charset.trim().trim_matches('"');
                charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8")
            })
}

/// All accept headers as one list.
fn accept(headers: &HeaderMap) -> Option<String> {
    let mut values = headers
        .get_all(header::ACCEPT)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()));
    let first = values.next()?.into_owned();
    Some(values.fold(first, |list, value| list + "," + &value))
}

/// The quality of `kind/subtype` by its most specific range, 0 when none fits.
fn quality(accept: &str, kind: &str, subtype: &str) -> f32 {
    let mut best = (0, 0.0);
    for range in accept.split(',') {
        let mut parts = range.split(';').map(str::trim);
        let Some((range_kind, range_subtype)) = parts.next().and_then(|name| name.split_once('/'))
        else {
            continue;
        };
        let specificity = match (range_kind, range_subtype) {
            ("*", "*") => 1,
            (of, "*") if of.eq_ignore_ascii_case(kind) => 2,
            (of, name) if of.eq_ignore_ascii_case(kind) && name.eq_ignore_ascii_case(subtype) => 3,
            _ => continue,
        };
        if specificity > best.0 {
            best = (specificity, quality_parameter(parts));
        }
    }
    best.1
}

fn quality_parameter<'a>(mut parameters: impl Iterator<Item = &'a str>) -> f32 {
    parameters
        .find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim()
                .eq_ignore_ascii_case("q")
                .then(|| value.trim().parse::<f32>().unwrap_or(0.0).clamp(0.0, 1.0))
        })
        .unwrap_or(1.0)
}

/// Between equals the one named first; `application/json` when a wildcard stands for both.
fn first_named(accept: &str) -> MediaType {
    let named = accept.split(',').find_map(|range| {
        match range
            .split(';')
            .next()?
            .trim()
            .to_ascii_lowercase()
            .as_str()
        {
            "application/json" => Some(MediaType::Json),
            "application/graphql-response+json" => Some(MediaType::GraphqlResponse),
            _ => None,
        }
    });
    named.unwrap_or(MediaType::Json)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn with_accept(accept: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, accept.parse().unwrap());
        headers
    }

    #[test]
    fn quality_and_order_decide() {
        let cases = [
            ("*/*", MediaType::Json),
            ("application/*", MediaType::Json),
            (
                "application/graphql-response+json",
                MediaType::GraphqlResponse,
            ),
            (
                "application/json, application/graphql-response+json",
                MediaType::Json,
            ),
            (
                "application/graphql-response+json, application/json;q=0.9",
                MediaType::GraphqlResponse,
            ),
            (
                "application/json;q=0.5, application/graphql-response+json;q=0.4",
                MediaType::Json,
            ),
            (
                "application/graphql-response+json;q=0, */*;q=0.1",
                MediaType::Json,
            ),
            (
                "Application/GraphQL-Response+JSON",
                MediaType::GraphqlResponse,
            ),
        ];
        for (accept, expected) in cases {
            assert_eq!(
                answer_type(&with_accept(accept)).unwrap(),
                expected,
                "{accept}"
            );
        }
    }

    #[test]
    fn neither_type_is_refused_with_the_header() {
        for accept in ["image/png", "application/json;q=0", "nonsense"] {
            let refusal = answer_type(&with_accept(accept)).unwrap_err();
            assert!(refusal.to_string().contains(accept), "{refusal}");
        }
    }

    #[test]
    fn only_a_browser_gets_the_page() {
        assert!(wants_page(&with_accept(
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        )));
        for accept in [
            "*/*",
            "application/json",
            "application/json, text/html;q=0.5",
        ] {
            assert!(!wants_page(&with_accept(accept)), "{accept}");
        }
    }

    #[test]
    fn other_charsets_are_not_json_we_read() {
        let with_type = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, value.parse().unwrap());
            check_content_type(&headers).is_ok()
        };
        assert!(with_type("application/json; charset=UTF-8"));
        assert!(with_type("application/json;charset=\"utf-8\""));
        assert!(!with_type("application/json; charset=latin1"));
        assert!(!with_type("application/graphql"));
        assert!(!with_type("text/plain"));
    }
}
