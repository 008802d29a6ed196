//! The greeting and the landings: the same in every style, with the sizes that were published.

use axum::{Router, body::Body};
use bookstore_proto::{
    greet::{HelloReply, HelloRequest},
    meteorite_landings::{
        EmptyRequest, FirstRequest, ListsRequest, MeteoriteLanding, MeteoriteLandingList,
        StatusResponse, Version,
    },
};
use http::{Request, StatusCode};
use prost::Message;
use serde_json::{Value, json};

use crate::support::{Answer, app, call, get};

/// Numbers of records, with the bytes of their JSON array and of their protobuf list.
const FIRST_SIZES: [(u32, usize, usize); 5] = [
    (1, 231, 102),
    (10, 2_163, 963),
    (100, 22_057, 9_963),
    (1_000, 220_337, 99_821),
    (10_000, 2_213_801, 1_001_167),
];
const LANDINGS: &str = include_str!("../../../k6/lib/documents/landings.graphql");
const ONE_BY_ONE: &str = include_str!("../../../k6/lib/documents/landings-one-by-one.graphql");
const POST_LANDINGS: &str = include_str!("../../../k6/lib/documents/post-landings.graphql");
const HELLO: &str = include_str!("../../../k6/lib/documents/hello.graphql");
const LIST: &str = "/api/MeteoriteLandings/LargePayload";

/// Calls a gRPC method and gives the messages of its answer, each with its size.
async fn ask<A: Message + Default>(
    router: &Router,
    path: &str,
    message: &impl Message,
) -> Vec<(A, usize)> {
    let content = message.encode_to_vec();
    let mut body = vec![0];
    body.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
    body.extend(content);
    let request = Request::post(path)
        .version(http::Version::HTTP_2)
        .header("content-type", "application/grpc");
    let answer = call(router, request.body(Body::from(body)).unwrap()).await;
    assert_eq!(answer.status, StatusCode::OK);
    let mut rest = &answer.body[..];
    let mut messages = Vec::new();
    while let Some((prefix, after)) = rest.split_first_chunk::<5>() {
        let [_, length @ ..] = *prefix;
        let (content, after) = after.split_at(u32::from_be_bytes(length) as usize);
        messages.push((A::decode(content).unwrap(), content.len()));
        rest = after;
    }
    messages
}

fn landings_method(name: &str) -> String {
    format!("/MeteoriteLandingsService.MeteoriteLandingsService/{name}")
}

/// A record as REST has it, as a message.
fn message(record: &Value) -> MeteoriteLanding {
    let text = |name: &str| record[name].as_str().unwrap().to_owned();
    let number = |name: &str| record[name].as_f64().unwrap_or_default();
    let location = record["geoLocation"].as_object();
    MeteoriteLanding {
        id: u32::try_from(record["id"].as_u64().unwrap()).unwrap(),
        name: text("name"),
        fall: text("fall"),
        geolocation: location.map(
            |location| bookstore_proto::meteorite_landings::GeoLocation {
                r#type: location["type"].as_str().unwrap().to_owned(),
                coordinates: serde_json::from_value(location["coordinates"].clone()).unwrap(),
            },
        ),
        mass: number("mass"),
        nametype: text("nameType"),
        recclass: text("recClass"),
        reclat: number("recLAT"),
        reclong: number("recLONG"),
        year: record["year"].as_str().map(|year| year.parse().unwrap()),
    }
}

fn assert_within_two_percent(bytes: usize, published: f64) {
    let share = bytes as f64 / published - 1.0;
    assert!(share.abs() < 0.02, "{bytes} bytes for {published}");
}

async fn list(app: &bookstore_server::App) -> (MeteoriteLandingList, usize) {
    let path = landings_method("GetLargePayloadAsList");
    ask(&app.h2c, &path, &EmptyRequest {}).await.remove(0)
}

#[tokio::test]
async fn lists_have_the_published_sizes() {
    let app = app(&[]);
    let json = get(&app.http1, LIST).await.body.len();
    let (_, protobuf) = list(&app).await;
    // The sizes of the public records in both forms.
    assert_within_two_percent(json, 220_500.0);
    assert_within_two_percent(protobuf, 99_828.0);
    let ratio = json as f64 / protobuf as f64;
    assert!((2.15..2.3).contains(&ratio), "{ratio}");
    let path = landings_method("GetLargePayload");
    let single = ask::<MeteoriteLanding>(&app.h2c, &path, &EmptyRequest {}).await;
    let sizes: Vec<usize> = single.iter().map(|(_, bytes)| *bytes).collect();
    assert!(
        sizes.iter().all(|bytes| (40..=120).contains(bytes)),
        "{sizes:?}"
    );
    let small = get(&app.http1, "/api/MeteoriteLandings").await;
    assert_eq!(small.text(), "\"API Version 1.0\"");
}

