//! The meteorite landings of a published benchmark of gRPC against REST, decoded into typed records.

pub(in crate::load) mod query;
pub(in crate::load) mod streamed;

use std::{hint::black_box, rc::Rc, sync::LazyLock};

use bookstore_proto::meteorite_landings::{
    MeteoriteLanding, MeteoriteLandingList, StatusResponse, Version,
};
use bookstore_server::meteorites::{self, Landing, POINT, TAKEN, VERSION, landings};
use bytes::Bytes;
use http::{HeaderValue, Uri};
use prost::Message as _;
use serde::{Deserialize, Serialize};

use super::rest::{JSON, expect_ok, parse};
use crate::load::{
    failure::Fault,
    wire::{HttpAnswer, HttpRequest},
};

/// Path of the method with this name.
pub(in crate::load) fn method(name: &str) -> String {
    format!("/MeteoriteLandingsService.MeteoriteLandingsService/{name}")
}

/// A record as JSON has it.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    id: u32,
    name: String,
    fall: String,
    geo_location: Option<Location>,
    mass: Option<f64>,
    name_type: String,
    rec_class: String,
    #[serde(rename = "recLAT")]
    latitude: Option<f64>,
    #[serde(rename = "recLONG")]
    longitude: Option<f64>,
    year: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Location {
    r#type: String,
    coordinates: [f64; 2],
}

impl From<&Landing> for Record {
    fn from(landing: &Landing) -> Self {
        let place = landing.place;
        Self {
            id: landing.id,
            name: landing.name.clone(),
            fall: landing.fall.to_owned(),
            geo_location: place.map(|place| Location {
                r#type: POINT.to_owned(),
                coordinates: [place.longitude, place.latitude],
            }),
            mass: landing.mass_g,
            name_type: landing.name_type.to_owned(),
            rec_class: landing.class.clone(),
            latitude: place.map(|place| place.latitude),
            longitude: place.map(|place| place.longitude),
            year: landing.year.map(|year| year.to_string()),
        }
    }
}

/// The path of the REST resource.
pub(in crate::load) fn version(host: &HeaderValue) -> HttpRequest {
    HttpRequest::get(host, Uri::from_static("/api/MeteoriteLandings"))
}

/// The version as JSON.
pub(in crate::load) fn check_version(answer: &HttpAnswer) -> Result<(), Fault> {
    check_text(answer, VERSION)
}

/// Asks for every record in one array.
pub(in crate::load) fn all(host: &HeaderValue) -> HttpRequest {
    HttpRequest::get(
        host,
        Uri::from_static("/api/MeteoriteLandings/LargePayload"),
    )
}

/// Every record.
pub(in crate::load) fn check_all(answer: &HttpAnswer) -> Result<(), Fault> {
    expect_ok(answer)?;
    let records: Vec<Record> = parse(answer, "a list of landings")?;
    check_ids(records.iter().map(|record| record.id))
}

/// Asks for every record in a line of its own.
pub(in crate::load) fn lines(host: &HeaderValue) -> HttpRequest {
    HttpRequest::get(
        host,
        Uri::from_static("/api/MeteoriteLandings/LargePayload/lines"),
    )
}

/// Sends every record, encoded anew.
pub(in crate::load) fn upload(host: &HeaderValue) -> HttpRequest {
    let body = serde_json::to_vec(records()).expect("a record has nothing that JSON cannot hold");
    let uri = Uri::from_static("/api/MeteoriteLandings/LargePayload");
    HttpRequest::post(host, uri, JSON, Bytes::from(body))
}

/// Every record as a typed client holds it.
fn records() -> &'static [Record] {
    static RECORDS: LazyLock<Vec<Record>> =
        LazyLock::new(|| landings().iter().map(Record::from).collect());
    &RECORDS
}

/// Every record to JSON and back.
pub(in crate::load) fn json_and_back() -> Result<(), Fault> {
    let encoded = black_box(serde_json::to_vec(black_box(records())));
    let encoded = encoded.map_err(|source| Fault::json("a list of landings", source, &[]))?;
    let decoded: Vec<Record> = serde_json::from_slice(&encoded)
        .map_err(|source| Fault::json("a list of landings", source, &encoded))?;
    check_ids(decoded.iter().map(|record| record.id))
}

/// Every record to protobuf and back.
pub(in crate::load) fn protobuf_and_back(list: &MeteoriteLandingList) -> Result<(), Fault> {
    let encoded = black_box(black_box(list).encode_to_vec());
    check_list(&MeteoriteLandingList::decode(&*encoded)?)
}

/// The word that says so.
pub(in crate::load) fn check_taken(answer: &HttpAnswer) -> Result<(), Fault> {
    check_text(answer, TAKEN)
}

fn check_text(answer: &HttpAnswer, expected: &str) -> Result<(), Fault> {
    expect_ok(answer)?;
    let text: String = parse(answer, "a text")?;
    Fault::unless_equal("the text", text.as_str(), expected)
}

/// Every record as one message.
pub(in crate::load) fn list() -> Rc<MeteoriteLandingList> {
    let meteorite_landings = landings().iter().map(MeteoriteLanding::from).collect();
    Rc::new(MeteoriteLandingList { meteorite_landings })
}

/// The version.
pub(in crate::load) fn check_version_message(answer: &Version) -> Result<(), Fault> {
    Fault::unless_equal("the text", answer.api_version.as_str(), VERSION)
}

/// That the records were taken.
pub(in crate::load) fn check_taken_message(answer: &StatusResponse) -> Result<(), Fault> {
    Fault::unless_equal("the text", answer.status.as_str(), TAKEN)
}

/// Every record in one message.
pub(in crate::load) fn check_list(answer: &MeteoriteLandingList) -> Result<(), Fault> {
    check_ids(answer.meteorite_landings.iter().map(|record| record.id))
}

/// As many records as there are, in their order.
fn check_ids(ids: impl Iterator<Item = u32>) -> Result<(), Fault> {
    check_ids_of(landings(), ids)
}

fn check_ids_of(records: &[Landing], ids: impl Iterator<Item = u32>) -> Result<(), Fault> {
    let mut expected = records.iter().map(|landing| landing.id);
    let mut count = 0;
    for id in ids {
        Fault::unless_equal("a record's id", id, expected.next().unwrap_or_default())?;
        count += 1;
    }
    Fault::unless_equal("the number of records", count, records.len())
}

/// Asks for the first records in one array.
pub(in crate::load) fn first(host: &HeaderValue, records: u32) -> HttpRequest {
    let path = format!("/api/MeteoriteLandings/LargePayload/first?limit={records}");
    HttpRequest::get(
        host,
        Uri::try_from(path).expect("a path with a number is a URI"),
    )
}

/// So many records.
pub(in crate::load) fn check_first(answer: &HttpAnswer, records: u32) -> Result<(), Fault> {
    expect_ok(answer)?;
    let found: Vec<Record> = parse(answer, "a list of landings")?;
    check_ids_of(first_of(records), found.iter().map(|record| record.id))
}

/// So many records as one message.
pub(in crate::load) fn check_first_message(
    answer: &MeteoriteLandingList,
    records: u32,
) -> Result<(), Fault> {
    let found = answer.meteorite_landings.iter();
    check_ids_of(first_of(records), found.map(|record| record.id))
}

/// Nothing for a number that the server refuses.
fn first_of(records: u32) -> &'static [Landing] {
    meteorites::first(records as usize).unwrap_or_default()
}
