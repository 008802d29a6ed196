//! The class `Stream`.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::{Rc, Weak},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use bytes::Bytes;
use rquickjs::{
    Class, Coerced, Ctx, Error, Function, JsLifetime, Object, Persistent, Result, Value,
    class::Trace, function::Opt,
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::{
    call::frame,
    channel::Channel,
    client::Client,
    method::{Method, Methods},
    params::{CallParams, method_path},
    plan::NonFinite,
    response::{read_message, status_object},
    samples::{CallTags, StreamMetrics},
    status::Status,
    transport::{Call, Ending, Outgoing, Timeout},
};
use crate::{
    engine::{Keeper, ScriptException, Vu, throw},
    module::core::ns,
};

/// A call with any number of messages in either direction.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub(super) struct Stream {
    id: usize,
}

/// The streams of one virtual user.
#[derive(Default)]
pub(super) struct Streams {
    last: Cell<usize>,
    open: RefCell<HashMap<usize, Rc<Open>>>,
}

/// A stream that has not ended.
struct Open {
    method: Rc<Method>,
    channel: Rc<Channel>,
    handlers: RefCell<Vec<(Kind, Persistent<Function<'static>>)>>,
    /// Taken by `end()`.
    sender: RefCell<Option<UnboundedSender<Bytes>>>,
    tags: CallTags,
    discard_message: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Data,
    Error,
    End,
    /// k6 takes handlers for it and never calls them.
    Status,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "data" => Self::Data,
            "error" => Self::Error,
            "end" => Self::End,
            "status" => Self::Status,
            _ => return None,
        })
    }
}

/// Forgets a stream, and its handlers with it.
struct Forget {
    streams: Weak<Streams>,
    id: usize,
}

impl Drop for Forget {
    fn drop(&mut self) {
        if let Some(streams) = self.streams.upgrade() {
            let forgotten = streams.open.borrow_mut().remove(&self.id);
            drop(forgotten);
        }
    }
}

#[rquickjs::methods]
impl Stream {
    #[qjs(constructor)]
    fn new<'js>(
        ctx: Ctx<'js>,
        client: Opt<Value<'js>>,
        method: Opt<Value<'js>>,
        params: Opt<Value<'js>>,
    ) -> Result<Self> {
        let vu = Vu::of(&ctx)?;
        let bad_client = |text: &str| throw(&ctx, format!("invalid GRPC Stream's client: {text}"));
        let given = client
            .0
            .filter(|value| !value.is_null() && !value.is_undefined());
        let given = given.ok_or_else(|| bad_client("empty gRPC client"))?;
        let client =
            Class::<Client>::from_value(&given).map_err(|_| bad_client("not a gRPC client"))?;
        let client = Rc::clone(client.borrow().state());
        let channel = client.channel().map_err(bad_client)?;
        let method = find_method(&ctx, &vu, &client, method.0.as_ref())?;
        let params = CallParams::read(params.0.as_ref())
            .map_err(|error| error.throw(&ctx, "invalid GRPC Stream's parameters"))?;
        let metrics = StreamMetrics::register(&ctx, &vu)?;
        Ok(Self {
            id: open(&vu, channel, method, params, metrics),
        })
    }

    fn on<'js>(
        &self,
        ctx: Ctx<'js>,
        event: Coerced<String>,
        handler: Opt<Value<'js>>,
    ) -> Result<()> {
        let handler = handler.0.and_then(Value::into_function);
        let Some(handler) = handler else {
            return Err(throw(
                &ctx,
                format!("handler for {:?} event isn't a callable function", event.0),
            ));
        };
        let vu = Vu::of(&ctx)?;
        let Some(kind) = Kind::of(&event.0) else {
            vu.test().log().warn(format!(
                "streams have no event {:?}; there are data, error and end",
                event.0
            ));
            return Ok(());
        };
        if let Some(open) = find(&vu, self.id) {
            let handler = Persistent::save(&ctx, handler);
            open.handlers.borrow_mut().push((kind, handler));
        }
        Ok(())
    }

    fn write<'js>(&self, ctx: Ctx<'js>, message: Opt<Value<'js>>) -> Result<()> {
        let vu = Vu::of(&ctx)?;
        let given = message
            .0
            .filter(|value| !value.is_null() && !value.is_undefined());
        let Some(message) = given else {
            vu.test().log().warn("can't send empty message");
            return Ok(());
        };
        let Some(open) = find(&vu, self.id) else {
            return Ok(());
        };
        // Written after the end: k6 says nothing either.
        let Some(sender) = open.sender.borrow().clone() else {
            return Ok(());
        };
        let plan = &open.method.request;
        let failure = match frame(&ctx, plan, &open.channel, &message, NonFinite::Null) {
            Ok(Ok(frame)) => {
                // Nobody receives when the call has ended, which its event tells.
                let _ = sender.send(frame);
                return Ok(());
            }
            Ok(Err(status)) => status,
            Err(error @ Error::Exception) => {
                Status::unknown(ScriptException::take(&ctx, error).message)
            }
            Err(error) => return Err(error),
        };
        let id = self.id;
        vu.events()
            .keep()
            .queue(Box::new(move |ctx| failed(ctx, id, &failure)));
        Ok(())
    }

    fn end(&self, ctx: Ctx<'_>) -> Result<()> {
        if let Some(open) = find(&*Vu::of(&ctx)?, self.id) {
            open.sender.take();
        }
        Ok(())
    }
}

fn find(vu: &Vu, id: usize) -> Option<Rc<Open>> {
    vu.state::<Streams>().open.borrow().get(&id).cloned()
}

