//! The parameters of a GraphQL request, from a JSON body or from a query string.

use std::borrow::Cow;

use async_graphql::Variables;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::{refusal::Refusal, values};

/// One GraphQL request. Unknown members are refused: a misspelt `variables` would otherwise be
/// lost without a word.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Envelope<'a> {
    /// The document; none when the request names one instead.
    #[serde(borrow, default, deserialize_with = "text")]
    pub query: Option<Cow<'a, str>>,
    /// Which operation of the document.
    #[serde(default)]
    pub operation_name: Option<String>,
    /// Values of its variables.
    #[serde(default, deserialize_with = "values::variables")]
    pub variables: Variables,
    /// The id of a listed document.
    #[serde(default)]
    pub document_id: Option<String>,
    /// Of these only `persistedQuery` is known.
    #[serde(default)]
    pub extensions: Option<Map<String, Value>>,
}

/// The query string's parameters; the maps are JSON texts.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Parameters {
    query: Option<String>,
    operation_name: Option<String>,
    document_id: Option<String>,
    variables: Option<String>,
    extensions: Option<String>,
}

impl<'a> Envelope<'a> {
    /// Reads a JSON body.
    pub fn from_body(body: &'a [u8]) -> Result<Self, Refusal> {
        if body.trim_ascii_start().first() == Some(&b'[') {
            return Err(Refusal::Batch);
        }
        if body.trim_ascii_start().is_empty() {
            return Err(Refusal::Envelope {
                reason: "the request body is empty".to_owned(),
            });
        }
        // Checking the whole body once is cheaper than each of its strings.
        let text = std::str::from_utf8(body).map_err(|error| Refusal::Envelope {
            reason: format!("the request body is not UTF-8 ({error})"),
        })?;
        serde_json::from_str(text).map_err(|error| Refusal::Envelope {
            reason: format!("the request body is no GraphQL request ({error})"),
        })
    }
}

impl Envelope<'static> {
    /// Reads a query string.
    pub fn from_query_string(uri: &http::Uri) -> Result<Self, Refusal> {
        let axum::extract::Query(parameters) =
            axum::extract::Query::<Parameters>::try_from_uri(uri).map_err(|error| {
                Refusal::Envelope {
                    reason: format!("the query string is no GraphQL request ({error})"),
                }
            })?;
        Ok(Self {
            query: parameters.query.map(Cow::Owned),
            operation_name: parameters.operation_name,
            variables: json_parameter("variables", parameters.variables.as_deref())?
                .unwrap_or_default(),
            document_id: parameters.document_id,
            extensions: json_parameter("extensions", parameters.extensions.as_deref())?,
        })
    }
}

/// Reads a text that has to be there if its member is, without a copy unless it has escapes.
fn text<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Cow<'a, str>>, D::Error> {
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    Text::deserialize(deserializer).map(|Text(text)| Some(text))
}

/// An empty parameter is an absent one.
fn json_parameter<'a, T: Deserialize<'a>>(
    name: &str,
    text: Option<&'a str>,
) -> Result<Option<T>, Refusal> {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    serde_json::from_str(text)
        .map(Some)
        .map_err(|error| Refusal::Envelope {
            reason: format!("the query string's {name:?} is no JSON object ({error})"),
        })
}
