//! Landings of meteorites under `/api/MeteoriteLandings`, as a published benchmark of gRPC against REST has
//! them; the paths and keys are that benchmark's.

use std::borrow::Cow;

use axum::{
    body::{Body, Bytes},
    extract::{Query, Request, State, rejection::QueryRejection},
    response::Response,
};
use futures_util::stream;
use http::{HeaderValue, Uri, header::CONTENT_TYPE};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use super::{
    RestError, body, object::ObjectOnly, problem::Problem, refusals::RecordRefusals, reply,
    routes::RestState, scalar,
};
use crate::{
    domain::Timestamp,
    meteorites::{self, COUNTS, Landing, POINT, Place, landings},
};

/// The list of all records has about 220 kB.
const LIST_BYTES: usize = 256 << 10;

/// A landing of a meteorite.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LandingReply<'a> {
    /// Its number; they ascend with gaps.
    id: u32,
    /// Where it was found.
    name: &'a str,
    /// `Fell` or `Found`.
    fall: &'a str,
    /// Where it landed; null where that is not known.
    #[schema(required)]
    geo_location: Option<LocationReply>,
    /// In grams; null where it is not known.
    #[schema(value_type = Option<f64>, required)]
    mass: Option<Number>,
    /// Whether the name is in use.
    name_type: &'a str,
    /// The kind of stone, as a short code.
    rec_class: &'a str,
    /// In degrees; null where the place is not known.
    #[serde(rename = "recLAT")]
    #[schema(value_type = Option<f64>, required)]
    latitude: Option<Number>,
    /// In degrees; null where the place is not known.
    #[serde(rename = "recLONG")]
    #[schema(value_type = Option<f64>, required)]
    longitude: Option<Number>,
    /// The first moment of its year; null where the year is not known.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    year: Option<Moment>,
}

/// A place.
#[derive(Serialize, ToSchema)]
pub(super) struct LocationReply {
    /// Always `Point`.
    r#type: &'static str,
    /// Longitude and latitude in degrees.
    #[schema(value_type = Vec<f64>, min_items = 2, max_items = 2)]
    coordinates: [Number; 2],
}

#[derive(Serialize)]
#[serde(transparent)]
struct Moment(#[serde(serialize_with = "scalar::moment")] Timestamp);

/// A number that has no `.0` when it is whole.
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(number) = *self;
        match meteorites::whole(number) {
            Some(whole) => serializer.serialize_i64(whole),
            None => serializer.serialize_f64(number),
        }
    }
}

impl<'a> From<&'a Landing> for LandingReply<'a> {
    fn from(landing: &'a Landing) -> Self {
        let place = landing.place;
        Self {
            id: landing.id,
            name: &landing.name,
            fall: landing.fall,
            geo_location: place.map(LocationReply::from),
            mass: landing.mass_g.map(Number),
            name_type: landing.name_type,
            rec_class: &landing.class,
            latitude: place.map(|place| Number(place.latitude)),
            longitude: place.map(|place| Number(place.longitude)),
            year: landing.year.map(Moment),
        }
    }
}

impl From<Place> for LocationReply {
    fn from(place: Place) -> Self {
        Self {
            r#type: POINT,
            coordinates: [Number(place.longitude), Number(place.latitude)],
        }
    }
}

/// A landing that is sent; what is not known is null or left out.
#[derive(Deserialize, ToSchema)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    remote = "Self",
    expecting = "a landing, an object"
)]
#[schema(example = json!({
    "id": 1,
    "name": "Karin",
    "fall": "Fell",
    "geoLocation": { "type": "Point", "coordinates": [6.08333, 50.775] },
    "mass": 21,
    "nameType": "Valid",
    "recClass": "L5",
    "recLAT": 50.775,
    "recLONG": 6.08333,
    "year": "1880-01-01T00:00:00Z"
}))]
pub(super) struct LandingRequest<'a> {
    /// Its number.
    #[serde(deserialize_with = "scalar::natural_number")]
    #[schema(value_type = i64, minimum = 0, maximum = 4_294_967_295_i64)]
    id: u32,
    /// Where it was found.
    #[serde(borrow)]
    #[schema(value_type = String)]
    name: Cow<'a, str>,
    /// `Fell` or `Found`.
    #[serde(borrow)]
    #[schema(value_type = String)]
    fall: Cow<'a, str>,
    /// Where it landed.
    #[serde(borrow)]
    geo_location: Option<LocationRequest<'a>>,
    /// In grams.
    mass: Option<f64>,
    /// Whether the name is in use.
    #[serde(borrow)]
    #[schema(value_type = String)]
    name_type: Cow<'a, str>,
    /// The kind of stone, as a short code.
    #[serde(borrow)]
    #[schema(value_type = String)]
    rec_class: Cow<'a, str>,
    /// In degrees.
    #[serde(rename = "recLAT")]
    latitude: Option<f64>,
    /// In degrees.
    #[serde(rename = "recLONG")]
    longitude: Option<f64>,
    /// The first moment of its year, in RFC 3339; not read.
    #[serde(borrow)]
    #[schema(value_type = Option<String>)]
    year: Option<Cow<'a, str>>,
}

