//! Landings of meteorites under `/api/MeteoriteLandings`, as a published benchmark of gRPC against REST has
//! them; the paths and keys are that benchmark's.

use axum::{
    body::{Body, Bytes},
    extract::{Query, Request, State, rejection::QueryRejection},
    response::Response,
};
use futures_util::stream;
use http::{HeaderValue, Uri, header::CONTENT_TYPE};
use serde::{Deserialize, Serialize, Serializer};

use super::{RestError, body, reply, routes::RestState, scalar};
use crate::{
    domain::Timestamp,
    meteorites::{self, COUNTS, Landing, POINT, Place, landings},
};

/// The list of all records has about 220 kB.
const LIST_BYTES: usize = 256 << 10;
/// Whole numbers below this are the same as an integer and as a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A landing on its way out.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LandingReply<'a> {
    id: u32,
    name: &'a str,
    fall: &'a str,
    geo_location: Option<LocationReply>,
    mass: Option<Number>,
    name_type: &'a str,
    rec_class: &'a str,
    #[serde(rename = "recLAT")]
    latitude: Option<Number>,
    #[serde(rename = "recLONG")]
    longitude: Option<Number>,
    year: Option<Moment>,
}

#[derive(Serialize)]
struct LocationReply {
    r#type: &'static str,
    /// Longitude and latitude.
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
        if number.fract() == 0.0 && number.abs() < EXACT {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "it is a whole number in range"
            )]
            serializer.serialize_i64(number as i64)
        } else {
            serializer.serialize_f64(number)
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

/// A landing on its way in: what a typed client sends has every field.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "the benchmark's server reads the records and keeps none"
)]
struct LandingRequest<'a> {
    id: u32,
    name: &'a str,
    fall: &'a str,
    geo_location: Option<LocationRequest<'a>>,
    mass: Option<f64>,
    name_type: &'a str,
    rec_class: &'a str,
    #[serde(rename = "recLAT")]
    latitude: Option<f64>,
    #[serde(rename = "recLONG")]
    longitude: Option<f64>,
    year: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "the benchmark's server reads the records and keeps none"
)]
struct LocationRequest<'a> {
    r#type: &'a str,
    coordinates: [f64; 2],
}

/// `GET /api/MeteoriteLandings`: the version as a JSON string.
pub(super) async fn version() -> Result<Response, RestError> {
    reply::json(&meteorites::VERSION)
}

/// `GET /api/MeteoriteLandings/LargePayload`: every record in one array.
pub(super) async fn all() -> Result<Response, RestError> {
    let records: Vec<LandingReply<'_>> = landings().iter().map(LandingReply::from).collect();
    reply::json_of(&records, LIST_BYTES)
}

/// `POST /api/MeteoriteLandings/LargePayload`: takes an array of records.
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

/// `GET /api/MeteoriteLandings/LargePayload/lines`: every record as a line of its own, which is sent
/// when the connection asks for it. Not in the published benchmark.
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
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FirstQuery {
    #[serde(default = "usual")]
    limit: usize,
}

fn usual() -> usize {
    landings().len()
}

/// `GET /api/MeteoriteLandings/LargePayload/first?limit=N`: the first records in one array. Not in the
/// published benchmark.
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
