//! Metrics of calls.

use std::{cell::RefCell, rc::Rc};

use rquickjs::{Ctx, Result};

use super::{channel::Channel, method::Method, protocol::Protocol};
use crate::{
    engine::{Vu, throw},
    metric::{Builtin, Contains, Kind, MetricId, Recorder, TagSet},
};

/// Tag sets that are remembered for a method, at most.
const MOST_CACHED: usize = 64;

/// Tags of the calls of one method. Making a set costs more than everything else of a sample.
#[derive(Debug, Default)]
pub(super) struct TagCache {
    known: RefCell<Vec<(CacheKey, TagSet)>>,
}

/// The tags that a call starts from, the address, and the status when it is known.
type CacheKey = (usize, Rc<str>, Option<i32>);

impl TagCache {
    fn get(&self, key: CacheKey, make: impl FnOnce() -> TagSet) -> TagSet {
        let mut known = self.known.borrow_mut();
        if let Some((_, tags)) = known.iter().find(|(other, _)| *other == key) {
            return tags.clone();
        }
        if known.len() >= MOST_CACHED {
            known.clear();
        }
        let tags = make();
        known.push((key, tags.clone()));
        tags
    }
}

/// The tags of a call, of which only the status is missing.
#[derive(Clone, Debug)]
pub(super) struct CallTags {
    base: TagSet,
    metrics: CallMetrics,
    address: Rc<str>,
    /// No tags of the script's own, so that the cache may be asked.
    common: bool,
}

impl CallTags {
    /// The tags of now, of the method and of the script for this call.
    pub(super) fn new(
        vu: &Vu,
        channel: &Channel,
        method: &Method,
        own: &[(String, String)],
    ) -> Self {
        let address = &channel.address;
        let now = vu.tags();
        let key = (now.id(), Rc::clone(address), None);
        let common = method
            .tags
            .get(key, || with_method(vu, &now, address, method));
        let own_pairs = own
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()));
        Self {
            base: if own.is_empty() {
                common
            } else {
                vu.recorder().tags().with(&common, own_pairs)
            },
            metrics: channel.metrics,
            address: Rc::clone(address),
            common: own.is_empty(),
        }
    }

    /// Only the tags of now.
    pub(super) fn plain(vu: &Vu, channel: &Channel) -> Self {
        Self {
            base: vu.tags(),
            metrics: channel.metrics,
            address: "".into(),
            common: false,
        }
    }

    fn with_status(&self, vu: &Vu, method: Option<&Method>, code: i32) -> TagSet {
        if !vu.options().has_system_tag("status") {
            return self.base.clone();
        }
        let make = || {
            let code = code.to_string();
            vu.recorder()
                .tags()
                .with(&self.base, [("status", code.as_str())])
        };
        match method.filter(|_| self.common) {
            Some(method) => {
                let key = (self.base.id(), Rc::clone(&self.address), Some(code));
                method.tags.get(key, make)
            }
            None => make(),
        }
    }

    /// Records that a call took so long and ended with this status.
    pub(super) fn record(&self, vu: &Vu, method: Option<&Method>, code: i32, ns: u64) {
        let tags = self.with_status(vu, method, code);
        let recorder = vu.recorder();
        recorder.record_ns(self.metrics.duration, &tags, ns);
        if let Some((requests, failed)) = self.metrics.counted {
            recorder.record(requests, &tags, 1.0);
            recorder.record(failed, &tags, if code == 0 { 0.0 } else { 1.0 });
        }
    }

    /// Records that a stream was opened.
    pub(super) fn opened(&self, recorder: &Recorder) {
        recorder.record(self.metrics.streams, &self.base, 1.0);
    }

    /// Records that a message was written.
    pub(super) fn sent(&self, recorder: &Recorder) {
        recorder.record(self.metrics.sent, &self.base, 1.0);
    }

    /// Records that a message came.
    pub(super) fn received(&self, recorder: &Recorder) {
        recorder.record(self.metrics.received, &self.base, 1.0);
    }
}

fn with_method(vu: &Vu, now: &TagSet, address: &str, method: &Method) -> TagSet {
    let url = format!("{address}{}", method.path);
    let all = [
        ("url", url.as_str()),
        ("service", &method.service),
        ("method", &method.name),
        ("name", method.path.as_str()),
    ];
    let options = vu.options();
    let enabled = all
        .into_iter()
        .filter(|(tag, _)| options.has_system_tag(tag));
    vu.recorder().tags().with(now, enabled)
}

/// The metrics of a module.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallMetrics {
    duration: MetricId,
    /// Number of calls, and share of those that failed: k6's gRPC has neither.
    counted: Option<(MetricId, MetricId)>,
    streams: MetricId,
    sent: MetricId,
    received: MetricId,
}

impl CallMetrics {
    /// Makes them known; the same ones for everybody.
    pub(super) fn register(ctx: &Ctx<'_>, vu: &Vu, protocol: Protocol) -> Result<Self> {
        let metric = |name, kind, contains| {
            (vu.test().registry())
                .register(name, kind, contains)
                .map_err(|error| throw(ctx, error.to_string()))
        };
        let counter = |name| metric(name, Kind::Counter, Contains::Default);
        Ok(match protocol {
            Protocol::Grpc => Self {
                duration: Builtin::GrpcReqDuration.id(),
                counted: None,
                streams: counter("grpc_streams")?,
                sent: counter("grpc_streams_msgs_sent")?,
                received: counter("grpc_streams_msgs_received")?,
            },
            Protocol::Web => Self {
                duration: metric("grpcweb_req_duration", Kind::Trend, Contains::Time)?,
                counted: Some((
                    counter("grpcweb_reqs")?,
                    metric("grpcweb_req_failed", Kind::Rate, Contains::Default)?,
                )),
                streams: counter("grpcweb_streams")?,
                sent: counter("grpcweb_streams_msgs_sent")?,
                received: counter("grpcweb_streams_msgs_received")?,
            },
        })
    }
}
