//! The class `Client`.

use std::{
    cell::{Cell, RefCell},
    path::PathBuf,
    rc::Rc,
    sync::Arc,
};

use prost_reflect::DescriptorPool;
use rquickjs::{
    Array, Coerced, Ctx, Error, Function, JsLifetime, Object, Promise, Result, Value,
    class::Trace,
    function::{Opt, Rest},
};

use super::{
    call::{Unary, frame, given},
    channel::Channel,
    definition::{Compiled, DefinitionError, Definitions, Wanted, load_protoset},
    health,
    method::{Method, Methods},
    params::{CallParams, ConnectParams},
    plan::on_thread_stack,
    protocol::Protocol,
    reflection,
    samples::CallMetrics,
};
use crate::{
    engine::{Phase, Vu, throw, wait},
    test::Test,
};

/// A gRPC client of one virtual user: loaded definitions and at most one connection.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub(super) struct Client {
    #[qjs(skip_trace)]
    state: Rc<ClientState>,
}

/// What a client consists of; it holds no values of the engine.
pub(super) struct ClientState {
    id: usize,
    protocol: Protocol,
    pool: RefCell<DescriptorPool>,
    channel: RefCell<Option<Rc<Channel>>>,
}

impl ClientState {
    pub(super) fn id(&self) -> usize {
        self.id
    }

    pub(super) fn protocol(&self) -> Protocol {
        self.protocol
    }

    pub(super) fn pool(&self) -> &RefCell<DescriptorPool> {
        &self.pool
    }

    /// The open connection.
    ///
    /// # Errors
    /// When there is none, in k6's words.
    pub(super) fn channel(&self) -> std::result::Result<Rc<Channel>, &'static str> {
        let channel = self.channel.borrow().clone();
        channel.ok_or("no gRPC connection, you must call connect first")
    }

    fn connected(&self, ctx: &Ctx<'_>) -> Result<Rc<Channel>> {
        self.channel().map_err(|text| throw(ctx, text))
    }

    fn add(&self, definitions: &Definitions) -> std::result::Result<(), DefinitionError> {
        let mut pool = self.pool.borrow_mut();
        if pool.files().len() == 0 {
            // The usual case: all virtual users share one pool.
            *pool = definitions.pool.clone();
            return Ok(());
        }
        pool.add_file_descriptor_protos(definitions.files.file.iter().cloned())?;
        Ok(())
    }

    /// A call that is ready to be made, with everything checked, and its method.
    fn prepare<'js>(
        &self,
        ctx: &Ctx<'js>,
        vu: &Vu,
        methods: &Methods,
        arguments: &Arguments<'js>,
    ) -> Result<(Unary, Rc<Method>)> {
        let channel = self.connected(ctx)?;
        let name = arguments.method.0.as_ref();
        let method = methods.named(ctx, self.id, &self.pool, name)?;
        method.check_carried(ctx, self.protocol)?;
        let (request, params) = (arguments.request.0.as_ref(), arguments.params.0.as_ref());
        let params = CallParams::read(params, self.protocol)
            .map_err(|error| error.throw(ctx, "invalid GRPC's client.invoke() parameters"))?;
        let request = given(ctx, request)?;
        let message = frame(
            ctx,
            &method.request,
            &channel,
            request,
            self.protocol.in_calls(),
        )?;
        Ok((Unary::new(vu, &channel, &method, message, params), method))
    }
}

/// What `invoke` and `asyncInvoke` are called with.
struct Arguments<'js> {
    method: Opt<Value<'js>>,
    request: Opt<Value<'js>>,
    params: Opt<Value<'js>>,
}

#[rquickjs::methods(rename_all = "camelCase")]
impl Client {
    #[qjs(constructor)]
    fn new(ctx: Ctx<'_>) -> Result<Self> {
        Self::make(&ctx, Protocol::Grpc)
    }

