//! Methods that scripts call.

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};

use http::uri::PathAndQuery;
use prost_reflect::{DescriptorPool, MethodDescriptor};
use rquickjs::{Ctx, Result};

use super::{plan::Plan, protocol::Protocol, response::ResponseNames, samples::TagCache};
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
    known: RefCell<Vec<(usize, String, Rc<Method>)>>,
    names: OnceCell<ResponseNames>,
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
        let same = |(owner, of, _): &&(usize, String, Rc<Method>)| *owner == client && *of == path;
        if let Some((_, _, method)) = known.iter().find(same) {
            return Ok(Rc::clone(method));
        }
        let descriptor = describe(&pool.borrow(), path).ok_or_else(|| not_found(ctx, path))?;
        let method = Rc::new(Method::new(ctx, path, &descriptor)?);
        known.push((client, path.to_owned(), Rc::clone(&method)));
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
