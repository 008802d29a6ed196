//! The greeting and the landings of the published benchmarks in every style.

use std::hash::{DefaultHasher, Hash, Hasher};

use bookstore_proto::{
    greet::{HelloReply, HelloRequest},
    meteorite_landings::{
        EmptyRequest, FirstRequest, GeoLocation, ListsRequest, MeteoriteLanding,
        MeteoriteLandingList, StatusResponse, Version,
    },
};
use http::Method;
use prost::Message;
use serde_json::{Value, json};

use super::{
    Answer,
    events::data,
    peer::{Peer, Transport, VerifyError, unreadable},
};

const HELLO: &str = include_str!("../../../k6/lib/documents/hello.graphql");
const VERSION: &str = include_str!("../../../k6/lib/documents/version.graphql");
const LANDINGS: &str = include_str!("../../../k6/lib/documents/landings.graphql");
const ONE_BY_ONE: &str = include_str!("../../../k6/lib/documents/landings-one-by-one.graphql");
const POST: &str = include_str!("../../../k6/lib/documents/post-landings.graphql");
const LIST: &str = "/api/MeteoriteLandings/LargePayload";
const LINES: &str = "/api/MeteoriteLandings/LargePayload/lines";
const SAY_HELLO: &str = "Greet.Greeter/SayHello";

/// How many records there were, and a hash of all that they said: a thousand of them are no message.
#[derive(Debug, PartialEq)]
pub(super) struct Records {
    count: usize,
    hash: u64,
}

/// The same greeting, which REST has to be asked for.
pub(super) async fn ask_greeting(peer: Peer) -> Result<Vec<Answer<String>>, VerifyError> {
    let path = "/restapi/message/Hello%20gRPC%20Service";
    let name = "gRPC Service";
    let request = HelloRequest {
        name: name.to_owned(),
    };
    let rest = rest_text(peer, Method::GET, path, None).await?;
    let graphql = graphql_text(peer, HELLO, json!({ "name": name }), "hello").await?;
    let message = |reply: HelloReply| reply.message;
    of_every_style(peer, rest, graphql, SAY_HELLO, &request, message).await
}

/// The version of the interface.
pub(super) async fn ask_version(peer: Peer) -> Result<Vec<Answer<String>>, VerifyError> {
    let rest = rest_text(peer, Method::GET, "/api/MeteoriteLandings", None).await?;
    let graphql = graphql_text(peer, VERSION, Value::Null, "version").await?;
    let (method, version) = (method("GetVersion"), |version: Version| version.api_version);
    of_every_style(peer, rest, graphql, &method, &EmptyRequest {}, version).await
}

/// What is said when all records are sent.
pub(super) async fn ask_upload(peer: Peer) -> Result<Vec<Answer<String>>, VerifyError> {
    let (_, records) = peer.json(Method::GET, LIST, None).await?;
    let variables = json!({ "landings": records });
    let meteorite_landings = messages_of(LIST, &records)?;
    let list = MeteoriteLandingList { meteorite_landings };
    let rest = rest_text(peer, Method::POST, LIST, Some(records)).await?;
    let graphql = graphql_text(peer, POST, variables, "postLandings").await?;
    let (method, status) = (method("PostLargePayload"), |taken: StatusResponse| {
        taken.status
    });
    of_every_style(peer, rest, graphql, &method, &list, status).await
}

/// Every record, as a list.
pub(super) async fn ask_list(peer: Peer) -> Result<Vec<Answer<Records>>, VerifyError> {
    let (rest, graphql) = (rest_list(peer).await?, query(peer).await?);
    let method = method("GetLargePayloadAsList");
    let records = |list: MeteoriteLandingList| Records::of(&list.meteorite_landings);
    of_every_style(peer, rest, graphql, &method, &EmptyRequest {}, records).await
}

/// Every record, as streams of each kind, and REST's list as the first to compare them with.
pub(super) async fn ask_streams(peer: Peer) -> Result<Vec<Answer<Records>>, VerifyError> {
    let mut answers = vec![
        Answer {
            style: "REST",
            content: rest_list(peer).await?,
        },
        Answer {
            style: "REST by lines",
            content: lines(peer).await?,
        },
        Answer {
            style: "GraphQL by server-sent events",
            content: subscription(peer).await?,
        },
        Answer {
            style: "gRPC one by one",
            content: messages(peer).await?,
        },
    ];
    for (style, records_per_list) in [
        ("gRPC, 10 in a message", 10),
        ("gRPC, 100 in a message", 100),
        ("gRPC, 1000 in a message", 1_000),
    ] {
        answers.push(Answer {
            style,
            content: lists(peer, records_per_list).await?,
        });
    }
    Ok(answers)
}

/// The first so many records.
pub(super) async fn ask_first(
    peer: Peer,
    records: u32,
) -> Result<Vec<Answer<Records>>, VerifyError> {
    let path = format!("{LIST}/first?limit={records}");
    let (_, list) = peer.json(Method::GET, &path, None).await?;
    let method = method("GetFirstAsList");
    let request = FirstRequest { records };
    let first: MeteoriteLandingList = call(peer, Transport::Grpc, &method, &request).await?;
    Ok(vec![
        Answer {
            style: "REST",
            content: Records::of(&messages_of(&path, &list)?),
        },
        Answer {
            style: "gRPC",
            content: Records::of(&first.meteorite_landings),
        },
    ])
}

