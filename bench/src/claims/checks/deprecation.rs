//! What an old client meets when a field is deprecated, and where each style warns. The contracts are the
//! check's own, because the Bookstore deprecates nothing: a book whose `name` has become its `title` and
//! is still there. What is judged is what the libraries of this stack make of them.

use std::net::{Ipv4Addr, SocketAddr};

use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema};
use bookstore_proto::{EVOLUTION_CODE, EVOLUTION_DESCRIPTOR_SET, evolution};
use bytes::Bytes;
use http::{Method, Request, Response};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use prost::Message as _;
use prost_types::{FieldOptions, FileDescriptorSet};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use utoipa::{OpenApi as _, ToSchema};

use super::Seen;
use crate::verify::{Peer, VerifyError};

const TITLE: &str = "Practical API Measurement";
const BOOK: &str = "/books/1";
const DOCUMENT: &str = "/openapi.json";
/// A time in the past as RFC 9745 writes it, in seconds since 1970.
const DEPRECATED_AT: &str = "@1767225600";
/// Where the notice is explained (RFC 9745, 3).
const LINK: &str = "</openapi.json>; rel=\"deprecation\"";

/// Where a style tells that a field is on its way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four places, each by itself")]
struct Warned {
    /// An old client that uses the field gets it.
    answered: bool,
    /// Beside the answer, where a client that looks for it sees it at run time.
    in_the_answer: bool,
    /// In the contract as tools read it.
    in_the_contract: bool,
    /// In the code that is generated from the contract, so that the compiler warns.
    in_generated_code: bool,
}

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let kept = "/api/books/1";
    let kept = peer.exchange(Method::GET, kept, &[], Bytes::new()).await?;
    let cries_wolf = kept.headers.contains_key("deprecation");
    Ok(judged(rest().await?, grpc(), graphql().await, cries_wolf))
}

fn judged(rest: Warned, grpc: Warned, graphql: Warned, cries_wolf: bool) -> Seen {
    let every = [rest, grpc, graphql];
    let tells = |warned: &Warned| warned.answered && warned.in_the_contract;
    Seen {
        passed: every.iter().all(tells)
            && rest.in_the_answer
            && !grpc.in_the_answer
            && grpc.in_generated_code
            && !graphql.in_the_answer
            && !cries_wolf,
        seen: format!(
            "an old client that uses a deprecated field {} in REST, {} in gRPC and {} in GraphQL. REST's \
             answer {} with a Deprecation header (RFC 9745), where no field is deprecated {}, and its \
             OpenAPI document {}; gRPC's answer {}, its descriptor {}, and so does the compiler in \
             generated code: {}; GraphQL's answer {}, its introspection {}",
            answered(rest),
            answered(grpc),
            answered(graphql),
            warns(rest.in_the_answer),
            if cries_wolf { "as well" } else { "it does not" },
            warns(rest.in_the_contract),
            warns(grpc.in_the_answer),
            warns(grpc.in_the_contract),
            if grpc.in_generated_code { "yes" } else { "no" },
            warns(graphql.in_the_answer),
            warns(graphql.in_the_contract),
        ),
    }
}

fn answered(warned: Warned) -> &'static str {
    if warned.answered {
        "still gets it"
    } else {
        "gets it no more"
    }
}

fn warns(does: bool) -> &'static str {
    if does { "warns" } else { "does not warn" }
}

/// REST's book, as its `OpenAPI` document describes it.
#[derive(Serialize, ToSchema)]
struct Book {
    title: &'static str,
    #[schema(deprecated)]
    name: &'static str,
}

/// REST's book as an old client knows it.
#[derive(Deserialize)]
struct OldBook {
    name: String,
}

#[derive(utoipa::OpenApi)]
#[openapi(components(schemas(Book)))]
struct Document;

async fn rest() -> Result<Warned, VerifyError> {
    let (address, serving) = serve().await.map_err(VerifyError::Runtime)?;
    let peer = Peer {
        http1: address,
        h2c: address,
    };
    let asked = async {
        let book = peer.exchange(Method::GET, BOOK, &[], Bytes::new()).await?;
        let (_, document) = peer.json(Method::GET, DOCUMENT, None).await?;
        Ok((book, document))
    };
    let outcome = asked.await;
    serving.abort();
    let (book, document) = outcome?;
    let old: Option<OldBook> = serde_json::from_slice(&book.body).ok();
    let properties = &document["components"]["schemas"]["Book"]["properties"];
    Ok(Warned {
        answered: old.is_some_and(|old| old.name == TITLE),
        in_the_answer: book.headers.get("deprecation").is_some_and(is_a_date),
        in_the_contract: properties["name"]["deprecated"] == true
            && properties["title"]["deprecated"].is_null(),
        // The document is what code is generated from, by tools that are not on this stack.
        in_generated_code: false,
    })
}

/// Whether this is a date as RFC 9745 wants it: `@` and seconds.
fn is_a_date(value: &http::HeaderValue) -> bool {
    let text = value.to_str().ok().and_then(|text| text.strip_prefix('@'));
    text.is_some_and(|seconds| seconds.parse::<i64>().is_ok())
}

