//! One call, from the message to the response.

use std::{
    rc::Rc,
    time::{Duration, Instant},
};

use bytes::{Bytes, BytesMut};
use rquickjs::{Ctx, Result, Value};

use super::{
    channel::Channel,
    method::{Method, Methods},
    params::CallParams,
    plan::{NonFinite, Plan, WriteError},
    response::{read_message, response},
    samples::CallTags,
    status::Status,
    transport::{Call, Ending, Outgoing, Timeout, begin_frame, end_frame},
};
use crate::{
    engine::{Vu, throw},
    module::core::ns,
};

/// How long `invoke` waits when the script does not say.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(2);

/// A call with one message that is ready to be made; it holds no values of the engine.
pub(super) struct Unary {
    pub(super) channel: Rc<Channel>,
    call: Call,
    message: std::result::Result<Bytes, Status>,
    tags: CallTags,
    discard_message: bool,
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
        let duration = params.timeout.unwrap_or(DEFAULT_TIMEOUT);
        let announced = params.timeout.is_some();
        Self {
            tags: CallTags::new(vu, &channel.address, method, &params.tags),
            channel: Rc::clone(channel),
            call: Call {
                path: method.path.clone(),
                metadata: params.metadata,
                timeout: Some(Timeout {
                    duration,
                    announced,
                }),
            },
            message,
            discard_message: params.discard_message,
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
        let message = if self.discard_message {
            Value::new_null(ctx.clone())
        } else {
            read_message(ctx, &method.response, answer.message.as_ref(), status)?
        };
        self.tags.record(vu, Some(method), status.code, answer.ns);
        response(ctx, methods, method, message, answer.ending)
    }
}

/// Makes a call that is answered with one message.
pub(super) async fn one_answer(
    channel: &Channel,
    call: &Call,
    message: Bytes,
) -> (Ending, Option<Bytes>) {
    let mut answer = None;
    let mut take = |message: Bytes| match answer {
        None => {
            answer = Some(message);
            Ok(())
        }
        Some(_) => Err(Status::internal(
            "cardinality violation: more than one message answered a unary call",
        )),
    };
    let outgoing = Outgoing::One(message);
    let mut ending = channel.transport.call(call, outgoing, &mut take).await;
    if ending.status.is_ok() && answer.is_none() {
        ending.status = Status::internal("cardinality violation: no message answered a unary call");
    }
    (ending, answer)
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
    // Its memory is used again: it comes back when the message has been written to the socket.
    let mut out = channel.buffer.take();
    begin_frame(&mut out);
    let written = write(ctx, plan, value, non_finite, &mut out);
    let framed = written.map(|()| end_frame(&mut out, channel.most_sent));
    channel.buffer.set(out);
    framed
}

fn write<'js>(
    ctx: &Ctx<'js>,
    plan: &Plan,
    value: &Value<'js>,
    non_finite: NonFinite,
    out: &mut BytesMut,
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