/// What REST and GraphQL have answered, and what `content` finds in the answer to a gRPC call over each
/// transport.
async fn of_every_style<T, M: Message + Default>(
    peer: Peer,
    rest: T,
    graphql: T,
    method: &str,
    request: &impl Message,
    content: impl Fn(M) -> T,
) -> Result<Vec<Answer<T>>, VerifyError> {
    let mut answers = vec![
        Answer {
            style: "REST",
            content: rest,
        },
        Answer {
            style: "GraphQL",
            content: graphql,
        },
    ];
    for transport in Transport::ALL {
        answers.push(Answer {
            style: transport.name(),
            content: content(call(peer, transport, method, request).await?),
        });
    }
    Ok(answers)
}

async fn rest_list(peer: Peer) -> Result<Records, VerifyError> {
    let (_, records) = peer.json(Method::GET, LIST, None).await?;
    Ok(Records::of(&messages_of(LIST, &records)?))
}

async fn lines(peer: Peer) -> Result<Records, VerifyError> {
    let reply = peer.exchange(Method::GET, LINES, &[], "").await?;
    let lines = serde_json::Deserializer::from_slice(&reply.body).into_iter::<Value>();
    let records = lines.collect::<Result<Vec<Value>, _>>();
    let records = records.map_err(|error| unreadable(LINES, &error.to_string()))?;
    Ok(Records::of(&messages_of(LINES, &Value::Array(records))?))
}

async fn query(peer: Peer) -> Result<Records, VerifyError> {
    let answer = graphql(peer, LANDINGS, Value::Null).await?;
    Ok(Records::of(&messages_of("GraphQL", &answer["landings"])?))
}

async fn subscription(peer: Peer) -> Result<Records, VerifyError> {
    let headers = [
        ("content-type", "application/json"),
        ("accept", "text/event-stream"),
    ];
    let body = json!({ "query": ONE_BY_ONE }).to_string();
    let reply = peer
        .exchange(Method::POST, "/graphql", &headers, body)
        .await?;
    let records = data("POST /graphql", &reply.body)?
        .into_iter()
        .map(|mut answer| answer["data"]["landings"].take());
    let records = messages_of("POST /graphql", &records.collect())?;
    Ok(Records::of(&records))
}

async fn messages(peer: Peer) -> Result<Records, VerifyError> {
    let method = method("GetLargePayload");
    let request = EmptyRequest {};
    let records = peer.messages(Transport::Grpc, &method, &request).await?;
    Ok(Records::of(&records))
}

async fn lists(peer: Peer, records_per_list: u32) -> Result<Records, VerifyError> {
    let method = method("GetLargePayloadInLists");
    let request = ListsRequest { records_per_list };
    let lists: Vec<MeteoriteLandingList> =
        peer.messages(Transport::Grpc, &method, &request).await?;
    let records = lists.into_iter().flat_map(|list| list.meteorite_landings);
    Ok(Records::of(&records.collect::<Vec<_>>()))
}

fn method(name: &str) -> String {
    format!("MeteoriteLandingsService.MeteoriteLandingsService/{name}")
}

async fn rest_text(
    peer: Peer,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> Result<String, VerifyError> {
    let (_, answer) = peer.json(method, path, body).await?;
    text(path, &answer)
}

async fn graphql_text(
    peer: Peer,
    document: &str,
    variables: Value,
    field: &str,
) -> Result<String, VerifyError> {
    text(document, &graphql(peer, document, variables).await?[field])
}

async fn graphql(peer: Peer, document: &str, variables: Value) -> Result<Value, VerifyError> {
    let request = json!({ "query": document, "variables": variables });
    let (_, mut answer) = peer.json(Method::POST, "/graphql", Some(request)).await?;
    Ok(answer["data"].take())
}

async fn call<M: Message + Default>(
    peer: Peer,
    transport: Transport,
    method: &str,
    request: &impl Message,
) -> Result<M, VerifyError> {
    let called = peer.call::<M>(transport, method, request).await?;
    let status = called.status;
    called
        .message
        .ok_or_else(|| unreadable(method, &format!("status {status}")))
}

fn text(what: &str, answer: &Value) -> Result<String, VerifyError> {
    let text = answer.as_str().map(str::to_owned);
    text.ok_or_else(|| unreadable(what, &answer.to_string()))
}

/// Records in JSON as messages, which have 0 for a number that is not known.
fn messages_of(what: &str, records: &Value) -> Result<Vec<MeteoriteLanding>, VerifyError> {
    let all = records
        .as_array()
        .ok_or_else(|| unreadable(what, &records.to_string()))?;
    all.iter()
        .map(|record| message_of(record).ok_or_else(|| unreadable(what, &record.to_string())))
        .collect()
}

fn message_of(record: &Value) -> Option<MeteoriteLanding> {
    let text = |name: &str| record[name].as_str().map(str::to_owned);
    let number = |name: &str| match &record[name] {
        Value::Null => Some(0.0),
        number => number.as_f64(),
    };
    let year = match &record["year"] {
        Value::Null => None,
        year => Some(year.as_str()?.parse().ok()?),
    };
    Some(MeteoriteLanding {
        id: u32::try_from(record["id"].as_u64()?).ok()?,
        name: text("name")?,
        fall: text("fall")?,
        geolocation: match &record["geoLocation"] {
            Value::Null => None,
            location => Some(GeoLocation {
                r#type: location["type"].as_str()?.to_owned(),
                coordinates: serde_json::from_value(location["coordinates"].clone()).ok()?,
            }),
        },
        mass: number("mass")?,
        nametype: text("nameType")?,
        recclass: text("recClass")?,
        reclat: number("recLAT")?,
        reclong: number("recLONG")?,
        year,
    })
}

impl Records {
    fn of(records: &[MeteoriteLanding]) -> Self {
        let mut hasher = DefaultHasher::new();
        for record in records {
            record.encode_to_vec().hash(&mut hasher);
        }
        Self {
            count: records.len(),
            hash: hasher.finish(),
        }
    }
}
