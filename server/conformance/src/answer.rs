//! Answers as the suite's requests define them.

use std::{pin::Pin, time::Duration};

use futures_util::{Stream, StreamExt as _, stream};
use prost::Message as _;
use tokio::time::sleep;
use tonic::{Code, Response, Status, metadata::MetadataMap};

use crate::{
    call::pack,
    metadata::to_http,
    suite::{
        ConformancePayload, Error, Header, StreamResponseDefinition, UnaryResponseDefinition,
        conformance_payload::RequestInfo, unary_response_definition,
    },
    trailers::Trailers,
};

/// Answers on their way out.
pub type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// The one answer that `definition` asks for, after its delay.
///
/// # Errors
/// The error that the definition asks for. An error has one block of metadata: the headers and the
/// trailers of the definition are both in it.
pub async fn one(
    definition: Option<UnaryResponseDefinition>,
    info: RequestInfo,
) -> Result<Response<ConformancePayload>, Status> {
    let definition = definition.unwrap_or_default();
    sleep(delay(definition.response_delay_ms)).await;
    let data = match definition.response {
        Some(unary_response_definition::Response::Error(error)) => {
            let headers = [definition.response_headers, definition.response_trailers].concat();
            let metadata = MetadataMap::from_headers(to_http(&headers)?);
            return Err(status(error, Some(info), metadata)?);
        }
        Some(unary_response_definition::Response::ResponseData(data)) => data,
        None => Vec::new(),
    };
    let payload = payload(data, Some(info));
    with_metadata(
        payload,
        &definition.response_headers,
        &definition.response_trailers,
    )
}

/// All answers that `definition` asks for, each after the delay, and its error behind them.
///
/// # Errors
/// `INVALID_ARGUMENT` for headers that HTTP cannot carry.
pub fn many(
    definition: Option<StreamResponseDefinition>,
    info: RequestInfo,
) -> Result<Response<Answers<ConformancePayload>>, Status> {
    let definition = definition.unwrap_or_default();
    let pause = delay(definition.response_delay_ms);
    let mut info = Some(info);
    let mut answers: Vec<_> = definition
        .response_data
        .into_iter()
        .map(|data| Ok(payload(data, info.take())))
        .collect();
    if let Some(error) = definition.error {
        answers.push(Err(status(error, info, MetadataMap::new())?));
    }
    let answers = stream::iter(answers).then(move |answer| async move {
        if answer.is_ok() {
            sleep(pause).await;
        }
        answer
    });
    with_metadata(
        Box::pin(answers),
        &definition.response_headers,
        &definition.response_trailers,
    )
}

/// `message` with headers, and with trailers that [`WithTrailers`](crate::trailers::WithTrailers)
/// sends.
///
/// # Errors
/// `INVALID_ARGUMENT` for headers that HTTP cannot carry.
pub fn with_metadata<T>(
    message: T,
    headers: &[Header],
    trailers: &[Header],
) -> Result<Response<T>, Status> {
    let mut response = Response::new(message);
    *response.metadata_mut() = MetadataMap::from_headers(to_http(headers)?);
    response
        .extensions_mut()
        .insert(Trailers(to_http(trailers)?));
    Ok(response)
}

/// A payload with `data`.
pub fn payload(data: Vec<u8>, request_info: Option<RequestInfo>) -> ConformancePayload {
    ConformancePayload { data, request_info }
}

/// `error` as a status. Information on the request, when there is no answer to carry it, is the
/// last of its details.
///
/// # Errors
/// `INTERNAL` when the details cannot be encoded.
pub fn status(
    error: Error,
    info: Option<RequestInfo>,
    metadata: MetadataMap,
) -> Result<Status, Status> {
    let mut details = error.details;
    if let Some(info) = info {
        details.push(pack(&info)?);
    }
    let message = error.message.unwrap_or_default();
    let details = tonic_types::Status {
        code: error.code,
        message: message.clone(),
        details,
    };
    Ok(Status::with_details_and_metadata(
        Code::from(error.code),
        message,
        details.encode_to_vec().into(),
        metadata,
    ))
}

/// A delay of a definition.
pub fn delay(milliseconds: u32) -> Duration {
    Duration::from_millis(milliseconds.into())
}
