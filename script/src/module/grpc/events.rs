//! What the handlers of streams are told.

use std::{
    rc::Rc,
    time::{SystemTime, UNIX_EPOCH},
};

use bytes::Bytes;
use http::HeaderMap;
use rquickjs::{ArrayBuffer, Ctx, Object, Result, Value};

use super::{
    params::Wanted,
    protocol::Protocol,
    response::{headers_object, read_message, status_object},
    samples::CallTags,
    status::Status,
    stream::{Open, find},
    transport::{Ending, Receiver},
};
use crate::{
    engine::{Keeper, Vu},
    metric::Recorder,
};

/// An event that a script listens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Data,
    Error,
    End,
    /// k6 takes handlers for it and never calls them; gRPC-Web does.
    Status,
    /// Of gRPC-Web alone.
    Metadata,
}

impl Kind {
    pub(super) fn of(name: &str, protocol: Protocol) -> Option<Self> {
        Some(match name {
            "data" => Self::Data,
            "error" => Self::Error,
            "end" => Self::End,
            "status" => Self::Status,
            "metadata" if protocol == Protocol::Web => Self::Metadata,
            _ => return None,
        })
    }
}

/// Makes events of what comes.
pub(super) struct Events {
    pub(super) id: usize,
    pub(super) keeper: Keeper,
    pub(super) recorder: Rc<Recorder>,
    pub(super) tags: CallTags,
}

impl Receiver for Events {
    fn headers(&mut self, headers: &HeaderMap) {
        let (id, headers, at) = (self.id, headers.clone(), unix_seconds());
        self.keeper
            .queue(Box::new(move |ctx| metadata(ctx, id, &headers, at)));
    }

    fn message(&mut self, message: Bytes) -> std::result::Result<(), Status> {
        self.tags.received(&self.recorder);
        let (id, at) = (self.id, unix_seconds());
        self.keeper
            .queue(Box::new(move |ctx| data(ctx, id, &message, at)));
        Ok(())
    }
}

fn metadata(ctx: &Ctx<'_>, id: usize, headers: &HeaderMap, at: f64) -> Result<()> {
    let Some(open) = find(&*Vu::of(ctx)?, id) else {
        return Ok(());
    };
    let headers = headers_object(ctx, open.channel.protocol, headers)?;
    dispatch(ctx, &open, Kind::Metadata, headers, at)
}

fn data(ctx: &Ctx<'_>, id: usize, message: &Bytes, at: f64) -> Result<()> {
    let vu = Vu::of(ctx)?;
    let Some(open) = find(&vu, id) else {
        return Ok(());
    };
    if open.fault.borrow().is_some() {
        return Ok(());
    }
    let mut status = Status::default();
    let value = match open.wanted {
        Wanted::Object => read_message(ctx, &open.method.response, Some(message), &mut status)?,
        Wanted::Bytes => ArrayBuffer::new_copy(ctx.clone(), message)?.into_value(),
        Wanted::Nothing => Object::new(ctx.clone())?.into_value(),
    };
    if status.is_ok() {
        return dispatch(ctx, &open, Kind::Data, value, at);
    }
    match open.channel.protocol {
        Protocol::Grpc => failed(ctx, id, &status),
        Protocol::Web => {
            open.fault.replace(Some(status));
            Ok(())
        }
    }
}

/// Tells of an error, or warns when no handler wants to know.
pub(super) fn failed(ctx: &Ctx<'_>, id: usize, status: &Status) -> Result<()> {
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

/// Tells of the end, and records the call.
pub(super) fn ended(ctx: &Ctx<'_>, id: usize, ending: &Ending, ns: u64) -> Result<()> {
    let vu = Vu::of(ctx)?;
    let Some(open) = find(&vu, id) else {
        return Ok(());
    };
    open.end_requests();
    let fault = open.fault.take();
    let status = fault.as_ref().unwrap_or(&ending.status);
    open.tags.record(&vu, Some(&open.method), status.code, ns);
    if !status.is_ok() {
        failed(ctx, id, status)?;
    }
    let protocol = open.channel.protocol;
    if protocol == Protocol::Web {
        let object = status_object(ctx, &open.method.pool, status)?;
        let trailers = headers_object(ctx, protocol, &ending.trailers)?;
        object.set("trailers", trailers)?;
        dispatch(
            ctx,
            &open,
            Kind::Status,
            object.into_value(),
            unix_seconds(),
        )?;
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