#[tokio::test]
async fn every_style_has_the_same_records() {
    let app = app(&[]);
    let records: Vec<Value> = serde_json::from_slice(&get(&app.http1, LIST).await.body).unwrap();
    let expected: Vec<MeteoriteLanding> = records.iter().map(message).collect();
    assert_eq!(expected.len(), 1_000);
    let (list, _) = list(&app).await;
    assert_eq!(list.meteorite_landings, expected);

    let path = landings_method("GetLargePayload");
    let single = ask(&app.h2c, &path, &EmptyRequest {}).await;
    let single: Vec<MeteoriteLanding> = single.into_iter().map(|(record, _)| record).collect();
    assert_eq!(single, expected);

    let path = landings_method("GetLargePayloadInLists");
    for records_per_list in [1, 300, 1_000, u32::MAX] {
        let request = ListsRequest { records_per_list };
        let lists = ask::<MeteoriteLandingList>(&app.h2c, &path, &request).await;
        assert_eq!(lists.len(), 1_000_usize.div_ceil(records_per_list as usize));
        let joined = lists
            .into_iter()
            .flat_map(|(list, _)| list.meteorite_landings);
        assert_eq!(joined.collect::<Vec<_>>(), expected);
    }

    let lines = get(&app.http1, "/api/MeteoriteLandings/LargePayload/lines").await;
    assert_eq!(lines.header("content-type"), "application/x-ndjson");
    let lines: Vec<Value> = lines
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines, records);
}

/// Asks GraphQL.
async fn graphql(router: &Router, request: &Value, accept: &str) -> Answer {
    let body = Body::from(request.to_string());
    let request = Request::post("/graphql")
        .header("content-type", "application/json")
        .header("accept", accept);
    call(router, request.body(body).unwrap()).await
}