    fn load<'js>(
        &self,
        ctx: Ctx<'js>,
        import_paths: Opt<Value<'js>>,
        files: Rest<Coerced<String>>,
    ) -> Result<Array<'js>> {
        let vu = in_init(&ctx, "load must be called in the init context")?;
        let wanted = Wanted {
            directories: directories(&ctx, vu.test(), import_paths.0.as_ref())?,
            files: files.0.into_iter().map(|file| file.0).collect(),
        };
        let compiled: Arc<Compiled> = vu.test().shared();
        let sources = vu.test().sources();
        let loaded = on_thread_stack(&ctx, || compiled.load(sources, wanted))?;
        self.loaded(&ctx, loaded)
    }

    fn load_protoset<'js>(&self, ctx: Ctx<'js>, path: Coerced<String>) -> Result<Array<'js>> {
        let vu = in_init(&ctx, "load must be called in the init context")?;
        let path = beside_script(vu.test(), &path.0);
        let sources = vu.test().sources();
        let loaded = on_thread_stack(&ctx, || load_protoset(sources, &path))?;
        self.loaded(&ctx, loaded)
    }

    fn connect<'js>(
        &self,
        ctx: Ctx<'js>,
        address: Coerced<String>,
        params: Opt<Value<'js>>,
    ) -> Result<bool> {
        let vu = running(
            &ctx,
            "connecting to a gRPC server in the init context is not supported",
        )?;
        let params = ConnectParams::read(params.0.as_ref(), self.state.protocol)
            .map_err(|error| error.throw(&ctx, "invalid grpc.connect() parameters"))?;
        let metrics = CallMetrics::register(&ctx, &vu, self.state.protocol)?;
        let channel = Channel::new(&vu, &address.0, &params, metrics);
        let channel = channel.map_err(|error| throw(&ctx, error.to_string()))?;
        let opened = wait(&ctx, channel.open(&params))?;
        opened.map_err(|error| throw(&ctx, error.to_string()))?;
        let channel = Rc::new(channel);
        if params.reflect {
            let reflected = reflection::load(&ctx, &vu, &channel, &params)?;
            self.state
                .add(&reflected)
                .map_err(|error| throw(&ctx, error.to_string()))?;
        }
        let former = self.state.channel.replace(Some(channel));
        // In k6/net/grpc, what is under way on the former connection goes on.
        match former.filter(|_| self.state.protocol == Protocol::Web) {
            Some(former) => wait(&ctx, former.transport.close()).map(|()| true),
            None => Ok(true),
        }
    }

    fn invoke<'js>(
        &self,
        ctx: Ctx<'js>,
        method: Opt<Value<'js>>,
        request: Opt<Value<'js>>,
        params: Opt<Value<'js>>,
    ) -> Result<Value<'js>> {
        let vu = running(&ctx, INVOKED_IN_INIT)?;
        let methods = Methods::of(&vu);
        let arguments = Arguments {
            method,
            request,
            params,
        };
        let (unary, method) = self.state.prepare(&ctx, &vu, &methods, &arguments)?;
        let answer = wait(&ctx, unary.make())?;
        unary.settle(&ctx, &vu, &methods, &method, answer)
    }

    fn async_invoke<'js>(
        &self,
        ctx: Ctx<'js>,
        method: Opt<Value<'js>>,
        request: Opt<Value<'js>>,
        params: Opt<Value<'js>>,
    ) -> Result<Promise<'js>> {
        let vu = Vu::of(&ctx)?;
        let state = &self.state;
        let arguments = Arguments {
            method,
            request,
            params,
        };
        let prepare = || {
            running(&ctx, INVOKED_IN_INIT)?;
            let (unary, method) = state.prepare(&ctx, &vu, &Methods::of(&vu), &arguments)?;
            // The method holds names of the engine, which must not be in the future.
            Ok((method.path.as_str().to_owned(), unary))
        };
        let (path, unary) = match prepare() {
            Ok(prepared) => prepared,
            Err(Error::Exception) => return rejected(&ctx, ctx.catch()),
            Err(error) => return Err(error),
        };
        let client = Rc::clone(state);
        let made = async move {
            let answer = unary.make().await;
            (unary, answer)
        };
        vu.events()
            .promise(&ctx, made, move |ctx, (unary, answer)| {
                let vu = Vu::of(ctx)?;
                let methods = Methods::of(&vu);
                let method = methods.find(ctx, client.id, &client.pool, &path)?;
                unary.settle(ctx, &vu, &methods, &method, answer)
            })
    }

    fn health_check<'js>(
        &self,
        ctx: Ctx<'js>,
        service: Opt<Coerced<String>>,
    ) -> Result<Object<'js>> {
        let vu = running(&ctx, INVOKED_IN_INIT)?;
        let channel = self.state.connected(&ctx)?;
        let service = service.0.map(|service| service.0).unwrap_or_default();
        let status = health::check(&ctx, &vu, &channel, service)?;
        let object = Object::new(ctx)?;
        object.set("status", status)?;
        Ok(object)
    }

    fn close(&self, ctx: Ctx<'_>) -> Result<()> {
        let channel = self.state.channel.take();
        match channel {
            Some(channel) => wait(&ctx, channel.transport.close()),
            None => Ok(()),
        }
    }
}

