//! The class `Stream`.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::{Rc, Weak},
    time::Instant,
};

use bytes::Bytes;
use rquickjs::{
    Class, Coerced, Ctx, Error, Function, JsLifetime, Persistent, Result, Value, class::Trace,
    function::Opt,
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::{
    call::{frame, time_limit},
    channel::Channel,
    client::Client,
    events::{Events, Kind, ended, failed},
    method::{Method, Methods},
    params::{CallParams, Wanted, method_path},
    protocol::Protocol,
    samples::CallTags,
    status::Status,
    transport::{Call, Ending, NOTHING_WRITTEN, Outgoing},
};
use crate::{
    engine::{ScriptException, Vu, throw},
    module::core::ns,
};

/// A call with any number of messages in either direction; in gRPC-Web, with one to the server, which
/// begins it.
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
pub(super) struct Open {
    pub(super) method: Rc<Method>,
    pub(super) channel: Rc<Channel>,
    pub(super) handlers: RefCell<Vec<(Kind, Persistent<Function<'static>>)>>,
    pub(super) tags: CallTags,
    pub(super) wanted: Wanted,
    /// What was wrong with a message of the server; it ends a stream of gRPC-Web.
    pub(super) fault: RefCell<Option<Status>>,
    call: Call,
    requests: RefCell<Requests>,
}

impl Open {
    /// Nothing more is taken from the script. Gives what it was allowed to write.
    pub(super) fn end_requests(&self) -> Requests {
        self.requests.replace(Requests::Ended)
    }
}

/// What the script still may write.
pub(super) enum Requests {
    Any(UnboundedSender<Bytes>),
    /// The one of gRPC-Web; until then the stream belongs to this iteration alone.
    One {
        iteration: u64,
    },
    /// It was written, but the script has not said that it was the last.
    Written,
    /// Nothing any more.
    Ended,
}

impl Streams {
    /// Forgets the streams of former iterations that never got their request.
    fn forget_unwritten(&self, now: u64) {
        let is_kept = |open: &Rc<Open>| match *open.requests.borrow() {
            Requests::One { iteration } => iteration == now,
            _ => true,
        };
        let mut open = self.open.borrow_mut();
        let forgotten = open.extract_if(|_, open| !is_kept(open));
        let forgotten: Vec<_> = forgotten.collect();
        drop(open);
        drop(forgotten);
    }
}

/// Forgets a stream, and its handlers with it.
struct Forget {
    streams: Weak<Streams>,
    id: usize,
}

impl Forget {
    fn new(streams: &Rc<Streams>, id: usize) -> Self {
        Self {
            streams: Rc::downgrade(streams),
            id,
        }
    }
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
        Self::open(&ctx, Protocol::Grpc, client.0, method.0, params.0)
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
        let Some(open) = find(&vu, self.id) else {
            return Ok(());
        };
        let protocol = open.channel.protocol;
        let Some(kind) = Kind::of(&event.0, protocol) else {
            vu.test().log().warn(format!(
                "streams have no event {:?}; there are {}",
                event.0,
                match protocol {
                    Protocol::Grpc => "data, error and end",
                    Protocol::Web => "metadata, data, error, status and end",
                }
            ));
            return Ok(());
        };
        {
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
        let protocol = open.channel.protocol;
        match &*open.requests.borrow() {
            // Written after the end: k6 says nothing either.
            Requests::Ended => return Ok(()),
            Requests::Written => return Err(throw(&ctx, ONE_REQUEST)),
            Requests::Any(_) | Requests::One { .. } => {}
        }
        let plan = &open.method.request;
        let failure = match frame(&ctx, plan, &open.channel, &message, protocol.in_streams()) {
            Ok(Ok(frame)) => {
                self.send(&vu, &open, frame);
                return Ok(());
            }
            Ok(Err(status)) => status,
            Err(error @ Error::Exception) => {
                let text = ScriptException::take(&ctx, error).message;
                match protocol {
                    Protocol::Grpc => Status::unknown(text),
                    Protocol::Web => Status::internal(text),
                }
            }
            Err(error) => return Err(error),
        };
        let id = self.id;
        match protocol {
            Protocol::Grpc => vu
                .events()
                .keep()
                .queue(Box::new(move |ctx| failed(ctx, id, &failure))),
            Protocol::Web => self.give_up(&vu, &open, failure),
        }
        Ok(())
    }

    fn end(&self, ctx: Ctx<'_>) -> Result<()> {
        let vu = Vu::of(&ctx)?;
        if let Some(open) = find(&vu, self.id)
            && let Requests::One { .. } = open.end_requests()
        {
            self.give_up(&vu, &open, Status::internal(NOTHING_WRITTEN));
        }
        Ok(())
    }
}

const ONE_REQUEST: &str = "gRPC-Web carries one request message for each stream, and this stream \
                           has sent it; open another stream";

impl Stream {
    /// A stream of this protocol for the virtual user.
    pub(super) fn open<'js>(
        ctx: &Ctx<'js>,
        protocol: Protocol,
        client: Option<Value<'js>>,
        method: Option<Value<'js>>,
        params: Option<Value<'js>>,
    ) -> Result<Self> {
        let vu = Vu::of(ctx)?;
        let bad_client = |text: &str| throw(ctx, format!("invalid GRPC Stream's client: {text}"));
        let given = client.filter(|value| !value.is_null() && !value.is_undefined());
        let given = given.ok_or_else(|| bad_client("empty gRPC client"))?;
        let client = Class::<Client>::from_value(&given)
            .map(|client| Rc::clone(client.borrow().state()))
            .ok()
            .filter(|client| client.protocol() == protocol);
        let client = client.ok_or_else(|| bad_client("not a gRPC client"))?;
        let channel = client.channel().map_err(bad_client)?;
        let method = find_method(ctx, &vu, &client, method.as_ref())?;
        let params = CallParams::read(params.as_ref(), protocol)
            .map_err(|error| error.throw(ctx, "invalid GRPC Stream's parameters"))?;
        Ok(Self {
            id: open(&vu, channel, method, params),
        })
    }

    fn send(&self, vu: &Rc<Vu>, open: &Rc<Open>, frame: Bytes) {
        if let Requests::Any(sender) = &*open.requests.borrow() {
            // Nobody receives when the call has ended, which its event tells.
            let _ = sender.send(frame);
            return;
        }
        open.requests.replace(Requests::Written);
        open.tags.sent(vu.recorder());
        begin(vu, self.id, open, Outgoing::One(frame));
    }

    /// Ends a stream whose request never reached the server.
    fn give_up(&self, vu: &Vu, open: &Open, failure: Status) {
        open.end_requests();
        let (id, ending) = (self.id, Ending::of(failure));
        let forget = Forget::new(&vu.state(), id);
        vu.events().keep().queue(Box::new(move |ctx| {
            let result = ended(ctx, id, &ending, 0);
            drop(forget);
            result
        }));
    }
}

/// The stream of that number, unless it has ended.
pub(super) fn find(vu: &Vu, id: usize) -> Option<Rc<Open>> {
    vu.state::<Streams>().open.borrow().get(&id).cloned()
}

fn find_method(
    ctx: &Ctx<'_>,
    vu: &Vu,
    client: &super::client::ClientState,
    method: Option<&Value<'_>>,
) -> Result<Rc<Method>> {
    let found = method_path(ctx, method)
        .and_then(|path| Methods::of(vu).find(ctx, client.id(), client.pool(), &path))
        .and_then(|method| {
            method.check_carried(ctx, client.protocol())?;
            Ok(method)
        });
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

/// Makes the stream known, and begins the call unless it has to wait for its request.
fn open(vu: &Rc<Vu>, channel: Rc<Channel>, method: Rc<Method>, params: CallParams) -> usize {
    let streams: Rc<Streams> = vu.state();
    streams.forget_unwritten(vu.iteration());
    let id = streams.last.get() + 1;
    streams.last.set(id);
    let (requests, messages) = match channel.protocol {
        Protocol::Grpc => {
            let (sender, messages) = unbounded_channel();
            (Requests::Any(sender), Some(messages))
        }
        Protocol::Web => {
            let iteration = vu.iteration();
            (Requests::One { iteration }, None)
        }
    };
    let tags = CallTags::new(vu, &channel, &method, &params.tags);
    tags.opened(vu.recorder());
    let open = Rc::new(Open {
        call: Call {
            path: method.path.clone(),
            metadata: params.metadata,
            timeout: time_limit(channel.protocol, params.timeout, None),
        },
        method,
        channel,
        handlers: RefCell::default(),
        requests: RefCell::new(requests),
        tags,
        wanted: params.wanted,
        fault: RefCell::default(),
    });
    streams.open.borrow_mut().insert(id, Rc::clone(&open));
    if let Some(messages) = messages {
        let (recorder, tags) = (Rc::clone(vu.recorder()), open.tags.clone());
        let written = move || tags.sent(&recorder);
        begin(vu, id, &open, Outgoing::Many(messages, Rc::new(written)));
    }
    id
}

/// Begins the call; its events come when JavaScript is idle.
fn begin(vu: &Rc<Vu>, id: usize, open: &Open, outgoing: Outgoing) {
    let forget = Forget::new(&vu.state(), id);
    let (channel, call) = (Rc::clone(&open.channel), open.call.clone());
    let mut events = Events {
        id,
        keeper: vu.events().keep(),
        recorder: Rc::clone(vu.recorder()),
        tags: open.tags.clone(),
    };
    vu.events().spawn(async move {
        let began = Instant::now();
        let ending = channel.transport.call(&call, outgoing, &mut events).await;
        let ns = ns(began.elapsed());
        events.keeper.queue(Box::new(move |ctx| {
            let result = ended(ctx, id, &ending, ns);
            drop(forget);
            result
        }));
    });
}
