//! Methods that scripts call.

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};

use http::uri::PathAndQuery;
use prost_reflect::{DescriptorPool, MethodDescriptor};
use rquickjs::{Ctx, Persistent, Result, Value, qjs};

use super::{
    params::method_path, plan::Plan, protocol::Protocol, response::ResponseNames, samples::TagCache,
};
use crate::engine::{Vu, throw};

/// A method of a client, ready to be called.
pub(super) struct Method {
    pub(super) path: PathAndQuery,
    /// Full name of the service.
    pub(super) service: String,
    /// Short name of the method.
    pub(super) name: String,
    pub(super) request: Plan,
    pub(super) response: Plan,
    /// Where `Any` values find their types.
    pub(super) pool: DescriptorPool,
    pub(super) tags: TagCache,
    streams_requests: bool,
}

impl Method {
    fn new(ctx: &Ctx<'_>, path: &str, method: &MethodDescriptor) -> Result<Self> {
        let parsed = PathAndQuery::try_from(path);
        Ok(Self {
            path: parsed.map_err(|_| not_found(ctx, path))?,
            service: method.parent_service().full_name().to_owned(),
            name: method.name().to_owned(),
            request: Plan::new(ctx, &method.input())?,
            response: Plan::new(ctx, &method.output())?,
            pool: method.parent_pool().clone(),
            tags: TagCache::default(),
            streams_requests: method.is_client_streaming(),
        })
    }

    /// Throws when the protocol cannot carry calls of this method.
    pub(super) fn check_carried(&self, ctx: &Ctx<'_>, protocol: Protocol) -> Result<()> {
        if protocol == Protocol::Web && self.streams_requests {
            return Err(throw(
                ctx,
                format!(
                    "method has another kind of streaming: \"{}\" streams its requests, which \
                     gRPC-Web cannot carry; call it over gRPC",
                    self.path
                ),
            ));
        }
        Ok(())
    }
}

/// What the module keeps for one virtual user: everything that holds values of the engine.
#[derive(Default)]
pub(super) struct Methods {
    /// By client and path: few, so that looking is cheaper than hashing.
    known: RefCell<Vec<Known>>,
    names: OnceCell<ResponseNames>,
}

struct Known {
    client: usize,
    path: String,
    /// The string of the script that named it last, and its address. Strings never change, and
    /// one that is kept is known again without being read.
    named: Option<(usize, Persistent<Value<'static>>)>,
    method: Rc<Method>,
}

impl Methods {
    /// The method of a client under a path with its leading slash.
    ///
    /// # Errors
    /// Throws when the client has loaded no such method.
    pub(super) fn find(
        &self,
        ctx: &Ctx<'_>,
        client: usize,
        pool: &RefCell<DescriptorPool>,
        path: &str,
    ) -> Result<Rc<Method>> {
        let mut known = self.known.borrow_mut();
        let same = |known: &&Known| known.client == client && known.path == path;
        if let Some(known) = known.iter().find(same) {
            return Ok(Rc::clone(&known.method));
        }
        let descriptor = describe(&pool.borrow(), path).ok_or_else(|| not_found(ctx, path))?;
        let method = Rc::new(Method::new(ctx, path, &descriptor)?);
        known.push(Known {
            client,
            path: path.to_owned(),
            named: None,
            method: Rc::clone(&method),
        });
        Ok(method)
    }

    /// The method that a value of the script names, with or without its leading slash.
    ///
    /// # Errors
    /// Throws when the client has loaded no such method, or when the name is empty.
    pub(super) fn named<'js>(
        &self,
        ctx: &Ctx<'js>,
        client: usize,
        pool: &RefCell<DescriptorPool>,
        name: Option<&Value<'js>>,
    ) -> Result<Rc<Method>> {
        let text = name.filter(|name| name.is_string());
        let address = text.map(address_of);
        {
            let known = self.known.borrow();
            let found = known.iter().find(|known| {
                let named = known.named.as_ref().map(|(address, _)| *address);
                known.client == client && named.is_some() && named == address
            });
            if let Some(known) = found {
                return Ok(Rc::clone(&known.method));
            }
        }
        let path = method_path(ctx, name)?;
        let method = self.find(ctx, client, pool, &path)?;
        let mut known = self.known.borrow_mut();
        let entry = known
            .iter_mut()
            .find(|known| Rc::ptr_eq(&known.method, &method));
        if let (Some(entry), Some(text)) = (entry, text) {
            let kept = Persistent::save(ctx, text.clone());
            entry.named = Some((address_of(text), kept));
        }
        Ok(method)
    }

    pub(super) fn response_names(&self, ctx: &Ctx<'_>) -> Result<&ResponseNames> {
        if let Some(names) = self.names.get() {
            return Ok(names);
        }
        let names = ResponseNames::new(ctx)?;
        Ok(self.names.get_or_init(|| names))
    }

    pub(super) fn of(vu: &Vu) -> Rc<Self> {
        vu.state()
    }
}

/// Tells strings of one engine apart while they live.
fn address_of(text: &Value<'_>) -> usize {
    // SAFETY: strings are pointers; this one is compared and never followed.
    unsafe { qjs::JS_VALUE_GET_PTR(text.as_raw()) as usize }
}

fn describe(pool: &DescriptorPool, path: &str) -> Option<MethodDescriptor> {
    let (service, name) = path.strip_prefix('/')?.rsplit_once('/')?;
    let service = pool.get_service_by_name(service)?;
    service.methods().find(|method| method.name() == name)
}

fn not_found(ctx: &Ctx<'_>, path: &str) -> rquickjs::Error {
    throw(
        ctx,
        format!("method {path:?} not found in file descriptors"),
    )
}