fn find_method(
    ctx: &Ctx<'_>,
    vu: &Vu,
    client: &super::client::ClientState,
    method: Option<&Value<'_>>,
) -> Result<Rc<Method>> {
    let found = method_path(ctx, method)
        .and_then(|path| Methods::of(vu).find(ctx, client.id(), client.pool(), &path));
    found.map_err(|error| match error {
        Error::Exception => {
            let exception = ctx.catch().into_exception();
            let text = exception.and_then(|exception| exception.message());
            throw(
                ctx,
                format!("invalid GRPC Stream's method: {}", text.unwrap_or_default()),
            )
        }
        other => other,
    })
}

/// Begins the call; its events come when JavaScript is idle.
fn open(
    vu: &Rc<Vu>,
    channel: Rc<Channel>,
    method: Rc<Method>,
    params: CallParams,
    metrics: StreamMetrics,
) -> usize {
    let streams: Rc<Streams> = vu.state();
    let id = streams.last.get() + 1;
    streams.last.set(id);
    let (sender, messages) = unbounded_channel();
    let tags = CallTags::new(vu, &channel.address, &method, &params.tags);
    let call = Call {
        path: method.path.clone(),
        metadata: params.metadata,
        timeout: params.timeout.map(|duration| Timeout {
            duration,
            announced: true,
        }),
    };
    metrics.opened(vu.recorder(), tags.without_status());
    let written = {
        let (recorder, tags) = (Rc::clone(vu.recorder()), tags.clone());
        move || metrics.sent(&recorder, tags.without_status())
    };
    let received = {
        let (recorder, tags) = (Rc::clone(vu.recorder()), tags.clone());
        move || metrics.received(&recorder, tags.without_status())
    };
    streams.open.borrow_mut().insert(
        id,
        Rc::new(Open {
            method,
            channel: Rc::clone(&channel),
            handlers: RefCell::default(),
            sender: RefCell::new(Some(sender)),
            tags,
            discard_message: params.discard_message,
        }),
    );
    let forget = Forget {
        streams: Rc::downgrade(&streams),
        id,
    };
    let keeper = vu.events().keep();
    vu.events().spawn(async move {
        let outgoing = Outgoing::Many(messages, Rc::new(written));
        run(&channel, &call, outgoing, &keeper, forget, &received).await;
    });
    id
}

async fn run(
    channel: &Channel,
    call: &Call,
    outgoing: Outgoing,
    keeper: &Keeper,
    forget: Forget,
    received: &dyn Fn(),
) {
    let id = forget.id;
    let began = Instant::now();
    let mut take = |message: Bytes| {
        received();
        let at = unix_seconds();
        keeper.queue(Box::new(move |ctx| data(ctx, id, &message, at)));
        Ok(())
    };
    let ending = channel.transport.call(call, outgoing, &mut take).await;
    let ns = ns(began.elapsed());
    keeper.queue(Box::new(move |ctx| {
        let result = ended(ctx, id, &ending, ns);
        drop(forget);
        result
    }));
}

fn data(ctx: &Ctx<'_>, id: usize, message: &Bytes, at: f64) -> Result<()> {
    let vu = Vu::of(ctx)?;
    let Some(open) = find(&vu, id) else {
        return Ok(());
    };
    if open.discard_message {
        return dispatch(
            ctx,
            &open,
            Kind::Data,
            Object::new(ctx.clone())?.into_value(),
            at,
        );
    }
    let mut status = Status::default();
    let message = read_message(ctx, &open.method.response, Some(message), &mut status)?;
    if status.is_ok() {
        dispatch(ctx, &open, Kind::Data, message, at)
    } else {
        failed(ctx, id, &status)
    }
}

fn failed(ctx: &Ctx<'_>, id: usize, status: &Status) -> Result<()> {
    let vu = Vu::of(ctx)?;
    let Some(open) = find(&vu, id) else {
        return Ok(());
    };
    let is_heard = {
        let handlers = open.handlers.borrow();
        handlers.iter().any(|(kind, _)| *kind == Kind::Error)
    };
    if !is_heard {
        vu.test().log().warn(format!(
            "no handlers for error event registered, but an error happened: {}",
            status.describe()
        ));
        return Ok(());
    }
    let error = status_object(ctx, &open.method.pool, status)?;
    dispatch(ctx, &open, Kind::Error, error.into_value(), unix_seconds())
}

fn ended(ctx: &Ctx<'_>, id: usize, ending: &Ending, ns: u64) -> Result<()> {
    let vu = Vu::of(ctx)?;
    let Some(open) = find(&vu, id) else {
        return Ok(());
    };
    open.sender.take();
    let status = &ending.status;
    open.tags.record(&vu, Some(&open.method), status.code, ns);
    if !status.is_ok() {
        failed(ctx, id, status)?;
    }
    let nothing = Object::new(ctx.clone())?.into_value();
    dispatch(ctx, &open, Kind::End, nothing, unix_seconds())
}

/// Calls the handlers of an event in the order in which they were set.
fn dispatch<'js>(
    ctx: &Ctx<'js>,
    open: &Open,
    event: Kind,
    argument: Value<'js>,
    at: f64,
) -> Result<()> {
    let handlers: Vec<_> = {
        let handlers = open.handlers.borrow();
        let wanted = handlers.iter().filter(|(kind, _)| *kind == event);
        wanted.map(|(_, handler)| handler.clone()).collect()
    };
    for handler in handlers {
        let metadata = Object::new(ctx.clone())?;
        metadata.set("ts", at)?;
        handler
            .restore(ctx)?
            .call::<_, ()>((argument.clone(), metadata))?;
    }
    Ok(())
}

/// Whole seconds since 1970.
fn unix_seconds() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs() as f64)
}