/// A place that is sent.
#[derive(Deserialize, ToSchema)]
#[serde(
    deny_unknown_fields,
    remote = "Self",
    expecting = "a place, an object with `type` and `coordinates`"
)]
pub(super) struct LocationRequest<'a> {
    /// `Point`.
    #[serde(borrow)]
    #[schema(value_type = String)]
    r#type: Cow<'a, str>,
    /// Longitude and latitude in degrees.
    #[schema(value_type = Vec<f64>, min_items = 2, max_items = 2)]
    coordinates: [f64; 2],
}

// `remote = "Self"` derives inherent functions, which these guard.
impl<'de: 'a, 'a> Deserialize<'de> for LandingRequest<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(ObjectOnly(deserializer))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for LocationRequest<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(ObjectOnly(deserializer))
    }
}

/// The version of the interface
#[utoipa::path(
    get,
    path = "/api/MeteoriteLandings",
    tag = "Published benchmarks",
    responses((
        status = 200,
        description = "The version as a JSON string",
        body = String,
        content_type = "application/json",
        example = "API Version 1.0"
    ))
)]
pub(super) async fn version() -> Result<Response, RestError> {
    reply::json(&meteorites::VERSION)
}

/// Every landing, in one array
#[utoipa::path(
    get,
    path = "/api/MeteoriteLandings/LargePayload",
    tag = "Published benchmarks",
    responses((status = 200, description = "1,000 landings", body = Vec<LandingReply<'_>>))
)]
pub(super) async fn all() -> Result<Response, RestError> {
    let records: Vec<LandingReply<'_>> = landings().iter().map(LandingReply::from).collect();
    reply::json_of(&records, LIST_BYTES)
}

/// Take landings, and keep none
#[utoipa::path(
    post,
    path = "/api/MeteoriteLandings/LargePayload",
    tag = "Published benchmarks",
    request_body = Vec<LandingRequest<'_>>,
    responses(
        (
            status = 200,
            description = "They were read",
            body = String,
            content_type = "application/json",
            example = "SUCCESS"
        ),
        RecordRefusals
    )
)]
pub(super) async fn take(
    State(state): State<RestState>,
    request: Request,
) -> Result<Response, RestError> {
    let (head, request_body) = request.into_parts();
    let bytes = body::json_bytes(&head.headers, request_body, state.max_body_bytes).await?;
    let _: Vec<LandingRequest<'_>> =
        serde_json::from_slice(&bytes).map_err(RestError::from_json)?;
    reply::json(&meteorites::TAKEN)
}

/// Every landing, in a line of its own
///
/// Lines are made when the connection asks for them. Not in the published benchmark.
#[utoipa::path(
    get,
    path = "/api/MeteoriteLandings/LargePayload/lines",
    tag = "Published benchmarks",
    responses((
        status = 200,
        description = "1,000 lines, each with a landing as a JSON object like those of the array",
        body = String,
        content_type = "application/x-ndjson"
    ))
)]
pub(super) async fn lines() -> Response {
    let lines = landings().iter().map(|landing| {
        let mut line = serde_json::to_vec(&LandingReply::from(landing))?;
        line.push(b'\n');
        Ok::<_, serde_json::Error>(Bytes::from(line))
    });
    let mut response = Response::new(Body::from_stream(stream::iter(lines)));
    let media_type = HeaderValue::from_static("application/x-ndjson");
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}

/// How many landings are asked for.
#[derive(Clone, Copy, Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct FirstQuery {
    /// How many; 1,000 when it is not given.
    #[serde(default = "usual")]
    #[param(value_type = Option<i32>, minimum = 1, maximum = 10_000)]
    limit: usize,
}

fn usual() -> usize {
    landings().len()
}

/// The first landings, in one array
///
/// There are more of them than in the published benchmark, which does not have this list.
#[utoipa::path(
    get,
    path = "/api/MeteoriteLandings/LargePayload/first",
    tag = "Published benchmarks",
    params(FirstQuery),
    responses(
        (status = 200, description = "So many landings", body = Vec<LandingReply<'_>>),
        (
            status = 400,
            description = "The query is not understood, or there are not so many",
            body = Problem<'_>,
            content_type = "application/problem+json"
        ),
    )
)]
pub(super) async fn first(
    uri: Uri,
    query: Result<Query<FirstQuery>, QueryRejection>,
) -> Result<Response, RestError> {
    let Query(FirstQuery { limit }) =
        query.map_err(|rejection| RestError::from_query(uri.query(), &rejection))?;
    let first = meteorites::first(limit).ok_or_else(|| {
        let (least, most) = COUNTS.into_inner();
        RestError::BadQuery {
            query: uri.query().unwrap_or_default().to_owned(),
            reason: format!("there are {least} to {most} landings"),
        }
    })?;
    let records: Vec<LandingReply<'_>> = first.iter().map(LandingReply::from).collect();
    reply::json_of(&records, LIST_BYTES * limit.div_ceil(usual()))
}