async fn serve() -> std::io::Result<(SocketAddr, tokio::task::JoinHandle<()>)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let serving = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let connection =
                http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(answer));
            // Who goes away early shows it at the other end.
            let _ = connection.await;
        }
    });
    Ok((address, serving))
}

async fn answer(asked: Request<Incoming>) -> Result<Response<Full<Bytes>>, http::Error> {
    let reply = Response::builder().header("content-type", "application/json");
    let (reply, body) = if asked.uri().path() == BOOK {
        let book = json!(Book {
            title: TITLE,
            name: TITLE,
        });
        let reply = reply.header("deprecation", DEPRECATED_AT);
        (reply.header("link", LINK), book)
    } else {
        (reply, json!(Document::openapi()))
    };
    reply.body(Full::from(body.to_string()))
}

/// gRPC's book as a client knows it that was built before the notice.
#[derive(Clone, PartialEq, prost::Message)]
struct OldMessage {
    #[prost(string, tag = "1")]
    title: String,
    #[prost(string, tag = "2")]
    name: String,
}

/// A notice that the compiler does not repeat would leave this expectation unmet.
#[expect(deprecated, reason = "the deprecated field is what is tried")]
fn message() -> evolution::Book {
    evolution::Book {
        title: TITLE.to_owned(),
        name: TITLE.to_owned(),
    }
}

fn grpc() -> Warned {
    let sent = message().encode_to_vec();
    let old = OldMessage {
        title: TITLE.to_owned(),
        name: TITLE.to_owned(),
    };
    let read = OldMessage::decode(&*sent);
    let files = FileDescriptorSet::decode(EVOLUTION_DESCRIPTOR_SET).unwrap_or_default();
    let mut fields = files
        .file
        .iter()
        .flat_map(|file| &file.message_type)
        .flat_map(|message| &message.field);
    let before_field = EVOLUTION_CODE.split("pub name:").next();
    Warned {
        answered: read.is_ok_and(|read| read.name == TITLE),
        in_the_answer: sent != old.encode_to_vec(),
        in_the_contract: fields.any(|field| {
            let options = field.options.as_ref();
            field.name() == "name" && options.is_some_and(FieldOptions::deprecated)
        }),
        in_generated_code: before_field.is_some_and(|code| code.contains("#[deprecated]")),
    }
}

/// GraphQL's book.
struct Query;

#[Object]
impl Query {
    #[graphql(deprecation = "use title")]
    async fn name(&self) -> &'static str {
        TITLE
    }

    async fn title(&self) -> &'static str {
        TITLE
    }
}

async fn graphql() -> Warned {
    let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
    let answer = serde_json::to_value(schema.execute("{ name }").await).unwrap_or_default();
    let document = "{ __type(name: \"Query\") { fields(includeDeprecated: true) \
                    { name isDeprecated deprecationReason } } }";
    let told = schema.execute(document).await.data.into_json();
    let told: Value = told.unwrap_or_default();
    let fields = told["__type"]["fields"].as_array().cloned();
    let warned: Vec<Value> = fields
        .unwrap_or_default()
        .into_iter()
        .filter(|field| field["isDeprecated"] == true)
        .collect();
    let expected =
        json!({ "name": "name", "isDeprecated": true, "deprecationReason": "use title" });
    let plain = json!({ "data": { "name": TITLE } });
    Warned {
        answered: answer["data"]["name"] == TITLE,
        in_the_answer: answer != plain,
        in_the_contract: warned == [expected],
        in_generated_code: false,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[tokio::test]
    async fn every_style_answers_a_deprecated_field_and_warns_in_its_own_place() {
        let (rest, grpc, graphql) = (rest().await.unwrap(), grpc(), graphql().await);
        let (told, silent) = (true, false);
        let places = |warned: Warned| {
            let Warned {
                in_the_answer,
                in_the_contract,
                in_generated_code,
                answered,
            } = warned;
            (answered, in_the_answer, in_the_contract, in_generated_code)
        };
        assert_eq!(places(rest), (true, told, told, silent));
        assert_eq!(places(grpc), (true, silent, told, told));
        assert_eq!(places(graphql), (true, silent, told, silent));
        assert!(judged(rest, grpc, graphql, false).passed);
    }

    #[tokio::test]
    async fn a_notice_that_is_missing_or_everywhere_fails_the_check() {
        let (rest, grpc, graphql) = (rest().await.unwrap(), grpc(), graphql().await);
        assert!(!judged(rest, grpc, graphql, true).passed);
        let without_header = Warned {
            in_the_answer: false,
            ..rest
        };
        assert!(!judged(without_header, grpc, graphql, false).passed);
        let without_code = Warned {
            in_generated_code: false,
            ..grpc
        };
        assert!(!judged(rest, without_code, graphql, false).passed);
        let without_answer = Warned {
            answered: false,
            ..graphql
        };
        let seen = judged(rest, grpc, without_answer, false);
        assert!(
            !seen.passed && seen.seen.contains("gets it no more in GraphQL"),
            "{}",
            seen.seen
        );
    }

    #[test]
    fn a_deprecation_header_is_a_date() {
        for (value, expected) in [(DEPRECATED_AT, true), ("true", false), ("@soon", false)] {
            let value = http::HeaderValue::from_static(value);
            assert_eq!(is_a_date(&value), expected, "{value:?}");
        }
    }
}
