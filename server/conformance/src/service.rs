//! The suite's service.

use std::collections::VecDeque;

use futures_util::{StreamExt as _, stream};
use prost_types::Any;
use tonic::{Request, Response, Status, Streaming, metadata::MetadataMap};

use crate::{
    answer::{self, Answers},
    call::{Call, info_of_messages, pack},
    suite::{
        BidiStreamRequest, BidiStreamResponse, ClientStreamRequest, ClientStreamResponse,
        ConformancePayload, IdempotentUnaryRequest, IdempotentUnaryResponse, ServerStreamRequest,
        ServerStreamResponse, StreamResponseDefinition, UnaryRequest, UnaryResponse,
        conformance_service_server::ConformanceService,
    },
};

/// Answers every request as the request itself says.
#[derive(Clone, Copy, Debug)]
pub struct Conformance;

#[tonic::async_trait]
impl ConformanceService for Conformance {
    async fn unary(
        &self,
        request: Request<UnaryRequest>,
    ) -> Result<Response<UnaryResponse>, Status> {
        let call = Call::of(&request);
        let request = request.into_inner();
        let info = call.info(vec![pack(&request)?]);
        let answer = answer::one(request.response_definition, info).await?;
        Ok(answer.map(|payload| UnaryResponse {
            payload: Some(payload),
        }))
    }

    async fn idempotent_unary(
        &self,
        request: Request<IdempotentUnaryRequest>,
    ) -> Result<Response<IdempotentUnaryResponse>, Status> {
        let call = Call::of(&request);
        let request = request.into_inner();
        let info = call.info(vec![pack(&request)?]);
        let answer = answer::one(request.response_definition, info).await?;
        Ok(answer.map(|payload| IdempotentUnaryResponse {
            payload: Some(payload),
        }))
    }

    async fn client_stream(
        &self,
        request: Request<Streaming<ClientStreamRequest>>,
    ) -> Result<Response<ClientStreamResponse>, Status> {
        let call = Call::of(&request);
        let mut requests = request.into_inner();
        let mut definition = None;
        let mut seen = Vec::new();
        while let Some(request) = requests.message().await? {
            seen.push(pack(&request)?);
            if seen.len() == 1 {
                definition = request.response_definition;
            }
        }
        let answer = answer::one(definition, call.info(seen)).await?;
        Ok(answer.map(|payload| ClientStreamResponse {
            payload: Some(payload),
        }))
    }

    async fn server_stream(
        &self,
        request: Request<ServerStreamRequest>,
    ) -> Result<Response<Answers<ServerStreamResponse>>, Status> {
        let call = Call::of(&request);
        let request = request.into_inner();
        let info = call.info(vec![pack(&request)?]);
        let answers = answer::many(request.response_definition, info)?;
        Ok(answers.map(|answers| -> Answers<ServerStreamResponse> {
            Box::pin(answers.map(|payload| {
                Ok(ServerStreamResponse {
                    payload: Some(payload?),
                })
            }))
        }))
    }

    async fn bidi_stream(
        &self,
        request: Request<Streaming<BidiStreamRequest>>,
    ) -> Result<Response<Answers<BidiStreamResponse>>, Status> {
        let call = Call::of(&request);
        let mut requests = request.into_inner();
        let first = requests.message().await?.unwrap_or_default();
        let answers = if first.full_duplex {
            in_turn(call, first, requests)?
        } else {
            at_the_end(call, first, requests).await?
        };
        Ok(answers.map(|answers| -> Answers<BidiStreamResponse> {
            Box::pin(answers.map(|payload| {
                Ok(BidiStreamResponse {
                    payload: Some(payload?),
                })
            }))
        }))
    }
}

/// Half duplex: all requests, then all answers.
async fn at_the_end(
    call: Call,
    first: BidiStreamRequest,
    mut requests: Streaming<BidiStreamRequest>,
) -> Result<Response<Answers<ConformancePayload>>, Status> {
    let mut seen = vec![pack(&first)?];
    while let Some(request) = requests.message().await? {
        seen.push(pack(&request)?);
    }
    answer::many(first.response_definition, call.info(seen))
}

/// Full duplex: an answer to each request, and what is left when no more come.
fn in_turn(
    call: Call,
    first: BidiStreamRequest,
    requests: Streaming<BidiStreamRequest>,
) -> Result<Response<Answers<ConformancePayload>>, Status> {
    let unread = Some(pack(&first)?);
    let mut definition = first.response_definition.unwrap_or_default();
    let headers = std::mem::take(&mut definition.response_headers);
    let trailers = std::mem::take(&mut definition.response_trailers);
    let turns = Turns {
        call: Some(call),
        data: std::mem::take(&mut definition.response_data).into(),
        definition,
        unread,
        requests,
    };
    let answers = stream::unfold(Some(turns), |turns| async {
        let mut turns = turns?;
        match turns.next().await {
            Ok(None) => None,
            Ok(Some(payload)) => Some((Ok(payload), Some(turns))),
            Err(status) => Some((Err(status), None)),
        }
    });
    answer::with_metadata(Box::pin(answers), &headers, &trailers)
}

/// What a full-duplex call has still to do.
struct Turns {
    /// The head of the call, until an answer has told of it.
    call: Option<Call>,
    /// Without its data and metadata.
    definition: StreamResponseDefinition,
    data: VecDeque<Vec<u8>>,
    /// The first request, which was read for the sake of the headers.
    unread: Option<Any>,
    requests: Streaming<BidiStreamRequest>,
}

impl Turns {
    /// The answer to the next request; `None` when the call is over.
    async fn next(&mut self) -> Result<Option<ConformancePayload>, Status> {
        let request = match self.unread.take() {
            Some(request) => Some(request),
            None => self
                .requests
                .message()
                .await?
                .as_ref()
                .map(pack)
                .transpose()?,
        };
        let more_requests = request.is_some();
        let requests: Vec<Any> = request.into_iter().collect();
        match self.data.pop_front() {
            Some(data) => {
                tokio::time::sleep(answer::delay(self.definition.response_delay_ms)).await;
                let info = match self.call.take() {
                    Some(call) => Some(call.info(requests)),
                    None if more_requests => Some(info_of_messages(requests)),
                    None => None,
                };
                Ok(Some(answer::payload(data, info)))
            }
            None => match self.definition.error.take() {
                Some(error) => {
                    let info = self.call.take().map(|call| call.info(requests));
                    Err(answer::status(error, info, MetadataMap::new())?)
                }
                None => Ok(None),
            },
        }
    }
}