#[tokio::test]
async fn graphql_has_the_same_records_byte_for_byte() {
    let app = app(&[]);
    let list = get(&app.http1, LIST).await;
    let list = list.text();
    let query = json!({ "query": LANDINGS });
    // Twice, as the document is kept after the first time.
    for _ in 0..2 {
        let answer = graphql(&app.http1, &query, "application/json").await;
        assert_eq!(
            answer.text(),
            format!(r#"{{"data":{{"landings":{list}}}}}"#)
        );
    }
    let subscription = json!({ "query": ONE_BY_ONE });
    let events = graphql(&app.http1, &subscription, "text/event-stream").await;
    let lines = get(&app.http1, "/api/MeteoriteLandings/LargePayload/lines").await;
    let expected: String = lines
        .text()
        .lines()
        .map(|line| format!("event: next\ndata: {{\"data\":{{\"landings\":{line}}}}}\n\n"))
        .collect();
    assert_eq!(events.text(), expected + "event: complete\ndata:\n\n");
}

#[tokio::test]
async fn the_list_is_within_graphqls_limits_once() {
    let app = app(&[]);
    let fields = LANDINGS
        .trim_start_matches("{landings")
        .trim_end_matches('}');
    for (document, refused) in [
        (
            format!("{{a:landings{{id}} b:landings{{id}} landings{fields}}}}}"),
            false,
        ),
        (
            format!("{{a:landings{fields}}} b:landings{fields}}}}}"),
            true,
        ),
        (
            format!(
                "subscription{{landings{{{}}}}}",
                "a:id b:id c:id ".repeat(7)
            ),
            true,
        ),
    ] {
        let answer = graphql(
            &app.http1,
            &json!({ "query": document }),
            "application/json",
        )
        .await;
        let is_too_complex = answer.text().contains("TOO_COMPLEX");
        assert_eq!(
            is_too_complex,
            refused,
            "{document}: {:.300}",
            answer.text()
        );
    }
}

#[tokio::test]
async fn records_are_taken_by_graphql_and_what_is_no_record_is_named() {
    let app = app(&[]);
    let list: Value = serde_json::from_slice(&get(&app.http1, LIST).await.body).unwrap();
    let mut wrong = list.clone();
    wrong[7]["geoLocation"] = json!({ "type": "Point", "coordinates": [1.5, "north"] });
    let mut bare = list.clone();
    bare[999].as_object_mut().unwrap().remove("recClass");
    for (landings, named) in [
        (&list, r#"{"data":{"postLandings":"SUCCESS"}}"#),
        (&json!([]), "SUCCESS"),
        (&wrong, "landings[7].geoLocation.coordinates[1]"),
        (&bare, "landings[999].recClass"),
        (&json!(1), "landings"),
    ] {
        let request = json!({ "query": POST_LANDINGS, "variables": { "landings": landings } });
        for _ in 0..2 {
            let answer = graphql(&app.http1, &request, "application/json").await;
            assert!(
                answer.text().contains(named),
                "{named}: {:.300}",
                answer.text()
            );
        }
    }
    // A place has two coordinates, which only the resolver's own type can tell.
    let mut line = list.clone();
    line[0]["geoLocation"] = json!({ "type": "Point", "coordinates": [1.5] });
    let request = json!({ "query": POST_LANDINGS, "variables": { "landings": line } });
    let answer = graphql(&app.http1, &request, "application/json").await;
    assert!(answer.text().contains("errors"), "{:.300}", answer.text());
}

async fn upload(router: &Router, body: Vec<u8>) -> Answer {
    let request = Request::post(LIST).header("content-type", "application/json");
    call(router, request.body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn what_was_fetched_can_be_sent_back_and_what_is_no_record_is_named() {
    let app = app(&[]);
    let body = get(&app.http1, LIST).await.body;
    assert_eq!(upload(&app.http1, body).await.text(), "\"SUCCESS\"");
    let path = landings_method("PostLargePayload");
    let (list, _) = list(&app).await;
    let taken = ask::<StatusResponse>(&app.h2c, &path, &list).await;
    assert_eq!(taken[0].0.status, "SUCCESS");
    let refused = upload(&app.http1, b"[{\"id\": 1}]".to_vec()).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains("name"), "{}", refused.text());
}

#[tokio::test]
async fn a_stream_of_empty_lists_is_refused() {
    let app = app(&[]);
    let path = landings_method("GetLargePayloadInLists");
    let none = ListsRequest::default();
    let answer = ask::<MeteoriteLandingList>(&app.h2c, &path, &none).await;
    assert_eq!(answer, []);
}

#[tokio::test]
async fn greetings_have_the_published_texts_and_sizes() {
    let app = app(&[]);
    let own = get(&app.http1, "/restapi/message/Rest%20API").await;
    assert_eq!(own.text(), "\"Rest API\"");
    let same = get(&app.http1, "/restapi/message/Hello%20gRPC%20Service").await;
    let name = HelloRequest {
        name: "gRPC Service".to_owned(),
    };
    assert_eq!(name.encoded_len(), 14);
    let reply = ask::<HelloReply>(&app.h2c, "/Greet.Greeter/SayHello", &name).await;
    let (reply, bytes) = &reply[0];
    assert_eq!((reply.message.as_str(), *bytes), ("Hello gRPC Service", 20));
    assert_eq!(same.text(), format!("\"{}\"", reply.message));
    let path = landings_method("GetVersion");
    let version = ask::<Version>(&app.h2c, &path, &EmptyRequest {}).await;
    assert_eq!(version[0].0.api_version, "API Version 1.0");
    let name = json!({ "name": "gRPC Service" });
    let hello = json!({ "query": HELLO, "variables": name });
    let hello = graphql(&app.http1, &hello, "application/json").await;
    assert_eq!(hello.text(), r#"{"data":{"hello":"Hello gRPC Service"}}"#);
    let version = graphql(
        &app.http1,
        &json!({ "query": "{version}" }),
        "application/json",
    )
    .await;
    assert_eq!(version.text(), r#"{"data":{"version":"API Version 1.0"}}"#);
}

#[tokio::test]
async fn any_number_of_first_records_is_the_same_in_both_styles() {
    let app = app(&[]);
    let path = landings_method("GetFirstAsList");
    let all = list(&app).await.0.meteorite_landings;
    let mut sizes = FIRST_SIZES;
    for (count, json_bytes, protobuf_bytes) in &mut sizes {
        let count = *count;
        let limited = get(&app.http1, &format!("{LIST}/first?limit={count}")).await;
        let records: Vec<Value> = serde_json::from_slice(&limited.body).unwrap();
        let request = FirstRequest { records: count };
        let (list, bytes) = ask::<MeteoriteLandingList>(&app.h2c, &path, &request)
            .await
            .remove(0);
        let expected: Vec<MeteoriteLanding> = records.iter().map(message).collect();
        assert_eq!(list.meteorite_landings, expected);
        assert_eq!(expected.len(), count as usize);
        let known = expected.len().min(all.len());
        assert_eq!(expected[..known], all[..known]);
        (*json_bytes, *protobuf_bytes) = (limited.body.len(), bytes);
    }
    assert_eq!(sizes, FIRST_SIZES);
    let usual = get(&app.http1, &format!("{LIST}/first")).await;
    assert_eq!(usual.body, get(&app.http1, LIST).await.body);
}

#[tokio::test]
async fn a_number_that_no_list_has_is_refused_by_name() {
    let app = app(&[]);
    for query in ["limit=0", "limit=10001", "limit=-1", "limit=all", "count=5"] {
        let refused = get(&app.http1, &format!("{LIST}/first?{query}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{query}");
        assert!(refused.text().contains(query), "{}", refused.text());
    }
    for records in [0, 10_001, u32::MAX] {
        let content = FirstRequest { records }.encode_to_vec();
        let mut body = vec![0, 0, 0, 0, u8::try_from(content.len()).unwrap()];
        body.extend(content);
        let request = Request::post(landings_method("GetFirstAsList"))
            .version(http::Version::HTTP_2)
            .header("content-type", "application/grpc");
        let answer = call(&app.h2c, request.body(Body::from(body)).unwrap()).await;
        assert_eq!(answer.header("grpc-status"), "3");
        let told = answer.header("grpc-message");
        assert!(told.contains(&records.to_string()), "{told}");
    }
}
