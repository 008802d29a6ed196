//! Every reason not to execute a request, worded in one place.

use async_graphql::{
    ErrorExtensionValues, ServerError, Value,
    parser::{self},
};
use http::StatusCode;
use thiserror::Error;

use super::web_socket::PROTOCOL;
use crate::expenses::TokenError;

/// Why a request was not executed. Refusals about HTTP have one status for every media type; those
/// about the GraphQL document follow the media type of the answer.
#[derive(Debug, Error)]
pub enum Refusal {
    /// Neither GET nor POST.
    #[error("{method} is not supported here; use POST, or GET for a query")]
    Method {
        /// The method asked for.
        method: String,
    },
    /// A mutation sent by GET.
    #[error("a mutation cannot be sent by GET; use POST")]
    MutationOverGet,
    /// Nobody has proved who asks.
    #[error(transparent)]
    Unauthenticated(TokenError),
    /// The body is not JSON by its header.
    #[error("{}; use content-type: application/json", sent_content_type(sent.as_deref()))]
    ContentType {
        /// The header's value.
        sent: Option<String>,
    },
    /// The client accepts neither media type.
    #[error(
        "the accept header {accept:?} allows neither application/graphql-response+json nor \
         application/json; name one of them, or send no accept header"
    )]
    NotAcceptable {
        /// The header's value.
        accept: String,
    },
    /// A subscription where one answer is due.
    #[error(
        "a subscription has many answers; send accept: text/event-stream, or ask for a WebSocket with the \
         subprotocol {PROTOCOL}"
    )]
    SubscriptionNeedsStream,
    /// A WebSocket of another subprotocol.
    #[error("the WebSocket names no subprotocol that is spoken here; ask for {PROTOCOL}")]
    Subprotocol,
    /// The body is over the limit.
    #[error("the request body is over the limit of {limit} bytes; send less at once")]
    BodyTooLarge {
        /// Bytes accepted.
        limit: usize,
    },
    /// The body could not be read to its end.
    #[error("the request body could not be read: {reason}; send it again")]
    BodyUnreadable {
        /// What the connection said.
        reason: String,
    },
    /// Several requests in one body.
    #[error("batches are not supported; send one request object per HTTP request, not an array")]
    Batch,
    /// The body or the query string is no GraphQL request.
    #[error(
        "{reason}; send {{\"query\": \"…\"}} with \"variables\", \"operationName\" and \
         \"extensions\" as needed, and no other member"
    )]
    Envelope {
        /// What is wrong, and where.
        reason: String,
    },
    /// A hash of a document that is not kept; the words are those that clients wait for.
    #[error("PersistedQueryNotFound")]
    PersistedQueryNotFound,
    /// A document was named, but this server wants it sent; the words are those that clients wait for.
    #[error("PersistedQueryNotSupported")]
    PersistedQueryNotSupported,
    /// No listed document has this id.
    #[error("no document has the id {id:?}; the ids are {}", listed_ids())]
    UnknownDocument {
        /// The id asked for.
        id: String,
    },
    /// A document outside the allow-list.
    #[error(
        "this server executes only the documents of its list; their ids are {}",
        listed_ids()
    )]
    DocumentNotListed,
    /// The document is not GraphQL.
    #[error("the document could not be parsed: {0}; correct it at the place given")]
    Syntax(#[from] parser::Error),
    /// The document is longer than the server reads.
    #[error(
        "the document has {bytes} bytes; at most {limit} are accepted, so send bulk data as variables"
    )]
    TooLong {
        /// Bytes of the document.
        bytes: usize,
        /// Bytes accepted.
        limit: usize,
    },
    /// The document nests too deeply.
    #[error("the query nests more than {limit} levels deep; ask for fewer levels")]
    TooDeep {
        /// Levels accepted.
        limit: usize,
    },
    /// Introspection lists inside introspection lists.
    #[error(
        "the query nests the introspection field {field:?} inside another introspection list; \
         read each type once instead"
    )]
    IntrospectionTooDeep {
        /// The inner list.
        field: String,
    },
    /// The document asks for too much.
    #[error(
        "the query asks for {cost} fields; at most {limit} are accepted, so ask for less at once"
    )]
    TooComplex {
        /// Fields that would be resolved.
        cost: usize,
        /// Fields accepted.
        limit: usize,
    },
    /// One field with a flood of arguments or directives.
    #[error("{place} has {count} arguments or directives; at most {limit} are accepted")]
    TooManyArguments {
        /// The field or operation.
        place: String,
        /// How many it has.
        count: usize,
        /// How many are accepted.
        limit: usize,
    },
    /// A fragment that contains itself.
    #[error("the fragment {name:?} contains itself; break the circle")]
    FragmentCycle {
        /// One fragment of the circle.
        name: String,
    },
    /// Introspection is switched off.
    #[error("introspection is switched off on this server; the schema is at /schema.graphql")]
    IntrospectionOff,
    /// No operation of that name.
    #[error(
        "the document has no operation named {name:?}; it has {}",
        names(known)
    )]
    UnknownOperation {
        /// The name asked for.
        name: String,
        /// Names in the document.
        known: Vec<String>,
    },
    /// Several operations and no name.
    #[error(
        "the document has several operations ({}); say which with operationName",
        names(known)
    )]
    OperationNameMissing {
        /// Names in the document.
        known: Vec<String>,
    },
    /// A variable's value does not fit its declared type.
    #[error("variable \"${place}\" {problem}")]
    Variable {
        /// Variable and path inside its value.
        place: String,
        /// What is wrong, and what would be accepted.
        problem: String,
    },
}

