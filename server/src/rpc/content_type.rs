//! Which protocol a content type stands for.

use http::{
    HeaderMap, HeaderValue,
    header::{ACCEPT, CONTENT_TYPE},
};

/// What every content type of the family starts with.
const FAMILY: &str = "application/grpc";

/// The protocol of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// gRPC itself.
    Grpc,
    /// gRPC-Web in binary.
    Web,
    /// gRPC-Web in base64.
    WebText,
}

impl Protocol {
    /// The content type without parameters that stands for this protocol, with the encoding.
    #[must_use]
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Grpc => "application/grpc",
            Self::Web => "application/grpc-web+proto",
            Self::WebText => "application/grpc-web-text+proto",
        }
    }

    fn named(content_type: &str) -> Option<Self> {
        match content_type {
            "application/grpc" | "application/grpc+proto" => Some(Self::Grpc),
            "application/grpc-web" | "application/grpc-web+proto" => Some(Self::Web),
            "application/grpc-web-text" | "application/grpc-web-text+proto" => Some(Self::WebText),
            _ => None,
        }
    }
}

/// A content type that the services accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// What it stands for.
    pub protocol: Protocol,
    /// Written without parameters and in lower case, the only form that tonic-web knows.
    pub plain: bool,
}

/// The protocol of a request by its `content-type`; letter case and parameters do not matter.
/// `None` when it is missing or not one of the services'.
#[must_use]
pub fn of_request(headers: &HeaderMap) -> Option<Accepted> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    if let Some(protocol) = Protocol::named(value) {
        return Some(Accepted {
            protocol,
            plain: true,
        });
    }
    Protocol::named(&essence(value)).map(|protocol| Accepted {
        protocol,
        plain: false,
    })
}

/// The form of a gRPC-Web answer: what `accept` names first, else what the request has.
#[must_use]
pub fn of_web_answer(request: Protocol, accept: Option<&HeaderValue>) -> Protocol {
    accept
        .and_then(|value| value.to_str().ok())
        .and_then(|value| {
            value
                .split(',')
                .filter_map(|part| Protocol::named(&essence(part)))
                .find(|protocol| *protocol != Protocol::Grpc)
        })
        .unwrap_or(request)
}

/// The content type for the answer to a call that no service takes; `None` when the request is
/// not of the gRPC family at all.
pub(super) fn of_refused_call(headers: &HeaderMap) -> Option<&'static str> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let essence = essence(value);
    let rest = essence.strip_prefix(FAMILY)?;
    let protocol = match Protocol::named(&essence) {
        Some(Protocol::Grpc) => Protocol::Grpc,
        Some(web) => of_web_answer(web, headers.get(ACCEPT)),
        None if rest.starts_with("-web") => Protocol::Web,
        None if rest.starts_with('+') => Protocol::Grpc,
        None => return None,
    };
    Some(protocol.content_type())
}

/// A media type without its parameters, in lower case.
fn essence(value: &str) -> String {
    let end = value.find(';').unwrap_or(value.len());
    value[..end].trim().to_ascii_lowercase()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn headers(content_type: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, content_type.parse().unwrap());
        headers
    }

    #[test]
    fn case_and_parameters_do_not_matter() {
        for (text, protocol, plain) in [
            ("application/grpc", Protocol::Grpc, true),
            ("application/grpc+proto", Protocol::Grpc, true),
            ("Application/gRPC;charset=utf-8", Protocol::Grpc, false),
            ("application/grpc-web", Protocol::Web, true),
            (
                "application/grpc-web+proto; charset=utf-8",
                Protocol::Web,
                false,
            ),
            ("application/grpc-web-text+proto", Protocol::WebText, true),
            ("APPLICATION/GRPC-WEB-TEXT", Protocol::WebText, false),
        ] {
            assert_eq!(
                of_request(&headers(text)),
                Some(Accepted { protocol, plain }),
                "{text}"
            );
        }
    }

    #[test]
    fn other_encodings_and_types_are_not_accepted() {
        for text in [
            "",
            "application/json",
            "application/grpc+json",
            "application/grpc-web+json",
            "application/grpc-websocket",
            "application/grpcx",
            "image/jpeg",
        ] {
            assert_eq!(of_request(&headers(text)), None, "{text}");
        }
        assert_eq!(of_request(&HeaderMap::new()), None);
    }

    #[test]
    fn the_answer_follows_accept_and_else_the_request() {
        let text = HeaderValue::from_static("application/grpc-web-text");
        let any = HeaderValue::from_static("*/*");
        let both = HeaderValue::from_static("application/grpc-web; q=1, application/grpc-web-text");
        for (request, accept, answer) in [
            (Protocol::Web, None, Protocol::Web),
            (Protocol::WebText, None, Protocol::WebText),
            (Protocol::WebText, Some(&any), Protocol::WebText),
            (Protocol::Web, Some(&text), Protocol::WebText),
            (Protocol::WebText, Some(&both), Protocol::Web),
        ] {
            assert_eq!(of_web_answer(request, accept), answer);
        }
    }

    #[test]
    fn a_refused_call_is_answered_in_its_own_protocol_or_left_to_others() {
        for (text, answer) in [
            ("application/grpc+json", Some("application/grpc")),
            ("application/grpc-web", Some("application/grpc-web+proto")),
            (
                "application/grpc-web+json",
                Some("application/grpc-web+proto"),
            ),
            (
                "application/grpc-web-text; x=y",
                Some("application/grpc-web-text+proto"),
            ),
            ("application/grpcx", None),
            ("application/json", None),
        ] {
            assert_eq!(of_refused_call(&headers(text)), answer, "{text}");
        }
    }
}
