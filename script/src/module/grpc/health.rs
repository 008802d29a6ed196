//! The standard health check
//! (<https://github.com/grpc/grpc/blob/master/doc/health-checking.md>).

use std::time::{Duration, Instant};

use http::{HeaderMap, uri::PathAndQuery};
use prost::Message;
use rquickjs::{Ctx, Result};

use super::{
    call::one_answer,
    channel::Channel,
    samples::CallTags,
    status::Status,
    transport::{Call, Timeout, framed},
};
use crate::{
    engine::{Vu, throw, wait},
    module::core::ns,
};

const TIMEOUT: Timeout = Timeout {
    duration: Duration::from_mins(2),
    announced: false,
};

#[derive(Clone, PartialEq, Message)]
struct HealthCheckRequest {
    #[prost(string, tag = "1")]
    service: String,
}

#[derive(Clone, PartialEq, Message)]
struct HealthCheckResponse {
    #[prost(int32, tag = "1")]
    status: i32,
}

/// The state of a service, or of the server when the name is empty.
///
/// # Errors
/// Throws when the call fails.
pub(super) fn check(ctx: &Ctx<'_>, vu: &Vu, channel: &Channel, service: String) -> Result<i32> {
    let call = Call {
        path: PathAndQuery::from_static("/grpc.health.v1.Health/Check"),
        metadata: HeaderMap::new(),
        timeout: Some(TIMEOUT),
    };
    let message = framed(&HealthCheckRequest { service });
    let began = Instant::now();
    let (ending, answer) = wait(ctx, one_answer(channel, &call, message))?;
    let status = ending.status;
    CallTags::plain(vu, channel).record(vu, None, status.code, ns(began.elapsed()));
    if !status.is_ok() {
        return Err(throw(ctx, status.describe()));
    }
    match HealthCheckResponse::decode(answer.unwrap_or_default()) {
        Ok(answer) => Ok(answer.status),
        Err(error) => Err(throw(ctx, Status::internal(error.to_string()).describe())),
    }
}
