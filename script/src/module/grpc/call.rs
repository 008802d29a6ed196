//! One call, from the message to the response.

use std::{
    rc::Rc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use rquickjs::{ArrayBuffer, Ctx, Result, Value};

use super::{
    channel::Channel,
    method::{Method, Methods},
    params::{CallParams, Wanted},
    plan::{NonFinite, Plan, WriteError},
    protocol::Protocol,
    response::{read_message, response},
    samples::CallTags,
    status::Status,
    transport::{Call, Ending, Outgoing, Timeout, begin_frame, end_frame},
};
use crate::{
    engine::{Vu, throw},
    module::{bytes_of, core::ns},
};

/// How long `invoke` waits when the script does not say.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(2);

/// A call with one message that is ready to be made; it holds no values of the engine.
pub(super) struct Unary {
    pub(super) channel: Rc<Channel>,
    call: Call,
    message: std::result::Result<Bytes, Status>,
    tags: CallTags,
    wanted: Wanted,
}

/// What came of it.
pub(super) struct Answer {
    ending: Ending,
    message: Option<Bytes>,
    ns: u64,
}

impl Unary {
    pub(super) fn new(
        vu: &Vu,
        channel: &Rc<Channel>,
        method: &Method,
        message: std::result::Result<Bytes, Status>,
        params: CallParams,
    ) -> Self {
        Self {
            tags: CallTags::new(vu, channel, method, &params.tags),
            channel: Rc::clone(channel),
            call: Call {
                path: method.path.clone(),
                metadata: params.metadata,
                timeout: time_limit(channel.protocol, params.timeout, Some(DEFAULT_TIMEOUT)),
            },
            message,
            wanted: params.wanted,
        }
    }

    /// Makes the call.
    pub(super) async fn make(&self) -> Answer {
        let began = Instant::now();
        let (ending, message) = match &self.message {
            Ok(message) => one_answer(&self.channel, &self.call, message.clone()).await,
            Err(status) => (Ending::of(status.clone()), None),
        };
        Answer {
            ending,
            message,
            ns: ns(began.elapsed()),
        }
    }

    /// Records the call and makes the response.
    pub(super) fn settle<'js>(
        &self,
        ctx: &Ctx<'js>,
        vu: &Vu,
        methods: &Methods,
        method: &Method,
        mut answer: Answer,
    ) -> Result<Value<'js>> {
        let status = &mut answer.ending.status;
        let message = match (self.wanted, &answer.message) {
            (Wanted::Object, message) => {
                read_message(ctx, &method.response, message.as_ref(), status)?
            }
            (Wanted::Bytes, Some(message)) if status.is_ok() => {
                ArrayBuffer::new_copy(ctx.clone(), message)?.into_value()
            }
            (Wanted::Bytes | Wanted::Nothing, _) => Value::new_null(ctx.clone()),
        };
        self.tags.record(vu, Some(method), status.code, answer.ns);
        response(
            ctx,
            methods,
            method,
            self.channel.protocol,
            message,
            answer.ending,
        )
    }
}

/// Makes a call that is answered with one message.
pub(super) async fn one_answer(
    channel: &Channel,
    call: &Call,
    message: Bytes,
) -> (Ending, Option<Bytes>) {
    let protocol = channel.protocol;
    let mut answer = None;
    let mut take = |message: Bytes| match answer {
        None => {
            answer = Some(message);
            Ok(())
        }
        Some(_) => Err(protocol.cardinality("more than one message answered a unary call")),
    };
    let outgoing = Outgoing::One(message);
    let mut ending = channel.transport.call(call, outgoing, &mut take).await;
    if ending.status.is_ok() && answer.is_none() {
        ending.status = protocol.cardinality("no message answered a unary call");
    }
    (ending, answer)
}

/// How long a call may take: what the script says, or the default, of which the server is not told.
pub(super) fn time_limit(
    protocol: Protocol,
    given: Option<Duration>,
    default: Option<Duration>,
) -> Option<Timeout> {
    if protocol == Protocol::Web && given.is_some_and(|given| given.is_zero()) {
        return None;
    }
    let announced = given.is_some();
    let duration = given.or(default)?;
    Some(Timeout {
        duration,
        announced,
    })
}

/// The frame of the message that a value stands for; the inner error fails the call.
///
/// # Errors
/// Throws when the value is no such message.
pub(super) fn frame<'js>(
    ctx: &Ctx<'js>,
    plan: &Plan,
    channel: &Channel,
    value: &Value<'js>,
    non_finite: NonFinite,
) -> Result<std::result::Result<Bytes, Status>> {
    // Its memory is used again, so that it grows once and not with every message.
    let mut out = channel.buffer.take();
    begin_frame(&mut out);
    let written = match encoded(channel, value) {
        Some(message) => {
            out.extend_from_slice(&message);
            Ok(())
        }
        None => write(ctx, plan, value, non_finite, &mut out),
    };
    let framed = written.map(|()| end_frame(&mut out, channel.most_sent));
    channel.buffer.set(out);
    framed
}

/// A message that the script has encoded itself.
fn encoded(channel: &Channel, value: &Value<'_>) -> Option<Vec<u8>> {
    match channel.protocol {
        Protocol::Grpc => None,
        Protocol::Web => bytes_of(value),
    }
}

fn write<'js>(
    ctx: &Ctx<'js>,
    plan: &Plan,
    value: &Value<'js>,
    non_finite: NonFinite,
    out: &mut Vec<u8>,
) -> Result<()> {
    match plan.write(ctx, value, non_finite, out) {
        Ok(()) => Ok(()),
        Err(WriteError::Script(error)) => Err(error),
        Err(WriteError::Unfit) => {
            begin_frame(out);
            plan.write_json(ctx, value, non_finite, out)
        }
    }
}

/// The request of `invoke`, which must be there.
pub(super) fn given<'a, 'js>(
    ctx: &Ctx<'js>,
    request: Option<&'a Value<'js>>,
) -> Result<&'a Value<'js>> {
    let Some(request) = request else {
        return Err(throw(ctx, "request cannot be nil"));
    };
    if request.is_null() || request.is_undefined() {
        return Err(rquickjs::Exception::throw_type(
            ctx,
            "Cannot convert undefined or null to object",
        ));
    }
    Ok(request)
}
