//! What scripts import.

use rquickjs::{
    Class, Ctx, Object, Result, Value,
    class::JsClass,
    function::{Constructor, Opt},
    module::{Declarations, Exports, ModuleDef},
};

use super::{
    client::Client,
    protocol::Protocol,
    samples::CallMetrics,
    status::{CODES, HEALTH},
    stream::Stream,
};
use crate::engine::Vu;

/// `k6/net/grpc`: `Client`, `Stream` and the constants.
pub(in crate::module) struct Grpc;

/// `k6/x/grpcweb`: the same over gRPC-Web, as `xk6-grpcweb/index.d.ts` describes it.
pub(in crate::module) struct GrpcWeb;

const CLASSES: [&str; 2] = ["Client", "Stream"];

impl ModuleDef for Grpc {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        declare(declarations, Protocol::Grpc)
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        let all = Object::new(ctx.clone())?;
        Class::<Client>::define(&all)?;
        Class::<Stream>::define(&all)?;
        export(ctx, exports, all, Protocol::Grpc)
    }
}

impl ModuleDef for GrpcWeb {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        declare(declarations, Protocol::Web)
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        let all = Object::new(ctx.clone())?;
        let client = |ctx: Ctx<'js>| Class::instance(ctx.clone(), Client::make(&ctx, WEB)?);
        let client = Constructor::new_prototype(ctx, prototype::<Client>(ctx)?, client)?;
        let stream = |ctx: Ctx<'js>,
                      client: Opt<Value<'js>>,
                      method: Opt<Value<'js>>,
                      params: Opt<Value<'js>>| {
            let stream = Stream::open(&ctx, WEB, client.0, method.0, params.0)?;
            Class::instance(ctx, stream)
        };
        let stream = Constructor::new_prototype(ctx, prototype::<Stream>(ctx)?, stream)?;
        for (name, constructor) in [("Client", client), ("Stream", stream)] {
            constructor.set_name(name)?;
            all.set(name, constructor)?;
        }
        export(ctx, exports, all, WEB)
    }
}

const WEB: Protocol = Protocol::Web;

/// A prototype of its own that inherits everything: the constructors of both modules differ.
fn prototype<'js, C: JsClass<'js>>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let own = Object::new(ctx.clone())?;
    own.set_prototype(Class::<C>::prototype(ctx)?.as_ref())?;
    Ok(own)
}

fn constants(protocol: Protocol) -> impl Iterator<Item = (&'static str, i32)> {
    // k6's misspelling, rightly spelt.
    let unknown = [("HealthCheckServiceUnknown", 3)];
    let own = unknown.into_iter().filter(move |_| protocol == WEB);
    CODES.into_iter().chain(HEALTH).chain(own)
}

fn declare(declarations: &Declarations<'_>, protocol: Protocol) -> Result<()> {
    let constants = constants(protocol).map(|(name, _)| name);
    for name in constants.chain(CLASSES).chain(["default"]) {
        declarations.declare(name)?;
    }
    Ok(())
}

fn export<'js>(
    ctx: &Ctx<'js>,
    exports: &Exports<'js>,
    all: Object<'js>,
    protocol: Protocol,
) -> Result<()> {
    CallMetrics::register(ctx, &*Vu::of(ctx)?, protocol)?;
    for name in CLASSES {
        exports.export(name, all.get::<_, Value>(name)?)?;
    }
    for (name, value) in constants(protocol) {
        all.set(name, value)?;
        exports.export(name, value)?;
    }
    exports.export("default", all)?;
    Ok(())
}