impl Client {
    /// A client of this protocol for the virtual user.
    pub(super) fn make(ctx: &Ctx<'_>, protocol: Protocol) -> Result<Self> {
        let vu = Vu::of(ctx)?;
        let numbers: Rc<Cell<usize>> = vu.state();
        let id = numbers.get();
        numbers.set(id + 1);
        Ok(Self {
            state: Rc::new(ClientState {
                id,
                protocol,
                pool: RefCell::default(),
                channel: RefCell::default(),
            }),
        })
    }

    pub(super) fn state(&self) -> &Rc<ClientState> {
        &self.state
    }

    fn loaded<'js>(
        &self,
        ctx: &Ctx<'js>,
        loaded: std::result::Result<Definitions, DefinitionError>,
    ) -> Result<Array<'js>> {
        let definitions = loaded.and_then(|definitions| {
            self.state.add(&definitions)?;
            Ok(definitions)
        });
        let definitions = definitions.map_err(|error| throw(ctx, error.to_string()))?;
        let list = Array::new(ctx.clone())?;
        for (place, method) in definitions.methods().into_iter().enumerate() {
            let object = Object::new(ctx.clone())?;
            object.set("package", method.package)?;
            object.set("service", method.service)?;
            object.set("full_method", method.full_method)?;
            list.set(place, object)?;
        }
        Ok(list)
    }
}

const INVOKED_IN_INIT: &str = "invoking RPC methods in the init context is not supported";

fn in_init(ctx: &Ctx<'_>, text: &str) -> Result<Rc<Vu>> {
    let vu = Vu::of(ctx)?;
    match vu.phase() {
        Phase::Init => Ok(vu),
        _ => Err(throw(ctx, text)),
    }
}

fn running(ctx: &Ctx<'_>, text: &str) -> Result<Rc<Vu>> {
    let vu = Vu::of(ctx)?;
    match vu.phase() {
        Phase::Init => Err(throw(ctx, text)),
        _ => Ok(vu),
    }
}

fn rejected<'js>(ctx: &Ctx<'js>, reason: Value<'js>) -> Result<Promise<'js>> {
    let (promise, _, reject) = ctx.promise()?;
    let reject: Function = reject;
    reject.call::<_, ()>((reason,))?;
    Ok(promise)
}

/// The folders of `load`; that of the script when none is given.
fn directories(
    ctx: &Ctx<'_>,
    test: &Test,
    import_paths: Option<&Value<'_>>,
) -> Result<Vec<PathBuf>> {
    let given = import_paths.filter(|value| !value.is_null() && !value.is_undefined());
    let mut directories = Vec::new();
    if let Some(value) = given {
        let Some(paths) = value.as_array() else {
            return Err(throw(
                ctx,
                "load() takes a list of folders as its first argument, or null for the folder of \
                 the script",
            ));
        };
        for path in paths.iter::<Coerced<String>>() {
            directories.push(beside_script(test, &path?.0));
        }
    }
    if directories.is_empty() {
        directories.push(beside_script(test, ""));
    }
    Ok(directories)
}

/// A path as scripts write it: relative ones begin at the folder of the script.
fn beside_script(test: &Test, path: &str) -> PathBuf {
    let path = path.strip_prefix("file://").unwrap_or(path);
    let folder = test.script().parent().unwrap_or(test.script());
    crate::paths::normal(&folder.join(path))
}