impl Refusal {
    /// The status, for refusals that are about HTTP rather than about the GraphQL request.
    pub fn http_status(&self) -> Option<StatusCode> {
        match self {
            Self::Method { .. } | Self::MutationOverGet => Some(StatusCode::METHOD_NOT_ALLOWED),
            Self::Unauthenticated(_) => Some(StatusCode::UNAUTHORIZED),
            Self::ContentType { .. } => Some(StatusCode::UNSUPPORTED_MEDIA_TYPE),
            Self::NotAcceptable { .. } => Some(StatusCode::NOT_ACCEPTABLE),
            Self::BodyTooLarge { .. } => Some(StatusCode::PAYLOAD_TOO_LARGE),
            Self::BodyUnreadable { .. }
            | Self::Batch
            | Self::Envelope { .. }
            | Self::Subprotocol => Some(StatusCode::BAD_REQUEST),
            _ => None,
        }
    }

    /// The error's `extensions.code`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Method { .. } | Self::MutationOverGet => "METHOD_NOT_ALLOWED",
            Self::Unauthenticated(_) => "UNAUTHENTICATED",
            Self::ContentType { .. } => "UNSUPPORTED_MEDIA_TYPE",
            Self::NotAcceptable { .. } => "NOT_ACCEPTABLE",
            Self::BodyTooLarge { .. } => "BODY_TOO_LARGE",
            Self::BodyUnreadable { .. } | Self::Envelope { .. } | Self::Subprotocol => {
                "BAD_REQUEST"
            }
            Self::SubscriptionNeedsStream => "SUBSCRIPTION_NEEDS_STREAM",
            Self::PersistedQueryNotFound => "PERSISTED_QUERY_NOT_FOUND",
            Self::PersistedQueryNotSupported => "PERSISTED_QUERY_NOT_SUPPORTED",
            Self::UnknownDocument { .. } | Self::DocumentNotListed => "DOCUMENT_NOT_LISTED",
            Self::Batch => "BATCH_NOT_SUPPORTED",
            Self::Syntax(parser::Error::RecursionLimitExceeded)
            | Self::TooDeep { .. }
            | Self::IntrospectionTooDeep { .. } => "QUERY_TOO_DEEP",
            Self::Syntax(_) => "GRAPHQL_PARSE_FAILED",
            Self::TooLong { .. } => "QUERY_TOO_LONG",
            Self::TooComplex { .. } | Self::TooManyArguments { .. } => "QUERY_TOO_COMPLEX",
            Self::FragmentCycle { .. } => "GRAPHQL_VALIDATION_FAILED",
            Self::IntrospectionOff => "INTROSPECTION_DISABLED",
            Self::UnknownOperation { .. } | Self::OperationNameMissing { .. } => {
                "OPERATION_RESOLUTION_FAILURE"
            }
            Self::Variable { .. } => "BAD_USER_INPUT",
        }
    }
}

impl From<&Refusal> for ServerError {
    fn from(refusal: &Refusal) -> Self {
        let mut error = Self::new(refusal.to_string(), None);
        if let Refusal::Syntax(syntax) = refusal {
            error.locations = syntax.positions().collect();
        }
        set_code(&mut error, refusal.code());
        error
    }
}

/// Gives `error` this code, unless it has one.
pub fn set_code(error: &mut ServerError, code: &str) {
    let extensions = error
        .extensions
        .get_or_insert_with(ErrorExtensionValues::default);
    if extensions.get("code").is_none() {
        extensions.set("code", Value::from(code));
    }
}

fn sent_content_type(sent: Option<&str>) -> String {
    match sent {
        None => "the request has no content-type".to_owned(),
        Some(sent) => format!("content-type {sent:?} is not supported"),
    }
}

fn listed_ids() -> String {
    super::persisted::LISTED.map(|(id, _)| id).join(", ")
}

fn names(known: &[String]) -> String {
    if known.is_empty() {
        "one without a name".to_owned()
    } else {
        known.join(", ")
    }
}
